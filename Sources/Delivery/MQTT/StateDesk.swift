internal import CFencelineLinux
internal import FencelineMQTTLink
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// Publishes how things stand, beside the events: positions, and for Home Assistant the devices and regions that there are.
///
/// Everything that it publishes is retained. It knows what the broker has, compares that with how things stand, and publishes what is different. A thread
/// of its own does that, since asking how things stand takes a moment.
final class StateDesk: Sendable {
  /// Milliseconds after which it looks whether something has changed that nobody has told, and where that could not be had.
  private static let lookAgain: Int64 = 60_000
  private static let lookSoon: Int64 = 2000

  private struct Content {
    var isStopped = false
    var isConnected = false
    /// Whether to ask how things stand.
    var isStale = true
    /// What the broker has, as far as is known: texts by topics. Where the text is not known, nil.
    var published: [String: [UInt8]?] = [:]
    /// What the broker has that may be this service's own, of an earlier life, or another one's.
    var found: [String: [UInt8]] = [:]
    /// Where devices are, and which of these positions are not published.
    var positions: [String: LivePosition] = [:]
    var unpublished: Set<String> = []
    /// When a position of a device was published last, in milliseconds of a clock that nobody sets.
    var publishedAt: [String: Int64] = [:]
    /// What the log was told last.
    var complaint = ""
  }

  private let options: MQTTChannelOptions
  private let context: ChannelContext
  private let channel: String
  private let messages: EventMessages
  private let content = Mutex(Content())
  private let link = Mutex<MQTTLink?>(nil)
  private let wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

  init(_ options: MQTTChannelOptions, _ context: ChannelContext, channel: String) {
    self.options = options
    self.context = context
    self.channel = channel
    messages = EventMessages(options)
  }

  deinit { if wake >= 0 { close(wake) } }

  /// Whether there is anything to publish.
  static func isNeeded(_ options: MQTTChannelOptions) -> Bool {
    options.positionInterval != nil || options.formats.contains(.homeAssistant)
  }

  private var isForHomeAssistant: Bool { options.formats.contains(.homeAssistant) }

  /// What it wants to know from the broker: when Home Assistant has been started, and what there is of its own from an earlier life.
  var topics: [String] {
    isForHomeAssistant
      ? ["\(options.discoveryPrefix)/status", "\(options.discoveryPrefix)/+/\(options.node)/+/config"] : []
  }

  /// Begins to publish.
  ///
  /// - Throws: ``ChannelError`` where the system gives no thread.
  func start(_ link: MQTTLink) throws(ChannelError) {
    self.link.withLock { $0 = link }
    guard wake >= 0, let thread = RunnerThread({ [self] in work() }) else {
      throw ChannelError(
        "Channel '\(channel)' cannot start another thread. End other programs, or raise the limits.")
    }
    thread.detach()
  }

  /// Publishes nothing more.
  func stop() {
    change { $0.isStopped = true }
    link.withLock { $0 = nil }
  }

  /// Looks whether something has changed.
  func refresh() {
    guard isForHomeAssistant else { return }
    change { $0.isStale = true }
  }

  func note(_ position: LivePosition) {
    guard options.positionInterval != nil else { return }
    let isNew = content.withLock { content in
      content.positions[position.device] = position
      return content.unpublished.insert(position.device).inserted
    }
    // It knows when the next one is due.
    if isNew { _ = eventfd_write(wake, 1) }
  }

  /// Takes what the link tells.
  func take(_ event: MQTTLink.Event) {
    switch event {
    case .connected:
      change { content in
        content.isConnected = true
        // It may be another broker, or one that has lost what it had.
        for topic in content.published.keys { content.published[topic] = .some(nil) }
        content.unpublished.formUnion(content.positions.keys)
        content.publishedAt = [:]
        content.isStale = true
      }
    case .disconnected: change { $0.isConnected = false }
    case .topicRefused: break
    case .message(let arrival) where arrival.topic == "\(options.discoveryPrefix)/status":
      guard arrival.payload == Array("online".utf8), !arrival.isRetained else { return }
      change { content in
        for topic in content.published.keys { content.published[topic] = .some(nil) }
        content.isStale = true
      }
    case .message(let arrival):
      guard arrival.payload?.isEmpty == false else { return }
      change { content in
        guard content.published[arrival.topic] == nil else { return }
        content.found[arrival.topic] = arrival.payload
        content.isStale = true
      }
    }
  }

  private func change(_ body: (inout sending Content) -> Void) {
    content.withLock { body(&$0) }
    _ = eventfd_write(wake, 1)
  }

