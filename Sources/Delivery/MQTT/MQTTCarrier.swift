internal import FencelineMQTTLink

/// Carries events to a broker of MQTT.
///
/// The events of a batch are sent one behind the other, without waiting for each one's acknowledgement. Where the connection is lost, the broker has acknowledged
/// the first ones of each device, so that their order stays; one that is refused for itself may be overtaken.
final class MQTTCarrier: Carrier {
  let most = 100

  private let options: MQTTChannelOptions
  private let messages: EventMessages
  private let link: MQTTLink
  /// Nil where neither positions nor states are published.
  private let desk: StateDesk?

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    options = try MQTTChannelOptions(setup, context)
    messages = EventMessages(options)
    var broker = try MQTTOptions(setup, context)
    broker.birth = MQTTMessage(options.statusTopic, "online", isRetained: true)
    broker.will = MQTTMessage(options.statusTopic, "offline", isRetained: true)
    let desk = StateDesk.isNeeded(options) ? StateDesk(options, context, channel: setup.name) : nil
    broker.topics = desk?.topics ?? []
    do throws(MQTTError) {
      link = try MQTTLink(broker) { event in
        if case .topicRefused(let sentence) = event { context.warn("Channel '\(setup.name)': \(sentence)") }
        desk?.take(event)
      }
    } catch { throw ChannelError(error.message) }
    self.desk = desk
    try desk?.start(link)
  }

  deinit { stop() }

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
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
    link.publish(all, within: options.timeLimit) { index, result in
      let place = owners[index]
      open[place] -= 1
      switch result {
      case .acknowledged: break
      case .refused(let sentence): outcomes[place] = CarryOutcome(.refused, sentence)
      case .failed(let sentence):
        if outcomes[place].result != .refused { outcomes[place] = .failed(sentence) }
      // It does not count as an attempt.
      case .stopped: open[place] = .min
      }
      if open[place] == 0 { report(parcels[place], outcomes[place]) }
    }
    if parcels.contains(where: { $0.crossing != nil }) { desk?.refresh() }
  }

  func stop() {
    desk?.stop()
    link.stop()
  }

  func note(_ position: LivePosition) { desk?.note(position) }
}
