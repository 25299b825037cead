public import FencelineCivilTime

/// Whether an app may notify, and how.
public struct AppPermission: Hashable, Sendable {
  /// What the user has said.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Nothing yet.
    case notDetermined = "not determined"
    /// No.
    case denied
    /// Yes.
    case authorized
    /// Nothing, but the app may put notifications quietly into the list.
    case provisional
    /// Yes, for some time.
    case ephemeral

    /// The number that UserNotifications gives it.
    public var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What an app may be allowed one by one.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits, as UserNotifications numbers them.
    public let rawValue: Int

    /// Options by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// To set its badge.
    public static let badge = Options(rawValue: 1 << 0)
    /// To sound.
    public static let sound = Options(rawValue: 1 << 1)
    /// To show banners.
    public static let alert = Options(rawValue: 1 << 2)
    /// To break through everything; needs an entitlement too.
    public static let criticalAlert = Options(rawValue: 1 << 4)
    /// That the user is shown the app's own settings.
    public static let providesAppNotificationSettings = Options(rawValue: 1 << 5)
    /// To begin without being asked for, quietly.
    public static let provisional = Options(rawValue: 1 << 6)
    /// That a focus lets through what is time-sensitive.
    public static let timeSensitive = Options(rawValue: 1 << 8)
    /// To stand in the list of what was delivered.
    public static let list = Options(rawValue: 1 << 16)
    /// That what is not urgent waits for the summary.
    public static let summary = Options(rawValue: 1 << 17)

    /// Each by its name, in the order in which they are told.
    public static let names: [(name: String, option: Options)] = [
      ("alert", .alert), ("sound", .sound), ("badge", .badge), ("list", .list), ("critical", .criticalAlert),
      ("time-sensitive", .timeSensitive), ("summary", .summary),
      ("settings", .providesAppNotificationSettings), ("provisional", .provisional),
    ]

    /// What an app asks for that does not say.
    public static let usual: Options = [.alert, .sound, .badge]

    /// The names of those that are set.
    public var words: [String] {
      var words: [String] = []
      for (name, option) in Self.names where contains(option) { words.append(name) }
      return words
    }
  }

  /// What the user has said.
  public var status: Status
  /// What is allowed and switched on.
  public var options: Options
  /// Whether the administrator lets it break through everything.
  public var isEntitledToCritical: Bool
  /// When an ephemeral permission ends; nil is never.
  public var expires: Timestamp?

  /// A permission.
  public init(
    status: Status = .notDetermined, options: Options = [], isEntitledToCritical: Bool = false,
    expires: Timestamp? = nil
  ) {
    self.status = status
    self.options = options
    self.isEntitledToCritical = isEntitledToCritical
    self.expires = expires
  }

  /// That of the command line and the regions, from the beginning.
  public static let ownApp = AppPermission(
    status: .authorized, options: [.alert, .sound, .badge, .list, .timeSensitive])

  /// What holds at a time: an ephemeral permission ends.
  public func status(at now: Timestamp) -> Status {
    if status == .ephemeral, let expires, expires <= now { return .notDetermined }
    return status
  }

  /// Whether it may notify at all.
  public func allows(at now: Timestamp) -> Bool {
    switch status(at: now) {
    case .notDetermined, .denied: false
    case .authorized, .provisional, .ephemeral: true
    }
  }

  /// The sound of a notification that is shown at `level`.
  public func sound(_ sound: NotificationSound?, at level: InterruptionLevel) -> NotificationSound? {
    guard var sound else { return level == .critical ? .defaultCritical : nil }
    if self.level(.critical) != .critical { (sound.isCritical, sound.volume) = (false, nil) }
    return sound
  }

  /// The level at which a notification that asks for `level` is shown.
  public func level(_ level: InterruptionLevel) -> InterruptionLevel {
    switch level {
    case .critical where !(isEntitledToCritical && options.contains(.criticalAlert)):
      self.level(.timeSensitive)
    case .timeSensitive where !options.contains(.timeSensitive): .active
    default: level
    }
  }

  /// What the user's answer to a request makes of it.
  ///
  /// - Parameters:
  ///   - requested: What the app asks for.
  ///   - isAllowed: The answer.
  public mutating func answer(_ requested: Options, isAllowed: Bool) {
    status = isAllowed ? .authorized : .denied
    // What the user has switched off or on before stays so.
    if isAllowed, options.isEmpty { options = requested.union([.list, .timeSensitive]) }
    options.remove(.provisional)
    expires = nil
  }
}
