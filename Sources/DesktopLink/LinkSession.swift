internal import FencelineThreads
internal import Glibc

/// What the link's thread does: it owns the connection, and nothing else touches either.
final class LinkSession {
  /// Milliseconds until another try to connect: at first, and at most.
  static let pauses: ClosedRange<Int64> = 250...30_000

  private let box: OrderBox
  private let address: String?
  private let tell: (DesktopLink.Event) -> Void

  private var bus: BusConnection?
  private var pause = pauses.lowerBound
  private var nextTry: Int64 = 0
  private var waiting: [Order] = []
  private var calls: [UInt64: (call: Call, deadline: Int64)] = [:]
  private var server = Server.unknown
  private var board = PostBoard()

  init(box: OrderBox, address: String?, tell: @escaping (DesktopLink.Event) -> Void) {
    self.box = box
    self.address = address
    self.tell = tell
  }

  /// Works until the box is closed.
  func run() {
    while true {
      readBus()
      giveUpLateCalls()
      let (orders, isLast) = box.take()
      waiting += orders
      if bus == nil, MonotonicClock.now >= nextTry { connect() }
      work()
      if isLast { return end() }
      rest()
    }
  }

  /// Waits until there is something to do.
  private func rest() {
    var requests = [pollfd(fd: box.descriptor, events: Int16(POLLIN), revents: 0)]
    var deadlines = calls.values.map(\.deadline)
    if let bus {
      requests.append(bus.readiness)
      if let deadline = bus.deadline { deadlines.append(deadline) }
    } else if address != nil {
      deadlines.append(nextTry)
    }
    let left = deadlines.min().map { Int32(clamping: max(0, $0 - MonotonicClock.now)) }
    _ = unsafe poll(&requests, nfds_t(requests.count), left ?? -1)
  }

  /// Sends what is still to be closed, and fails whoever waits.
  private func end() {
    box.server = nil
    fail(.stopped)
    let end = MonotonicClock.now + 500
    while let bus, isCalling || bus.hasUnsent || !waiting.isEmpty, MonotonicClock.now < end {
      var request = bus.readiness
      _ = unsafe poll(&request, 1, 10)
      readBus()
      work()
    }
    changeServer(.unknown, .stopped)
  }

  // MARK: Bus

  private func connect() {
    guard let address else { return fail(BusAddress.missing) }
    do throws(BusConnection.Failure) {
      bus = try BusConnection(address: address)
    } catch {
      return lose(error.systemError)
    }
    let target = BusConnection.notifications
    let rules = [
      "type='signal',sender='\(target.name)',path='\(target.path)',interface='\(target.interface)'",
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(target.name)'",
    ]
    for rule in rules { call(.watch, BusConnection.daemon, "AddMatch", [.text(rule)]) }
    call(.findOwner, BusConnection.daemon, "GetNameOwner", [.text(target.name)])
  }

  /// Goes on without a bus.
  private func lose(_ systemError: Int32) {
    bus = nil
    nextTry = MonotonicClock.now + pause
    pause = min(pause * 2, LinkSession.pauses.upperBound)
    let error = BusAddress.unreachable(address ?? "", systemError: systemError)
    changeServer(.unknown, error)
    calls = [:]
    fail(error)
  }

  /// Fails whoever waits.
  private func fail(_ error: DesktopLinkError) {
    for order in waiting { order.result?.give(error) }
    // What was to be closed still is.
    waiting.removeAll { $0.result != nil }
  }

  private func readBus() {
    while let bus {
      switch bus.next() {
      case .message(let message): take(message)
      case .progress: continue
      case .idle: return
      case .lost(let systemError): return lose(systemError)
      }
    }
  }

  private func call(
    _ call: Call, _ target: BusConnection.Target, _ method: String, _ arguments: [BusArgument] = []
  ) {
    guard let cookie = bus?.call(target, method, arguments) else {
      if case .notify(_, _, let result) = call { result?.give(.refused("the bus does not carry it")) }
      return giveUp(call)
    }
    calls[cookie] = (call, MonotonicClock.now + call.patience)
  }

  private func giveUpLateCalls() {
    let now = MonotonicClock.now
    for (cookie, entry) in calls where entry.deadline <= now {
      // Losing the bus ends the others.
      guard calls.removeValue(forKey: cookie) != nil else { return }
      giveUp(entry.call)
    }
  }

  /// What happens where a call cannot be made, or is not answered.
  private func giveUp(_ call: Call) {
    switch call {
    case .watch, .findOwner: lose(ETIMEDOUT)
    case .start:
      server = .none
      fail(.noServer)
    case .askWho(let owner), .askWhat(let owner):
      guard server.owner == owner else { return }
      server = .silent(owner: owner)
      fail(.noAnswer(milliseconds: Int(call.patience)))
    case .notify(_, _, let result): result?.give(.noAnswer(milliseconds: Int(call.patience)))
    case .askPaused(let answer): answer.give(nil)
    case .close: break
    }
  }

