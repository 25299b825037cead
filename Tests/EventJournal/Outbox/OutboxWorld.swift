import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineNotifying
import Testing

/// An outbox with a peer for each channel, whose answers a test gives.
final class OutboxWorld {
  let world: CentreWorld
  /// What each channel has been asked to carry, in order, by names of channels.
  private(set) var asked: [String: [OutboxItem]] = [:]

  var outbox: LiveOutbox { world.recorder.outbox }
  var journal: Journal { world.test.journal }

  init(_ regions: [Region] = [region("r")]) throws {
    world = try CentreWorld(regions)
  }

  func add(
    _ name: String, events: ChannelRules.Events = .crossings,
    _ change: (inout ChannelRules) -> Void = { _ in }
  ) throws {
    var rules = ChannelRules(events: events)
    change(&rules)
    #expect(try journal.addChannel(name, kind: "file", options: [:], rules: rules))
    try world.turn()
  }

  /// A device drives in and out again.
  func visit(_ device: String = "d") throws {
    for metres in [300.0, 300, 0, 0, 300, 300] { try world.fix(metres, device: device) }
  }

  /// Hands out what is due to a channel.
  func take(_ name: String, most: Int = 100) throws -> [OutboxItem] {
    guard let channel = outbox.channels.first(where: { $0.name == name }) else { return [] }
    let items = try outbox.handOut(channel.number, most: most, at: world.moment)
    asked[name, default: []] += items
    return items
  }

  /// Answers what was handed out, in a turn.
  func answer(
    _ items: [OutboxItem], _ result: DeliveryOutcome.Result, _ detail: String = "", isHeldBack: Bool = false
  ) throws {
    for item in items {
      outbox.take(DeliveryOutcome(number: item.number, result, detail: detail, isHeldBack: isHeldBack))
    }
    try world.turn()
  }

  /// All deliveries, each as `channel event state attempts`.
  func states(_ channel: String? = nil) throws -> [String] {
    var filter = DeliveryFilter()
    filter.channel = channel
    var states: [String] = []
    try journal.deliveries(filter) { page in
      states += page.map {
        "\($0.channel) \($0.kind ?? $0.request ?? "?") \($0.state.rawValue) \($0.attempts)"
      }
    }
    return states
  }
}
