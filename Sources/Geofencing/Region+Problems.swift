internal import FencelineGeodesy

/// A value that a region may not have.
public struct RegionProblem: Hashable, Sendable {
  /// The property, by its name in files.
  public var property: String
  /// A sentence that names the value and what is allowed.
  public var message: String
}

extension Region {
  /// What a region's numbers may be, in the unit of the property.
  public enum Limits: Sendable {
    /// Metres.
    public static let radius = 1.0...10_000_000
    /// Metres.
    public static let exitMargin = 0.0...1_000_000
    /// Seconds: a year of 365 days at most.
    public static let hold = 0.0...31_536_000
    /// Seconds; a dwell of 0 would be an entry.
    public static let dwell = 0.001...31_536_000
    /// Any whole number in it.
    public static let priority = -1000...1000
    /// Bytes of UTF-8 in an identifier, a tag, a device.
    public static let name = 1...200
    /// Bytes of UTF-8 in a title.
    public static let title = 1...1000
    /// How many dwell times, tags, devices or windows.
    public static let list = 100
  }

  /// Everything that keeps the region from being used, a sentence each; empty where it is well.
  ///
  /// - Returns: Problems in the order of the properties.
  public func problems() -> [RegionProblem] {
    var names = Findings()
    names.checkName("id", "id", id)
    names.check(
      "id", id.first?.isWhitespace != true && id.last?.isWhitespace != true && !id.hasPrefix("-"),
      "The id '\(id.shortened)' may not begin with '-' nor begin or end with white space.")
    var title = Findings()
    if let text = self.title { title.checkName("title", "title", text, Limits.title) }
    return names.problems + placeProblems() + title.problems + terms.problems()
  }

  /// Those of its centre and radius.
  public func placeProblems() -> [RegionProblem] {
    var found = Findings()
    found.check(
      "coordinates", abs(centre.latitude) <= 90,
      "The latitude \(centre.latitude) is outside -90 to 90 degrees.")
    found.check(
      "coordinates", abs(centre.longitude) <= 180,
      "The longitude \(centre.longitude) is outside -180 to 180 degrees.")
    found.check(
      "radius", Limits.radius.contains(radius),
      "The radius of \(radius.trimmed(6)) m is outside 1 m to 10,000 km.")
    return found.problems
  }

  /// What will work less well than one might expect, a sentence each.
  public var warnings: [String] {
    guard radius < Region.smallestReliableRadius else { return [] }
    return [
      "The radius of \(radius.trimmed(3)) m is small: GPS is often wrong by 5 to 15 m, so entries may come late or not at all. "
        + "\(Region.smallestReliableRadius.trimmed(0)) m or more is reliable."
    ]
  }

  /// Metres; below it a receiver in a street (one-axis standard deviation up to 10 m) that stands in the centre is outside the
  /// circle more than once in ten fixes: exp(-r² / 2 sigma²) > 0.1 for r < 2.15 sigma, rounded.
  static let smallestReliableRadius = 20.0
}

extension Region.Terms {
  /// Everything that keeps a region with them from being used; see ``Region/problems()``.
  public func problems() -> [RegionProblem] {
    var found = Findings()
    found.checkList("dwell", dwell.count)
    for seconds in dwell { found.checkSeconds("dwell", seconds, Region.Limits.dwell) }
    found.check("dwell", Set(dwell).count == dwell.count, "The same dwell time is given twice.")
    found.checkSeconds("enterAfter", enterAfter)
    found.checkSeconds("exitAfter", exitAfter)
    if let exitMargin {
      found.check(
        "exitMargin", Region.Limits.exitMargin.contains(exitMargin),
        "The exitMargin of \(exitMargin.trimmed(3)) m is outside 0 m to 1,000 km.")
    }
    found.checkSeconds("cooldown", cooldown)
    found.checkList("active", active.count)
    found.check("devices", !devices.isEmpty, "The list of devices is empty: give '*' for all.")
    found.checkList("devices", devices.count)
    for device in devices { found.checkName("devices", "device", device) }
    found.checkList("tags", tags.count)
    for tag in tags { found.checkName("tags", "tag", tag) }
    found.check(
      "priority", Region.Limits.priority.contains(priority),
      "The priority \(priority) is outside -1000 to 1000.")
    return found.problems
  }
}

/// Problems as they are found.
private struct Findings {
  var problems: [RegionProblem] = []

  mutating func check(_ property: String, _ isRight: Bool, _ message: @autoclosure () -> String) {
    if !isRight { problems.append(RegionProblem(property: property, message: message())) }
  }

  mutating func checkName(
    _ property: String, _ what: String, _ text: String, _ limit: ClosedRange<Int> = Region.Limits.name
  ) {
    check(
      property, limit.contains(text.utf8.count) && !text.unicodeScalars.contains { $0.isControl },
      "The \(what) '\(text.shortened)' must have \(limit.lowerBound) to \(limit.upperBound) bytes and no control characters."
    )
  }

  mutating func checkList(_ property: String, _ count: Int) {
    check(
      property, count <= Region.Limits.list,
      "\(count) values of \(property) are too many: \(Region.Limits.list) are allowed.")
  }

  mutating func checkSeconds(
    _ property: String, _ value: Double?, _ limit: ClosedRange<Double> = Region.Limits.hold
  ) {
    guard let value else { return }
    check(
      property, limit.contains(value),
      "The \(property) of \(value.trimmed(3)) s is outside \(limit.lowerBound.trimmed(3)) s to 365 days.")
  }
}

extension Unicode.Scalar {
  /// Whether the scalar drives a terminal rather than shows something: a control character, one that separates lines or paragraphs, or none at
  /// all (U+FFFE and the like), which files cannot hold.
  fileprivate var isControl: Bool {
    value < 0x20 || (0x7f...0x9f).contains(value) || value == 0x2028 || value == 0x2029
      || value & 0xfffe == 0xfffe
  }
}

extension String {
  /// The text with every control character shown as `?`, so that a message about it stays on its line.
  public var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "?" : $0 }))
  }

  /// The text as it stands in a message: ``printable``, and where it is long without its middle.
  public var shortened: String {
    guard count > 60 else { return printable }
    return (prefix(30) + "…" + suffix(29)).description.printable
  }
}