  // MARK: Orders

  /// Does what was ordered, as far as possible now.
  private func work() {
    waiting.removeAll { $0.result?.isAbandoned ?? false }
    var done = 0
    // One after the other: dunst 1.9.0 stops answering some of several calls at once, and a bus may allow only 128.
    while done < waiting.count, !isCalling, perform(waiting[done]) { done += 1 }
    waiting.removeFirst(done)
    if waiting.contains(where: { $0.result != nil }) { seekServer() }
  }

  /// Whether the server has something to show or to close.
  private var isCalling: Bool {
    calls.values.contains { entry in
      switch entry.call {
      case .notify, .close, .askPaused: true
      case .watch, .findOwner, .start, .askWho, .askWhat: false
      }
    }
  }

  /// Does what was ordered, where that is possible now.
  private func perform(_ order: Order) -> Bool {
    switch (order.kind, server) {
    case (.close(let identifier), _):
      if let post = board.remove(identifier), let id = post.serverID { takeBack(post, id) }
    case (.findServer, .known): order.result?.give(nil)
    case (.show(let notification, let identifier), .known(_, let info)):
      show(notification, identifier, on: info, order.result)
    case (.showAgain(let identifier), .known(_, let info)): showAgain(identifier, on: info)
    case (.askPaused(let answer), .known(_, let info)):
      let (interface, name) = info.pausing
      var target = notificationServer
      target.interface = "org.freedesktop.DBus.Properties"
      call(.askPaused(answer), target, "Get", [.text(interface), .text(name)])
    case (.askPaused(let answer), _): answer.give(nil)
    case (.findServer, _), (.show, _), (.showAgain, _): return false
    }
    return true
  }

  /// Takes the next step towards a server.
  private func seekServer() {
    if bus == nil { connect() }
    switch server {
    case .none:
      server = .starting
      let arguments = [BusArgument.text(BusConnection.notifications.name), .unsigned(0)]
      call(.start, BusConnection.daemon, "StartServiceByName", arguments)
    case .silent(let owner): ask(owner)
    case .unknown, .starting, .asked, .known: break
    }
  }

  private func show(
    _ notification: DesktopNotification, _ identifier: String, on info: ServerInfo, isRepeated: Bool = false,
    _ result: Awaited<DesktopLinkError?>?
  ) {
    let replaced = board.post(identifier)?.serverID ?? 0
    let arguments = notification.arguments(replacing: replaced, on: info, isRepeated: isRepeated)
    call(
      .notify(notification, identifier: identifier, result), notificationServer, "Notify", arguments)
  }

  /// Shows a post that no server knows any more, unless it was replaced meanwhile.
  private func showAgain(_ identifier: String, on info: ServerInfo) {
    guard let post = board.post(identifier), post.serverID == nil else { return }
    if !post.isAnswered, let notification = post.rest(at: MonotonicClock.now) {
      show(notification, identifier, on: info, isRepeated: true, nil)
    } else {
      board.remove(identifier)
      if !post.isAnswered { tell(.closed(identifier: identifier, reason: .expired)) }
    }
  }

  /// Closes what is shown.
  private func takeBack(_ post: Post, _ id: UInt32) {
    guard case .known(_, let info) = server, info.keepsClosedWindows else { return close(id) }
    // One that goes by itself at once takes its place.
    var last = DesktopNotification(
      appName: post.notification.appName, summary: post.notification.summary, urgency: .low)
    last.isTransient = true
    last.expiry = .milliseconds(1)
    call(.close, notificationServer, "Notify", last.arguments(replacing: id, on: info, isRepeated: true))
  }

  private func close(_ id: UInt32) {
    call(.close, notificationServer, "CloseNotification", [.unsigned(id)])
  }

  // MARK: Server

  /// The server under its own name, which another one that takes its place does not bear.
  private var notificationServer: BusConnection.Target {
    var target = BusConnection.notifications
    target.name = server.owner ?? target.name
    return target
  }

  /// Goes over to another server, or to none. Nobody remembers there what was shown.
  ///
  /// - Parameters:
  ///   - next: What is known of it.
  ///   - error: What those are told whose notification was on its way.
  private func changeServer(_ next: Server, _ error: DesktopLinkError = .noServer) {
    server = next
    board.forgetServer()
    waiting.removeAll { order in
      if case .showAgain = order.kind { true } else { false }
    }
    for (cookie, entry) in calls {
      switch entry.call {
      case .notify(_, _, let result): result?.give(error)
      case .askPaused(let answer): answer.give(nil)
      case .watch, .findOwner, .start, .askWho, .askWhat, .close: continue
      }
      calls[cookie] = nil
    }
    guard box.server != nil else { return }
    box.server = nil
    tell(.serverChanged(isThere: false))
  }

