import FencelineCivilTime
import FencelineEventJournal
import FencelineNotifying
import FencelineTestSupport
import Testing

/// Whatever is done in whatever order, the centre does what its model does.
struct CentreModelTests {
  private static let zones = ["UTC", "Europe/Zurich", "America/New_York", "Asia/Tokyo"]

  @Test func itDoesWhatItsModelDoes() throws {
    try forAll(seed: 7, count: 24) { random, seed in
      // Days on which clocks change in one zone or another are among them.
      let begin = ["2026-03-06T12:00Z", "2026-03-27T20:00Z", "2026-10-24T05:30Z", "2026-12-30T23:59Z"]
      let world = try CentreWorld(at: begin[Int.random(in: 0..<begin.count, using: &random)])
      var model = CentreModel()
      var history: [String] = []
      for _ in 0..<50 {
        history.append(try Self.step(world, &model, &random))
        guard let difference = try Self.difference(world, model) else { continue }
        Issue.record("seed \(seed): \(difference) after \(history.suffix(14).joined(separator: "; "))")
        return
      }
    }
  }

  /// Does one thing to both; says what.
  private static func step(_ world: CentreWorld, _ model: inout CentreModel, _ random: inout SplitMix64)
    throws -> String
  {
    let name = "r\(Int.random(in: 0..<6, using: &random))"
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7:
      let (trigger, misfire) = (try trigger(&random, world), misfire(&random))
      let isAll: Bool = if case .all = misfire.action { true } else { false }
      if case .interval = trigger, isAll { return "nothing" }
      let badge = random.chance(0.3) ? Int.random(in: 0..<9, using: &random) : nil
      let refusal = refusal {
        try world.add(name, trigger, misfire: misfire) { content in
          content.badge = badge
          content.categoryIdentifier = "REMINDER"
        }
      }
      if refusal == nil {
        model.add(name, trigger, misfire, badge: badge, world)
      } else if let entry = Optional(model),
        entry.next(
          .init(trigger: trigger, misfire: misfire, badge: nil, requestedAt: world.now, bootID: "", order: 0),
          world) != nil
      {
        Issue.record("refused: \(refusal.map(\.message) ?? "")")
      }
      return "add \(name) \(words(trigger)) \(misfire.action)"
    case 7:
      let missing = try world.centre.removePending([name], of: "fenceline", at: world.moment)
      if (model.pending.removeValue(forKey: name) == nil) != (missing == [name]) {
        Issue.record("removing \(name) said \(missing)")
      }
      return "remove \(name)"
    case 8:
      _ = try world.centre.removeDelivered([name], of: "fenceline", at: world.moment)
      model.listed.removeAll { $0.identifier == name }
      if model.countsUnread { model.badge = model.listed.count }
      return "remove delivered \(name)"
    case 9, 10:
      let action = ["default", "snooze", "dismiss", "complete"][Int.random(in: 0..<4, using: &random)]
      let result = try world.centre.respond(to: name, of: "fenceline", action, at: world.moment)
      guard let place = model.listed.lastIndex(where: { $0.identifier == name }) else {
        if result != nil { Issue.record("\(name) was not listed and has been answered") }
        return "respond to nothing"
      }
      let listed = model.listed.remove(at: place)
      if model.countsUnread { model.badge = model.listed.count }
      if action == "default" { model.responses.append(name) }
      if action == "snooze" {
        let again = name + (model.pending[name] == nil ? "" : "/snoozed")
        model.add(again, .interval(.init(seconds: 900)), .init(), badge: listed.badge, world)
      }
      return "respond \(name) \(action)"
    case 11:
      if random.chance(0.3) {
        try world.centre.countUnread(of: "fenceline")
        (model.countsUnread, model.badge) = (true, model.listed.count)
      } else {
        let number = Int.random(in: 0..<9, using: &random)
        try world.centre.setBadge(number, of: "fenceline")
        (model.countsUnread, model.badge) = (false, number)
      }
      return "badge"
    case 12:
      try world.restart()
      model.turn(world)
      return "restart"
    case 13:
      try world.reboot(after: random.uniform(1...200_000))
      model.turn(world)
      return "reboot at \(world.now)"
    case 14:
      let seconds = random.uniform(-90_000...90_000).rounded()
      model.followClock(by: seconds, world)
      try world.setClock(by: seconds)
      model.turn(world)
      return "clock by \(seconds)"
    case 15:
      let zone = zones[Int.random(in: 0..<zones.count, using: &random)]
      world.settings.localZone = try FencelineEventJournalTests.zone(zone)
      try world.travel(to: world.settings.localZone)
      model.turn(world)
      return "travel to \(zone)"
    default:
      let scale = [5.0, 600, 20_000, 200_000][Int.random(in: 0..<4, using: &random)]
      try world.wait(random.uniform(0.1...scale))
      model.turn(world)
      return "wait until \(world.now)"
    }
  }

  private static func trigger(_ random: inout SplitMix64, _ world: CentreWorld) throws -> NotificationTrigger?
  {
    let repeats = random.chance(0.6)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return nil
    case 1, 2, 3:
      let seconds = random.uniform(repeats ? 60...7_000 : 1...7_000).rounded()
      return .interval(.init(seconds: seconds, repeats: repeats))
    default:
      var components = CalendarRule.Components()
      components.minute = Int.random(in: 0..<60, using: &random)
      if random.chance(0.8) { components.hour = Int.random(in: 0..<24, using: &random) }
      if random.chance(0.2) { components.weekday = Int.random(in: 1...7, using: &random) }
      if random.chance(0.1) { components = .init(second: Int.random(in: 0..<60, using: &random)) }
      let zone: CalendarTrigger.Zone =
        random.chance(0.5) ? .floating : .fixed(zones[Int.random(in: 0..<zones.count, using: &random)])
      let end = random.chance(0.2) ? world.now + random.uniform(1...400_000) : nil
      return .calendar(
        CalendarTrigger(try CalendarRule(components), zone: zone, repeats: repeats, until: end))
    }
  }

  private static func words(_ trigger: NotificationTrigger?) -> String {
    switch trigger {
    case nil: return "now"
    case .interval(let trigger): return "\(trigger.repeats ? "every" : "after") \(trigger.seconds)"
    case .calendar(let trigger):
      let rule = trigger.rule.components
      let parts = [rule.weekday, rule.hour, rule.minute, rule.second].map { $0.map(String.init) ?? "*" }
      return "\(parts.joined(separator: ":")) \(trigger.zone) \(trigger.repeats ? "repeated" : "once")"
        + (trigger.end.map { " until \($0)" } ?? "")
    default: return "?"
    }
  }

  private static func misfire(_ random: inout SplitMix64) -> MisfirePolicy {
    let actions: [MisfirePolicy.Action] = [.once, .once, .all(1), .all(5), .skip]
    return MisfirePolicy(
      actions[Int.random(in: 0..<actions.count, using: &random)], grace: random.chance(0.5) ? 60 : 7_200)
  }

  /// What is not as in the model; nil where nothing is.
  private static func difference(_ world: CentreWorld, _ model: CentreModel) throws -> String? {
    let pending = try world.pending().mapValues { $0?.description ?? "never" }
    let expected = model.pending.mapValues { model.next($0, world)?.description ?? "never" }
    if pending != expected { return "pending are \(pending), not \(expected)" }
    let listed = try world.delivered().map { "\($0.identifier) \($0.due)" }
    let wanted = model.listed.map { "\($0.identifier) \($0.due)" }
    if listed != wanted { return "listed are \(listed), not \(wanted)" }
    let count = try world.delivered(.all).count { $0.state != .suppressed }
    if count != model.told.count { return "\(count) were delivered, not \(model.told.count)" }
    if Set(model.told).count != count { return "the model has delivered one twice" }
    let badge = try world.centre.app("fenceline")?.badge
    if badge != model.badge { return "the badge is \(badge ?? -1), not \(model.badge)" }
    let responses = try world.centre.responses().map(\.request)
    return responses == model.responses ? nil : "responses are to \(responses), not \(model.responses)"
  }
}