  // MARK: The thread

  private func work() {
    var lookAt = Int64(0)
    while true {
      let now = MonotonicClock.now
      let isLate = isForHomeAssistant && now >= lookAt
      let (isStopped, isStale) = content.withLock { content in
        let isStale = content.isConnected && (content.isStale || isLate)
        if isStale { content.isStale = false }
        return (content.isStopped, isStale)
      }
      guard !isStopped else { return }
      if isStale {
        lookAt = now + (lookRound() ? StateDesk.lookAgain : StateDesk.lookSoon)
      }
      publishPositions()
      wait(until: isForHomeAssistant ? lookAt : .max)
    }
  }

  /// Waits until something is due, or was told.
  private func wait(until lookAt: Int64) {
    let now = MonotonicClock.now
    let due = content.withLock { content -> Int64 in
      guard content.isConnected else { return .max }
      return content.unpublished.reduce(lookAt) { min($0, self.due($1, content)) }
    }
    var request = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, Int32(clamping: max(0, min(due - now, 600_000))))
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(wake, &count)
  }

  private func due(_ device: String, _ content: Content) -> Int64 {
    content.publishedAt[device].map { $0 + (options.positionInterval ?? 0) } ?? 0
  }

  private func publishPositions() {
    let now = MonotonicClock.now
    let due = content.withLock { content -> [LivePosition] in
      guard content.isConnected else { return [] }
      let devices = content.unpublished.filter { self.due($0, content) <= now }
      for device in devices { content.publishedAt[device] = now }
      content.unpublished.subtract(devices)
      return devices.sorted().compactMap { content.positions[$0] }
    }
    let all = due.flatMap { position in messages.messages(for: position).map { (position.device, $0) } }
    publish(all.map(\.1)) { index, isDone in
      if !isDone { content.withLock { _ = $0.unpublished.insert(all[index].0) } }
    }
  }

  /// Asks how things stand, and publishes what is different from what the broker has.
  ///
  /// - Returns: Whether there was an answer.
  private func lookRound() -> Bool {
    guard isForHomeAssistant else { return true }
    guard let state = context.state() else { return false }
    let discovery = Discovery(options, identity: state.identity)
    var wanted = discovery.topics(state)
    var foreign: String?
    let known = content.withLock { content in
      for (topic, document) in content.found.sorted(by: { $0.key < $1.key }) {
        if wanted[topic] != nil || discovery.isOwn(document) {
          content.published[topic] = .some(nil)
        } else {
          foreign = foreign ?? topic
        }
      }
      content.found = [:]
      // Positions that nobody has told since the start.
      for position in state.positions where content.positions[position.device] == nil {
        content.positions[position.device] = position
        content.unpublished.insert(position.device)
      }
      return content.published
    }
    if let foreign {
      context.warn(
        "Channel '\(channel)' leaves '\(foreign)' as it is, which another service has published, or an earlier one. "
          + "Give each its own --topic.")
    }
    // What there is no more.
    for topic in known.keys where wanted[topic] == nil { wanted[topic] = [] }
    let different = wanted.filter { topic, text in known[topic] != .some(.some(text)) }
    // What comes back of it is nothing new.
    content.withLock { content in
      for (topic, text) in different { content.published[topic] = .some(text) }
    }
    let messages = different.sorted { $0.key < $1.key }.map {
      MQTTMessage($0.key, $0.value, isRetained: true)
    }
    publish(messages) { index, isDone in
      let message = messages[index]
      content.withLock { content in
        if !isDone {
          content.published[message.topic] = .some(nil)
        } else if message.payload.isEmpty {
          content.published[message.topic] = nil
        }
      }
    }
    return true
  }

  /// Publishes messages, and tells of each, by its index, whether the broker has it.
  private func publish(_ messages: [MQTTMessage], _ tell: (Int, Bool) -> Void) {
    guard !messages.isEmpty, let link = link.withLock({ $0 }) else { return }
    link.publish(messages, within: options.timeLimit) { index, result in
      tell(index, result == .acknowledged)
      // The link says what else is wrong, and everything is published again with the next connection.
      if case .refused(let sentence) = result { complain(sentence) }
    }
  }

  private func complain(_ sentence: String) {
    let isNew = content.withLock { content in
      defer { content.complaint = sentence }
      return content.complaint != sentence
    }
    if isNew { context.warn("Channel '\(channel)' cannot publish how things stand: \(sentence)") }
  }
}
