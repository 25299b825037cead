public import FencelineCivilTime
public import FencelineJSONText

extension NotificationTrigger {
  /// What kind it is, in a word.
  public var kind: String {
    switch self {
    case .interval: "interval"
    case .calendar: "calendar"
    case .location: "location"
    case .push: "push"
    }
  }

  /// As it is stored and told.
  public var json: JSONValue {
    switch self {
    case .interval(let trigger):
      return ["kind": .text(kind), "seconds": .number(trigger.seconds), "repeats": .boolean(trigger.repeats)]
    case .calendar(let trigger): return trigger.json
    case .location(let trigger):
      var on: [JSONValue] = []
      if trigger.onEntry { on.append("entry") }
      if trigger.onExit { on.append("exit") }
      if trigger.onDwell { on.append("dwell") }
      return [
        "kind": .text(kind), "region": .text(trigger.region), "on": .array(on),
        "initial": .boolean(trigger.initial), "repeats": .boolean(trigger.repeats),
      ]
    case .push: return ["kind": .text(kind)]
    }
  }

  /// What was stored; nil where another hand has spoilt it.
  public init?(_ node: JSONNode) {
    let repeats = node["repeats"]?.content == .boolean(true)
    switch node["kind"]?.text {
    case "interval":
      guard let seconds = node["seconds"]?.number,
        (IntervalTrigger.shortest...IntervalTrigger.longest).contains(seconds)
      else {
        return nil
      }
      self = .interval(IntervalTrigger(seconds: seconds, repeats: repeats))
    case "calendar":
      guard let trigger = CalendarTrigger(node) else { return nil }
      self = .calendar(trigger)
    case "location":
      guard let region = node["region"]?.text else { return nil }
      let on = Set((node["on"]?.elements ?? []).compactMap(\.text))
      self = .location(
        LocationTrigger(
          region: region, onEntry: on.contains("entry"), onExit: on.contains("exit"),
          onDwell: on.contains("dwell"), repeats: repeats, initial: node["initial"]?.content == .boolean(true)
        ))
    case "push": self = .push
    default: return nil
    }
  }
}

extension CalendarTrigger {
  var json: JSONValue {
    var match: [JSONValue.Member] = []
    for (name, path) in CalendarRule.Components.units {
      if let value = rule.components[keyPath: path] { match.append(.init(name, .integer(value))) }
    }
    var members: [JSONValue.Member] = [.init("kind", "calendar"), .init("match", .object(match))]
    if let interval = rule.interval {
      members.append(
        .init("every", ["days": .integer(interval.days), "from": .text(interval.anchor.description)]))
    }
    if case .fixed(let name) = zone { members.append(.init("zone", .text(name))) }
    if let start { members.append(.init("start", .text(start.description))) }
    if let end { members.append(.init("end", .text(end.description))) }
    if let count { members.append(.init("count", .integer(count))) }
    members.append(.init("repeats", .boolean(repeats)))
    return .object(members)
  }

  init?(_ node: JSONNode) {
    func whole(_ node: JSONNode?) -> Int? { node?.number.flatMap { Int(exactly: $0) } }
    func instant(_ node: JSONNode?) -> Timestamp? { (node?.text).flatMap { ISO8601(parsing: $0.utf8)?.time } }
    var components = CalendarRule.Components()
    for (name, path) in CalendarRule.Components.units {
      components[keyPath: path] = whole(node["match"]?[name])
    }
    var interval: CalendarRule.Interval?
    if let every = node["every"] {
      guard let days = whole(every["days"]), let text = every["from"]?.text,
        let anchor = ISO8601(parsing: (text + "T00:00Z").utf8)
      else { return nil }
      interval = .init(days: days, anchor: CivilDate(anchor.time))
    }
    guard let rule = try? CalendarRule(components, every: interval) else { return nil }
    self.init(
      rule, zone: (node["zone"]?.text).map(Zone.fixed) ?? .floating,
      repeats: node["repeats"]?.content == .boolean(true), from: instant(node["start"]),
      until: instant(node["end"]), times: whole(node["count"]))
    if let count, !(1...CalendarTrigger.mostTimes).contains(count) { return nil }
  }
}

extension CalendarRule.Components {
  /// The units by their names, the greatest first.
  public static var units: [(name: String, path: WritableKeyPath<Self, Int?>)] {
    [
      ("year", \.year), ("month", \.month), ("day", \.day), ("weekday", \.weekday),
      ("weekdayOrdinal", \.weekdayOrdinal), ("hour", \.hour), ("minute", \.minute), ("second", \.second),
    ]
  }
}
