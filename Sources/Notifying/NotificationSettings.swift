public import FencelineCivilTime

/// What an app sees of its permission: what becomes of the notifications that it asks for.
public struct NotificationSettings: Hashable, Sendable {
  /// Whether something is used.
  public enum Setting: String, Hashable, Sendable {
    /// The app may not have it at all.
    case notSupported = "not supported"
    case disabled
    case enabled
  }

  /// What the user has said.
  public var authorizationStatus: AppPermission.Status
  /// Banners.
  public var alertSetting: Setting
  /// Sounds.
  public var soundSetting: Setting
  /// The app's badge.
  public var badgeSetting: Setting
  /// The list of what was delivered.
  public var notificationCenterSetting: Setting
  /// Breaking through everything; not supported without the entitlement.
  public var criticalAlertSetting: Setting
  /// Coming through a focus.
  public var timeSensitiveSetting: Setting
  /// Waiting for the summary.
  public var scheduledDeliverySetting: Setting
  /// Whether the app has settings of its own that the user can be led to.
  public var providesAppNotificationSettings: Bool

  /// Those of a permission, at a time.
  public init(_ permission: AppPermission, at now: Timestamp) {
    let status = permission.status(at: now)
    // What is quiet is only listed, whatever is switched on for later.
    let isLoud = status == .authorized || status == .ephemeral
    func setting(_ option: AppPermission.Options, _ isPossible: Bool) -> Setting {
      isPossible && permission.options.contains(option) ? .enabled : .disabled
    }
    authorizationStatus = status
    alertSetting = setting(.alert, isLoud)
    soundSetting = setting(.sound, isLoud)
    badgeSetting = setting(.badge, isLoud)
    notificationCenterSetting = setting(.list, permission.allows(at: now))
    criticalAlertSetting = permission.isEntitledToCritical ? setting(.criticalAlert, isLoud) : .notSupported
    timeSensitiveSetting = setting(.timeSensitive, isLoud)
    scheduledDeliverySetting = setting(.summary, isLoud)
    providesAppNotificationSettings = permission.options.contains(.providesAppNotificationSettings)
  }

  /// Each setting by its name, in the order in which they are told.
  public var settings: [(name: String, setting: Setting)] {
    [
      ("alert", alertSetting), ("sound", soundSetting), ("badge", badgeSetting),
      ("list", notificationCenterSetting), ("critical", criticalAlertSetting),
      ("time-sensitive", timeSensitiveSetting), ("summary", scheduledDeliverySetting),
    ]
  }
}
