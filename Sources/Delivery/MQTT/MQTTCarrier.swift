internal import FencelineMQTTLink
internal import Synchronization

/// Carries events to a broker of MQTT.
///
/// The events of a batch are sent one behind the other, without waiting for each one's acknowledgement. Where the connection is lost, the broker has acknowledged
/// the first ones of each device, so that their order stays; one that is refused for itself may be overtaken.
final class MQTTCarrier: Carrier {
  let most = 100

  private let options: MQTTChannelOptions
  private let messages: EventMessages
  private let broker: MQTTOptions
  private let context: ChannelContext
  private let channel: String

  /// What there is once it was started.
  private struct Running {
    var link: MQTTLink
    /// Nil where neither positions nor states are published.
    var desk: StateDesk?
  }
  private let running = Mutex<Running?>(nil)
  private let isStopped = Mutex(false)

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    options = try MQTTChannelOptions(setup, context)
    messages = EventMessages(options)
    var broker = try MQTTOptions(setup, context)
    broker.birth = MQTTMessage(options.statusTopic, "online", isRetained: true)
    broker.will = MQTTMessage(options.statusTopic, "offline", isRetained: true)
    self.broker = broker
    self.context = context
    channel = setup.name
  }

  deinit { stop() }

  /// Connects. Who only checks a set-up must not: the broker would hear of a client that comes and goes, under the name of the one that the
  /// service has.
  func start() throws(ChannelError) { _ = try run(isService: true) }

  private func run(isService: Bool) throws(ChannelError) -> Running {
    let found: Result<Running, ChannelError> = running.withLock { running in
      if let running { return .success(running) }
      do throws(ChannelError) {
        let made = try connect(isService: isService)
        running = made
        return .success(made)
      } catch { return .failure(error) }
    }
    return try found.get()
  }

  private func connect(isService: Bool) throws(ChannelError) -> Running {
    guard !isStopped.withLock({ $0 }) else { throw ChannelError("The channel '\(channel)' was stopped.") }
    var broker = broker
    let desk = isService && StateDesk.isNeeded(options) ? StateDesk(options, context, channel: channel) : nil
    broker.topics = desk?.topics ?? []
    if !isService {
      // A trial says nothing of the service, and does not put its client out.
      (broker.birth, broker.will) = (nil, nil)
      broker.clientID += "-test"
    }
    let link: MQTTLink
    do throws(MQTTError) {
      link = try MQTTLink(broker) { [context, channel] event in
        if case .topicRefused(let sentence) = event { context.warn("Channel '\(channel)': \(sentence)") }
        desk?.take(event)
      }
    } catch { throw ChannelError(error.message) }
    try desk?.start(link)
    return Running(link: link, desk: desk)
  }

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    let running: Running
    do throws(ChannelError) { running = try run(isService: false) } catch {
      return carryEach(parcels, report: report) { _ in .failed(error.message) }
    }
    var all: [MQTTMessage] = []
    /// The parcel of each message, and how many messages of each parcel are open.
    var owners: [Int] = []
    var open = [Int](repeating: 0, count: parcels.count)
    for (place, parcel) in parcels.enumerated() {
      let own = messages.messages(for: parcel)
      if own.isEmpty {
        report(parcel, CarryOutcome(.done, "It has nothing that is published in this format."))
      }
      all += own
      owners += Array(repeating: place, count: own.count)
      open[place] = own.count
    }
    var outcomes = [CarryOutcome](repeating: .done, count: parcels.count)
    var stopped = [Bool](repeating: false, count: parcels.count)
    running.link.publish(all, within: options.timeLimit) { index, result in
      let place = owners[index]
      open[place] -= 1
      switch result {
      case .acknowledged: break
      case .refused(let sentence): outcomes[place] = CarryOutcome(.refused, sentence)
      case .failed(let sentence):
        if outcomes[place].result != .refused { outcomes[place] = .failed(sentence) }
      // It does not count as an attempt.
      case .stopped: stopped[place] = true
      }
      if open[place] == 0, !stopped[place] { report(parcels[place], outcomes[place]) }
    }
    if parcels.contains(where: { $0.crossing != nil }) { running.desk?.refresh() }
  }

  func stop() {
    isStopped.withLock { $0 = true }
    guard let running = running.withLock({ $0 }) else { return }
    running.desk?.stop()
    running.link.stop()
  }

  func note(_ position: LivePosition) { running.withLock { $0 }?.desk?.note(position) }
}