  private func ask(_ owner: String) {
    server = .asked(owner: owner, name: nil, version: nil)
    call(.askWho(owner: owner), notificationServer, "GetServerInformation")
  }

  /// A server can be used from now on.
  private func begin(_ owner: String, _ info: ServerInfo) {
    server = .known(owner: owner, info)
    box.server = info
    tell(.serverChanged(isThere: true))
    for identifier in board.identifiers {
      waiting.append(Order(kind: .showAgain(identifier: identifier), result: nil))
    }
  }

  private func take(_ message: BusMessage) {
    if let cookie = message.answeredCall {
      guard let call = calls.removeValue(forKey: cookie)?.call else { return }
      takeAnswer(message, to: call)
    } else if message.signal(of: "org.freedesktop.DBus") == "NameOwnerChanged",
      message.sender == "org.freedesktop.DBus", message.text() == BusConnection.notifications.name,
      message.text() != nil, let owner = message.text()
    {
      changeServer(.none)
      if !owner.isEmpty { ask(owner) }
    } else if let name = message.signal(of: BusConnection.notifications.interface),
      let sender = message.sender, sender == server.owner
    {
      takeSignal(name, message)
    }
  }

  private func takeAnswer(_ message: BusMessage, to call: Call) {
    switch call {
    case .watch:
      if message.error != nil { lose(EACCES) }
    case .findOwner:
      pause = LinkSession.pauses.lowerBound
      // The signal may have been faster.
      guard case .unknown = server else { return }
      if message.error == nil, let owner = message.text() { ask(owner) } else { server = .none }
    case .start:
      guard case .starting = server, let error = message.error else { return }
      server = .none
      fail(error.name.hasSuffix(".ServiceUnknown") ? .noServer : .notStarted(error.words))
    case .askWho(let owner):
      guard case .asked(owner, _, _) = server else { return }
      let name = message.error == nil ? message.text() : nil
      guard let name, message.text() != nil, let version = message.text() else {
        return refuse(owner, message)
      }
      server = .asked(owner: owner, name: name, version: version)
      self.call(.askWhat(owner: owner), notificationServer, "GetCapabilities")
    case .askWhat(let owner):
      guard case .asked(owner, let name?, let version?) = server else { return }
      guard message.error == nil, let capabilities = message.texts() else { return refuse(owner, message) }
      begin(owner, ServerInfo(name: name, version: version, capabilities: Set(capabilities)))
    case .close: break
    case .askPaused(let answer): answer.give(message.error == nil ? message.truthVariant() : nil)
    case .notify(let notification, let identifier, let result):
      guard message.error == nil, let id = message.unsigned() else {
        result?.give(.refused(message))
        return
      }
      let post = Post(
        notification: notification, identifier: identifier, serverID: id, shown: MonotonicClock.now)
      if let other = board.put(post) { tell(.closed(identifier: other, reason: .unknown)) }
      result?.give(nil)
    }
  }

  /// Whoever bears the name of a notification server is none.
  private func refuse(_ owner: String, _ message: BusMessage) {
    server = .silent(owner: owner)
    fail(.refused(message))
  }

  private func takeSignal(_ name: String, _ message: BusMessage) {
    guard let id = message.unsigned(), let post = board.post(serverID: id) else { return }
    let identifier = post.identifier
    switch name {
    case "ActionInvoked", "NotificationReplied":
      let isReply = name == "NotificationReplied"
      // Some servers tell of a click on what cannot be clicked, and close it.
      guard let text = message.text(),
        isReply || post.notification.actions.contains(where: { $0.key == text })
      else { return }
      if post.notification.isResident {
        board.markAnswered(identifier)
      } else {
        // Servers should do that, and not all do. That it goes says nothing new.
        board.remove(identifier)
        close(id)
      }
      tell(
        .action(
          identifier: identifier, key: isReply ? DesktopNotification.replyKey : text,
          reply: isReply ? text : nil))
    case "NotificationClosed":
      board.remove(identifier)
      guard !post.isAnswered else { return }
      let reasons: [UInt32: DesktopLink.ClosingReason] = [1: .expired, 2: .dismissed, 3: .withdrawn]
      tell(.closed(identifier: identifier, reason: reasons[message.unsigned() ?? 0] ?? .unknown))
    default: break
    }
  }
}
