internal import FencelineCivilTime
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

extension RegionEntry {
  /// Takes every property that it knows; a value of the wrong kind is a problem, an unknown name is noted.
  mutating func read(_ properties: JSONNode) {
    var ignored: [String] = []
    for (name, value) in properties.members where !value.isNull {
      switch name {
      case "id": readID(value)
      case "name": region.title = region.title ?? value.text
      case "title": take(name, value, value.text, "a text") { $0.title = $1 }
      case "radius": take(name, value, value.number, "a number of metres") { $0.radius = $1 }
      case "notifyOnEntry": take(name, value, value.boolean, "true or false") { $0.notifyOnEntry = $1 }
      case "notifyOnExit": take(name, value, value.boolean, "true or false") { $0.notifyOnExit = $1 }
      case "repeats": take(name, value, value.boolean, "true or false") { $0.repeats = $1 }
      case "enabled": take(name, value, value.boolean, "true or false") { $0.isEnabled = $1 }
      case "dwell": take(name, value, value.list(\.number), "a list of seconds") { $0.dwell = $1 }
      case "enterAfter": take(name, value, value.number, "a number of seconds") { $0.enterAfter = $1 }
      case "exitAfter": take(name, value, value.number, "a number of seconds") { $0.exitAfter = $1 }
      case "exitMargin": take(name, value, value.number, "a number of metres") { $0.exitMargin = $1 }
      case "cooldown": take(name, value, value.number, "a number of seconds") { $0.cooldown = $1 }
      case "profile":
        take(name, value, value.text.flatMap(Profile.init), "one of exact, fast, balanced, steady") {
          $0.profile = $1
        }
      case "initial":
        take(name, value, value.text.flatMap(InitialCrossing.init), "none or entry") { $0.initial = $1 }
      case "active":
        take(
          name, value, value.list { $0.text.flatMap(ActiveWindow.init) },
          "a list like [\"Mon-Fri 08:00-18:00 Europe/Zurich\"]"
        ) {
          $0.active = $1
        }
      case "expires":
        take(
          name, value, value.text.flatMap { ISO8601(parsing: $0.utf8)?.time },
          "a time like 2026-12-31T18:00:00Z"
        ) {
          $0.expires = $1
        }
      case "devices":
        take(name, value, value.list(\.text), "a list of device names or globs") { $0.devices = $1 }
      case "tags": take(name, value, value.list(\.text), "a list of words") { $0.tags = $1 }
      case "priority":
        take(name, value, value.number.flatMap(Int.init(exactly:)), "a whole number") { $0.priority = $1 }
      default: ignored.append(name)
      }
    }
    if !ignored.isEmpty {
      notes.append(
        "These properties mean nothing here and were left out: \(ignored.map(\.printable).joined(separator: ", "))."
      )
    }
  }

  mutating func readID(_ value: JSONNode) {
    let number = value.number.flatMap(Int.init(exactly:)).map(String.init)
    take("id", value, value.text ?? number, "a text") { $0.id = $1 }
    hasOwnID = true
  }

  private mutating func take<Value>(
    _ name: String, _ node: JSONNode, _ value: Value?, _ expected: String,
    _ assign: (inout Region, Value) -> Void
  ) {
    if let value {
      assign(&region, value)
    } else {
      problems.append("The value of '\(name)' is not \(expected).")
    }
  }
}

extension JSONNode {
  fileprivate var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  /// The values of an array, or a single value as a list of one; nil where one of them is of the wrong kind.
  fileprivate func list<Value>(_ read: (JSONNode) -> Value?) -> [Value]? {
    let nodes = elements ?? [self]
    let values = nodes.compactMap(read)
    return values.count == nodes.count ? values : nil
  }
}
