/// How a notification is shown.
public struct PresentationOptions: OptionSet, Hashable, Sendable {
  /// The bits, as UserNotifications numbers them.
  public let rawValue: Int

  /// Options by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The app's badge is set.
  public static let badge = PresentationOptions(rawValue: 1 << 0)
  /// It sounds.
  public static let sound = PresentationOptions(rawValue: 1 << 1)
  /// It stands in the list of what was delivered.
  public static let list = PresentationOptions(rawValue: 1 << 3)
  /// It is shown at once.
  public static let banner = PresentationOptions(rawValue: 1 << 4)

  /// Each by its name, in the order in which they are told.
  public static let names: [(name: String, option: PresentationOptions)] = [
    ("banner", .banner), ("list", .list), ("sound", .sound), ("badge", .badge),
  ]

  /// The names of those that are set.
  public var words: [String] {
    var words: [String] = []
    for (name, option) in Self.names where contains(option) { words.append(name) }
    return words
  }

  /// Those that are named; nil where a name is none.
  public init?(words: some Sequence<String>) {
    self = []
    for word in words {
      guard let found = Self.names.first(where: { $0.name == word }) else { return nil }
      insert(found.option)
    }
  }
}
