import FencelineCommandLineKit
import FencelineDelivery
import FencelineEventJournal
import FencelineGeofencing
import FencelineNotifying

/// The options that say which events a channel carries; all kinds of channels have them.
enum ChannelRuleOptions {
  private static let which = "Which events"
  private static let how = "How they are tried"

  static let events = Option<ChannelRules.Events>(
    "events", value: .choice(name: "WHICH"),
    help: "What is carried: crossings, notifications or all.",
    defaultText: "notifications for people, crossings for machines", group: which)
  static let region = Option<String>(
    "region", value: .regionGlob, help: "Only what is about these regions.", repeatable: true, group: which)
  static let tag = Option<String>(
    "tag", value: .text(name: "TAG", hint: .text), help: "Only what is about regions with one of these tags.",
    repeatable: true, group: which)
  static let kinds = Option<[Crossing.Kind]>(
    "kind", value: ValueType<Crossing.Kind>.choice(name: "KIND").list(),
    help: "Only entries, exits or dwells.",
    repeatable: true, group: which)
  static let device = Option<String>(
    "device", value: .deviceGlob, help: "Only what is about these devices.", repeatable: true, group: which)
  static let app = Option<String>(
    "app", value: .text(name: "GLOB", hint: .text), help: "Only notifications of these apps.",
    repeatable: true, group: which)
  static let level = Option<InterruptionLevel>(
    "level", value: .choice(name: "LEVEL"), help: "Only notifications that are at least as urgent.",
    defaultText: "passive", group: which)
  static let parallel = Option<Int>(
    "parallel", value: .integer(in: 1...64),
    help: "How many events are carried at once; those of one device never are.", group: how)
  static let retryFor = Option<Double>(
    "retry-for", value: .duration, help: "How long after an event it is tried again.", defaultText: "3d",
    group: how)
  static let escalate = Option<String>(
    "escalate-to", value: .text(name: "NAME", hint: .listed("channels")),
    help:
      "The channel that carries critical notifications too where nobody answers or sees them here; 'none' for none.",
    group: how)
  static let escalateAfter = Option<Double>(
    "escalate-after", value: .duration, help: "How long an answer is waited for before.", defaultText: "2m",
    group: how)

  static let all: [any Declaration] = [
    events, region, tag, kinds, device, app, level, parallel, retryFor, escalate, escalateAfter,
  ]

  /// Rules with what was given; the rest stays.
  static func read(_ arguments: Arguments, into rules: inout ChannelRules) {
    if let value = arguments[events] { rules.events = value }
    /// An empty pattern is given to have none again.
    func list(_ given: [String], _ list: inout [String]) {
      if !given.isEmpty { list = given.filter { !$0.isEmpty && $0 != "*" } }
    }
    list(arguments[all: region], &rules.regions)
    list(arguments[all: tag], &rules.tags)
    list(arguments[all: device], &rules.devices)
    list(arguments[all: app], &rules.apps)
    let given = arguments[all: kinds].flatMap { $0 }
    if !given.isEmpty {
      rules.kinds = given.count == Crossing.Kind.allCases.count ? [] : given
    }
    if let value = arguments[level] { rules.level = value }
    if let value = arguments[parallel] { rules.parallel = value }
    if let value = arguments[retryFor] { rules.retryFor = value }
    if let value = arguments[escalate] { rules.escalation = value == "none" ? nil : value }
    if let value = arguments[escalateAfter] { rules.escalationDelay = value }
  }

  /// Gives one of the rules its usual value again.
  ///
  /// - Returns: Whether there is an option of that name.
  static func reset(_ name: String, of rules: inout ChannelRules, _ kind: ChannelKind) -> Bool {
    let usual = ChannelRules(events: kind.usualEvents)
    switch name {
    case "events": rules.events = usual.events
    case "region": rules.regions = []
    case "tag": rules.tags = []
    case "kind": rules.kinds = []
    case "device": rules.devices = []
    case "app": rules.apps = []
    case "level": rules.level = usual.level
    case "parallel": rules.parallel = nil
    case "retry-for": rules.retryFor = usual.retryFor
    case "escalate-to": rules.escalation = nil
    case "escalate-after": rules.escalationDelay = usual.escalationDelay
    default: return false
    }
    return true
  }

  /// What rules say, in a few words: `crossings, region harbour*`.
  static func words(_ rules: ChannelRules) -> String {
    var words = [rules.events.rawValue]
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { words.append("\(name) \(values.joined(separator: " or "))") }
    }
    add("region", rules.regions)
    add("tag", rules.tags)
    add("kind", rules.kinds.map(\.rawValue))
    add("device", rules.devices)
    add("app", rules.apps)
    if rules.level > .passive {
      words.append(rules.level.rawValue + (rules.level == .critical ? "" : " or more urgent"))
    }
    if let escalation = rules.escalation {
      words.append("unanswered critical ones to \(escalation) after \(spanText(rules.escalationDelay))")
    }
    return words.joined(separator: ", ")
  }
}

extension ChannelKind {
  /// What it carries where nobody says.
  var usualEvents: ChannelRules.Events { audience == .people ? .notifications : .crossings }
}
