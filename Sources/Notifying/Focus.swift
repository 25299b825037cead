public import FencelineGeofencing

/// A time or a place in which the user wants to be left alone.
public struct Focus: Hashable, Sendable {
  /// Its name: `sleep`, `work`.
  public var identifier: String
  /// When it is on.
  public var schedule: [ActiveWindow]
  /// The region inside which it is on; nil is none.
  public var region: String?
  /// Apps that it lets through.
  public var allowedApps: Set<String>
  /// Categories that it lets through.
  public var allowedCategories: Set<String>
  /// Whether it lets through what is time-sensitive.
  public var allowsTimeSensitive: Bool

  /// A focus.
  public init(
    identifier: String, schedule: [ActiveWindow] = [], region: String? = nil, allowedApps: Set<String> = [],
    allowedCategories: Set<String> = [], allowsTimeSensitive: Bool = true
  ) {
    self.identifier = identifier
    self.schedule = schedule
    self.region = region
    self.allowedApps = allowedApps
    self.allowedCategories = allowedCategories
    self.allowsTimeSensitive = allowsTimeSensitive
  }

  /// What becomes of a notification while it is on.
  public enum Effect: Hashable, Sendable {
    /// It is shown as without a focus.
    case through
    /// It is listed, and nothing more.
    case listed
    /// It waits for the end of the focus.
    case held
  }

  /// What becomes of a notification while it is on.
  ///
  /// - Parameters:
  ///   - level: At which it would be shown.
  ///   - app: Whose it is.
  ///   - category: Its category.
  /// - Returns: What becomes of it.
  public func effect(on level: InterruptionLevel, app: String, category: String?) -> Effect {
    if allowedApps.contains(app) || category.map(allowedCategories.contains) == true { return .through }
    switch level {
    case .passive: return .listed
    case .active: return .held
    case .timeSensitive: return allowsTimeSensitive ? .through : .held
    case .critical: return .through
    }
  }
}
