internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelineGeofencing
package import FencelineJSONText

extension Region {
  /// The properties beside identifier and place, those that differ from their default, under the names that files use.
  package var jsonMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name, value)) }
    }
    add("title", title.map(JSONValue.text))
    add("notifyOnEntry", notifyOnEntry ? nil : false)
    add("notifyOnExit", notifyOnExit ? nil : false)
    add("dwell", dwell.isEmpty ? nil : .array(dwell.map(JSONValue.number)))
    add("repeats", repeats ? nil : false)
    add("profile", profile.map { .text($0.rawValue) })
    add("enterAfter", enterAfter.map(JSONValue.number))
    add("exitAfter", exitAfter.map(JSONValue.number))
    add("exitMargin", exitMargin.map(JSONValue.number))
    add("initial", initial == .none ? nil : .text(initial.rawValue))
    add("cooldown", cooldown.map(JSONValue.number))
    add("active", active.isEmpty ? nil : .array(active.map { .text($0.description) }))
    add("expires", expires.map { .text($0.description) })
    add("devices", devices == ["*"] ? nil : .array(devices.map(JSONValue.text)))
    add("tags", tags.isEmpty ? nil : .array(tags.map(JSONValue.text)))
    add("priority", priority == 0 ? nil : .integer(priority))
    add("enabled", isEnabled ? nil : false)
    return members
  }
}

/// How one property is read from a file.
private struct PropertyReader: Sendable {
  /// What its value should be: `a number of metres`.
  let expected: String
  /// Puts a value into a region; false where it is of the wrong kind.
  let take: @Sendable (JSONNode, inout Region) -> Bool

  init<Value>(
    _ property: any WritableKeyPath<Region, Value> & Sendable, _ expected: String,
    _ read: @escaping @Sendable (JSONNode) -> Value?
  ) {
    self.expected = expected
    take = { node, region in
      guard let value = read(node) else { return false }
      region[keyPath: property] = value
      return true
    }
  }

  init<Value>(
    optional property: any WritableKeyPath<Region, Value?> & Sendable, _ expected: String,
    _ read: @escaping @Sendable (JSONNode) -> Value?
  ) {
    // A value of the wrong kind is not the same as none.
    self.init(property, expected) { node in read(node).map(Optional.some) }
  }

  /// By the names that ``Region/jsonMembers`` gives them.
  static let all: [String: PropertyReader] = [
    "radius": .init(\.radius, "a number of metres") { $0.number },
    "title": .init(optional: \.title, "a text") { $0.text },
    "notifyOnEntry": .init(\.notifyOnEntry, "true or false") { $0.boolean },
    "notifyOnExit": .init(\.notifyOnExit, "true or false") { $0.boolean },
    "dwell": .init(\.dwell, "a list of seconds") { $0.list(\.number) },
    "repeats": .init(\.repeats, "true or false") { $0.boolean },
    "profile": .init(optional: \.profile, "one of exact, fast, balanced, steady") {
      $0.text.flatMap(Profile.init)
    },
    "enterAfter": .init(optional: \.enterAfter, "a number of seconds") { $0.number },
    "exitAfter": .init(optional: \.exitAfter, "a number of seconds") { $0.number },
    "exitMargin": .init(optional: \.exitMargin, "a number of metres") { $0.number },
    "initial": .init(\.initial, "none or entry") { $0.text.flatMap(InitialCrossing.init) },
    "cooldown": .init(optional: \.cooldown, "a number of seconds") { $0.number },
    "active": .init(\.active, "a list like [\"Mon-Fri 08:00-18:00 Europe/Zurich\"]") {
      $0.list { $0.text.flatMap(ActiveWindow.init) }
    },
    "expires": .init(optional: \.expires, "a time like 2026-12-31T18:00:00Z") {
      $0.text.flatMap { ISO8601(parsing: $0.utf8)?.time }
    },
    "devices": .init(\.devices, "a list of device names or globs") { $0.list(\.text) },
    "tags": .init(\.tags, "a list of words") { $0.list(\.text) },
    "priority": .init(\.priority, "a whole number") { $0.number.flatMap(Int.init(exactly:)) },
    "enabled": .init(\.isEnabled, "true or false") { $0.boolean },
  ]
}

extension RegionEntry {
  /// Takes every property that it knows; a value of the wrong kind is a problem, an unknown name is noted.
  mutating func read(_ properties: JSONNode) {
    var ignored: [String] = []
    var name: String?
    for (key, value) in properties.members where !value.isNull {
      if let reader = PropertyReader.all[key] {
        if !reader.take(value, &region) { refuse(key, value, reader.expected) }
      } else if key == "id" {
        readID(value)
      } else if key == "name" {
        name = value.text
      } else {
        ignored.append(key.printable)
      }
    }
    region.title = region.title ?? name
    if !ignored.isEmpty {
      notes.append(
        "These properties mean nothing here and were left out: \(ignored.joined(separator: ", ")).")
    }
  }

  mutating func readID(_ value: JSONNode) {
    if let id = value.text ?? value.number.flatMap(Int.init(exactly:)).map(String.init) {
      region.id = id
      hasOwnID = true
    } else {
      refuse("id", value, "a text")
    }
  }

  private mutating func refuse(_ name: String, _ value: JSONNode, _ expected: String) {
    problems.append("The value of '\(name)' is \(value.summary), not \(expected).")
  }
}

extension JSONNode {
  fileprivate var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  /// The value in a message.
  fileprivate var summary: String {
    switch content {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): value.trimmed(6)
    case .text(let value): "'\(value.prefix(80).description.printable)'"
    case .array(let values): "[\(values.prefix(5).map(\.summary).joined(separator: ", "))]"
    case .object: "an object"
    }
  }

  /// The values of an array, or a single value as a list of one; nil where one of them is of the wrong kind.
  fileprivate func list<Value>(_ read: (JSONNode) -> Value?) -> [Value]? {
    let nodes = elements ?? [self]
    let values = nodes.compactMap(read)
    return values.count == nodes.count ? values : nil
  }
}
