package import FencelineGeofencing
package import FencelineJSONText
package import FencelineNotifying

/// Which events a channel carries, and how often it tries.
package struct ChannelRules: Hashable, Sendable {
  /// What is carried.
  package enum Events: String, Hashable, Sendable, CaseIterable {
    case crossings, notifications, all
  }

  /// What is carried.
  package var events: Events
  /// Globs for the identifiers of regions; empty: any, and what is about none.
  package var regions: [String] = []
  /// Words one of which a region must have; empty: any.
  package var tags: [String] = []
  /// Which crossings, and notifications of which crossings; empty: any.
  package var kinds: [Crossing.Kind] = []
  /// Globs for devices; empty: any.
  package var devices: [String] = []
  /// Globs for the apps of notifications; empty: any.
  package var apps: [String] = []
  /// How urgent a notification must be.
  package var level = InterruptionLevel.passive
  /// How many are carried at once; nil is as the kind of channel has it.
  package var parallel: Int?
  /// Seconds from an event on in which it is tried again.
  package var retryFor = 3.0 * 86_400
  /// The name of the channel that carries critical notifications where nobody has answered them; nil: none does.
  package var escalation: String?
  /// Seconds that are waited for an answer before.
  package var escalationDelay = 120.0

  /// Everything of some kind.
  package init(events: Events) { self.events = events }

  /// What is asked of an event.
  struct Facts {
    var isCrossing: Bool
    var device: String
    var region: String?
    var tags: [String] = []
    var kind: Crossing.Kind?
    var app: String?
    var level = InterruptionLevel.active
  }

  /// Whether an event is carried.
  func takes(_ facts: Facts) -> Bool {
    switch events {
    case .crossings: guard facts.isCrossing else { return false }
    case .notifications: guard !facts.isCrossing else { return false }
    case .all: break
    }
    func holds(_ globs: [String], _ name: String?) -> Bool {
      globs.isEmpty || (name.map { name in globs.contains { Glob($0).matches(name) } } ?? false)
    }
    guard holds(regions, facts.region), holds(devices, facts.device) else { return false }
    guard tags.isEmpty || tags.contains(where: facts.tags.contains) else { return false }
    guard kinds.isEmpty || (facts.kind.map(kinds.contains) ?? false) else { return false }
    return facts.isCrossing || (holds(apps, facts.app) && facts.level >= level)
  }

  /// The rules as they are stored and printed.
  package var json: JSONValue {
    func list(_ words: [String]) -> JSONValue { .array(words.map(JSONValue.text)) }
    return [
      "events": .text(events.rawValue), "regions": list(regions), "tags": list(tags),
      "kinds": list(kinds.map(\.rawValue)), "devices": list(devices), "apps": list(apps),
      "level": .text(level.rawValue), "parallel": parallel.map(JSONValue.integer) ?? .null,
      "retryFor": .number(retryFor), "escalateTo": escalation.map(JSONValue.text) ?? .null,
      "escalateAfter": .number(escalationDelay),
    ]
  }

  /// Rules that were stored; nil where another program has spoilt them.
  init?(_ node: JSONNode) {
    guard let events = node["events"]?.text.flatMap(Events.init) else { return nil }
    self.init(events: events)
    var isUnderstood = true
    /// What is not understood must not let through more than was asked for.
    func list(_ name: String) -> [String] {
      let elements = node[name]?.elements ?? []
      let texts = elements.compactMap(\.text)
      if texts.count != elements.count { isUnderstood = false }
      return texts
    }
    regions = list("regions")
    tags = list("tags")
    let words = list("kinds")
    kinds = words.compactMap(Crossing.Kind.init)
    guard kinds.count == words.count else { return nil }
    devices = list("devices")
    apps = list("apps")
    guard let level = InterruptionLevel(rawValue: node["level"]?.text ?? "passive") else { return nil }
    self.level = level
    parallel = node["parallel"]?.number.map { Int(min(max(1, $0), 64)) }
    retryFor = node["retryFor"]?.number ?? retryFor
    escalation = node["escalateTo"]?.text
    escalationDelay = node["escalateAfter"]?.number ?? escalationDelay
    guard isUnderstood else { return nil }
  }
}
