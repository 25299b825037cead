internal import FencelineCivilTime
package import FencelineGeofencing
package import FencelineJSONText
internal import FencelineGeodesy

/// One property of regions, beside identifier and place: its name in files, and how it is written and read there.
struct RegionProperty: Sendable {
  /// What its values are in JSON; formats that know only texts write and read them by it.
  enum Kind: Sendable { case number, truth, text, numbers, texts }

  /// In every format: `exitMargin`.
  let name: String
  let kind: Kind
  /// What its value should be: `a number of metres`.
  let expected: String
  /// Its value in a region; nil for its default.
  let value: @Sendable (Region) -> JSONValue?
  /// Puts a value into a region; false where it is of the wrong kind.
  let take: @Sendable (JSONNode, inout Region) -> Bool

  private init<Value: Equatable & Sendable>(
    _ name: String, _ kind: Kind, _ expected: String,
    _ property: any WritableKeyPath<Region, Value> & Sendable,
    write: @escaping @Sendable (Value) -> JSONValue, read: @escaping @Sendable (JSONNode) -> Value?
  ) {
    let usual = Region(id: "", centre: Coordinate(latitude: 0, longitude: 0), radius: 1)[keyPath: property]
    self.name = name
    self.kind = kind
    self.expected = expected
    value = { region in
      let value = region[keyPath: property]
      // Not with `?:`, where nil would be the JSON value null.
      if value == usual { return nil }
      return write(value)
    }
    take = { node, region in
      guard let value = read(node) else { return false }
      region[keyPath: property] = value
      return true
    }
  }

  private init<Value: Equatable & Sendable>(
    optional name: String, _ kind: Kind, _ expected: String,
    _ property: any WritableKeyPath<Region, Value?> & Sendable,
    write: @escaping @Sendable (Value) -> JSONValue, read: @escaping @Sendable (JSONNode) -> Value?
  ) {
    // A value of the wrong kind is not the same as none.
    self.init(name, kind, expected, property) {
      $0.map(write) ?? .null
    } read: {
      read($0).map(Optional.some)
    }
  }

  private static func truth(_ name: String, _ property: any WritableKeyPath<Region, Bool> & Sendable) -> Self
  {
    .init(name, .truth, "true or false", property, write: JSONValue.boolean) { node in
      if case .boolean(let value) = node.content { value } else { nil }
    }
  }

  private static func number(
    _ name: String, _ unit: String, _ property: any WritableKeyPath<Region, Double?> & Sendable
  ) -> Self {
    .init(optional: name, .number, "a number of \(unit)", property, write: JSONValue.number) { $0.number }
  }

  private static func texts(
    _ name: String, _ expected: String, _ property: any WritableKeyPath<Region, [String]> & Sendable
  ) -> Self {
    .init(name, .texts, expected, property, write: { .array($0.map(JSONValue.text)) }) { $0.list(\.text) }
  }

  /// In the order in which files list them.
  static let all: [RegionProperty] = [
    .init(optional: "title", .text, "a text", \.title, write: JSONValue.text) { $0.text },
    truth("notifyOnEntry", \.notifyOnEntry),
    truth("notifyOnExit", \.notifyOnExit),
    .init("dwell", .numbers, "a list of seconds", \.dwell, write: { .array($0.map(JSONValue.number)) }) {
      $0.list(\.number)
    },
    truth("repeats", \.repeats),
    .init(
      optional: "profile", .text, "one of exact, fast, balanced, steady", \.profile,
      write: { .text($0.rawValue) }
    ) { $0.text.flatMap(Profile.init) },
    number("enterAfter", "seconds", \.enterAfter),
    number("exitAfter", "seconds", \.exitAfter),
    number("exitMargin", "metres", \.exitMargin),
    .init("initial", .text, "none or entry", \.initial, write: { .text($0.rawValue) }) {
      $0.text.flatMap(InitialCrossing.init)
    },
    number("cooldown", "seconds", \.cooldown),
    .init(
      "active", .texts, "a list like [\"Mon-Fri 08:00-18:00 Europe/Zurich\"]", \.active,
      write: { .array($0.map { .text($0.description) }) }
    ) { node in node.list { $0.text.flatMap(ActiveWindow.init) } },
    .init(
      optional: "expires", .text, "a time like 2026-12-31T18:00:00Z", \.expires,
      write: { .text($0.description) }
    ) { node in node.text.flatMap { ISO8601(parsing: $0.utf8)?.time } },
    texts("devices", "a list of device names or globs", \.devices),
    texts("tags", "a list of words", \.tags),
    .init("priority", .number, "a whole number", \.priority, write: JSONValue.integer) {
      $0.number.flatMap(Int.init(exactly:))
    },
    truth("enabled", \.isEnabled),
  ]

  /// The radius, which every region has.
  static let radius = RegionProperty(
    "radius", .number, "a number of metres", \.radius, write: JSONValue.number
  ) { $0.number }

  /// The property that a file means by a name, which may be written in any case, with spaces and marks, or be a usual other one.
  static func named(_ name: String) -> RegionProperty? { byPlainName[plain(name)] }

  private static let byPlainName: [String: RegionProperty] = {
    var found: [String: RegionProperty] = [:]
    for property in all + [radius] { found[plain(property.name)] = property }
    let others = [
      ("rad", "radius"), ("radiusm", "radius"), ("radiusmeters", "radius"), ("radiusmetres", "radius"),
      ("proximity", "radius"), ("tag", "tags"), ("device", "devices"),
    ]
    for (other, name) in others { found[other] = found[name] }
    return found
  }()

  /// A name without case, spaces and marks.
  static func plain(_ name: String) -> String {
    var text = ""
    for scalar in name.lowercased().unicodeScalars {
      let isNamePart =
        switch scalar {
        case "a"..."z", "0"..."9": true
        case "\u{0}"..."\u{7f}": false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
      if isNamePart { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Region {
  /// The properties beside identifier and place, those that differ from their default, under the names that files use.
  package var jsonMembers: [JSONValue.Member] {
    RegionProperty.all.compactMap { property in
      property.value(self).map { JSONValue.Member(property.name, $0) }
    }
  }
}

extension JSONNode {
  /// The values of an array, or a single value as a list of one; nil where one of them is of the wrong kind.
  fileprivate func list<Value>(_ read: (JSONNode) -> Value?) -> [Value]? {
    let nodes = elements ?? [self]
    let values = nodes.compactMap(read)
    return values.count == nodes.count ? values : nil
  }
}
