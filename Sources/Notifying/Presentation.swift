public import FencelineCivilTime

/// What becomes of a notification that is due.
public enum Presentation: Hashable, Sendable {
  /// It is shown.
  case shown(PresentationOptions)
  /// It is shown when the focus ends.
  case heldByFocus(String)
  /// It is shown with the summary at that time.
  case heldForSummary(Timestamp)
  /// It is not shown.
  case suppressed

  /// How a notification is shown that nothing holds back.
  ///
  /// - Parameters:
  ///   - content: The notification.
  ///   - level: At which it is shown.
  ///   - permission: That of the app.
  ///   - isQuiet: Whether it is only listed.
  ///   - isProvisional: Whether nobody has said yet that the app may notify.
  /// - Returns: What is asked for and allowed.
  public static func options(
    _ content: NotificationContent, _ level: InterruptionLevel, _ permission: AppPermission, isQuiet: Bool,
    isProvisional: Bool
  ) -> PresentationOptions {
    var options: PresentationOptions = []
    let isCritical = level == .critical
    if isCritical || permission.options.contains(.list) { options.insert(.list) }
    guard !isProvisional else { return options }
    if content.badge != nil, permission.options.contains(.badge) { options.insert(.badge) }
    guard level > .passive, !isQuiet else { return options }
    if isCritical || permission.options.contains(.alert) { options.insert(.banner) }
    if isCritical || (content.sound != nil && permission.options.contains(.sound)) { options.insert(.sound) }
    return options
  }

  /// What becomes of a notification.
  ///
  /// - Parameters:
  ///   - content: The notification.
  ///   - app: Whose it is.
  ///   - permission: That of the app.
  ///   - focuses: Those that are on.
  ///   - summary: The time of the next summary; nil where there is none.
  ///   - now: The time.
  public init(
    _ content: NotificationContent, app: String, _ permission: AppPermission, focuses: [Focus],
    summary: Timestamp?, at now: Timestamp
  ) {
    guard permission.allows(at: now) else {
      self = .suppressed
      return
    }
    let isProvisional = permission.status(at: now) == .provisional
    let level = isProvisional ? .passive : permission.level(content.interruptionLevel)
    var isQuiet = isProvisional
    for focus in focuses {
      switch focus.effect(on: level, app: app, category: content.categoryIdentifier) {
      case .through: break
      case .listed: isQuiet = true
      case .held:
        self = .heldByFocus(focus.identifier)
        return
      }
    }
    if let summary, permission.options.contains(.summary), level <= .active, !isProvisional {
      self = .heldForSummary(summary)
      return
    }
    let options = Presentation.options(
      content, level, permission, isQuiet: isQuiet, isProvisional: isProvisional)
    self = options.isEmpty ? .suppressed : .shown(options)
  }
}
