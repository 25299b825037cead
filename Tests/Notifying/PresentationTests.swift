import FencelineCivilTime
import FencelineNotifying
import Testing

struct PresentationTests {
  private static let now = Timestamp(milliseconds: 1_772_323_200_000)
  private static let all: AppPermission.Options = [
    .alert, .sound, .badge, .list, .timeSensitive, .criticalAlert,
  ]

  private static func content(_ level: InterruptionLevel) -> NotificationContent {
    var content = NotificationContent()
    (content.title, content.sound, content.badge, content.interruptionLevel) = ("t", .default, 1, level)
    return content
  }

  private static func presentation(
    _ level: InterruptionLevel, _ permission: AppPermission, focus: Focus? = nil, summary: Bool = false
  ) -> Presentation {
    Presentation(
      content(level), app: "a", permission, focuses: focus.map { [$0] } ?? [],
      summary: summary ? Timestamp(milliseconds: now.milliseconds + 1000) : nil, at: now)
  }

  @Test func whoMayNotIsNotShownAndWhoseTimeIsOverNeither() {
    let permissions = [
      AppPermission(), .init(status: .denied, options: Self.all),
      .init(status: .ephemeral, options: Self.all, expires: Self.now),
    ]
    for permission in permissions { #expect(Self.presentation(.active, permission) == .suppressed) }
    let guest = AppPermission(
      status: .ephemeral, options: Self.all, expires: Timestamp(milliseconds: Self.now.milliseconds + 1))
    #expect(Self.presentation(.active, guest) == .shown([.list, .banner, .sound, .badge]))
  }

  @Test func eachOptionIsWhatItSays() {
    let cases: [(AppPermission.Options, PresentationOptions)] = [
      ([.list], [.list]), ([.list, .alert], [.list, .banner]), ([.sound, .alert], [.banner, .sound]),
      ([.badge], [.badge]), (Self.all, [.list, .banner, .sound, .badge]),
    ]
    for (options, shown) in cases {
      #expect(Self.presentation(.active, .init(status: .authorized, options: options)) == .shown(shown))
    }
    #expect(Self.presentation(.active, .init(status: .authorized, options: [])) == .suppressed)
  }

  @Test func settingsSayWhatBecomesOfNotifications() {
    func words(_ permission: AppPermission) -> String {
      NotificationSettings(permission, at: Self.now).settings.map { "\($0.setting)" }.joined(separator: " ")
    }
    var permission = AppPermission(status: .authorized, options: [.alert, .list, .criticalAlert])
    #expect(words(permission) == "enabled disabled disabled enabled notSupported disabled disabled")
    permission.isEntitledToCritical = true
    #expect(words(permission) == "enabled disabled disabled enabled enabled disabled disabled")
    permission.status = .provisional
    #expect(words(permission) == "disabled disabled disabled enabled disabled disabled disabled")
    permission.status = .denied
    #expect(words(permission) == "disabled disabled disabled disabled disabled disabled disabled")
  }

  @Test func provisionalIsQuiet() {
    let provisional = AppPermission(status: .provisional, options: Self.all)
    for level in InterruptionLevel.allCases {
      #expect(Self.presentation(level, provisional) == .shown([.list]))
    }
  }

  @Test func criticalTakesBothTheEntitlementAndTheUser() {
    var permission = AppPermission(status: .authorized, options: Self.all)
    #expect(permission.level(.critical) == .timeSensitive)
    permission.isEntitledToCritical = true
    #expect(permission.level(.critical) == .critical)
    #expect(permission.sound(nil, at: .critical) == .defaultCritical)
    permission.options = []
    #expect(permission.level(.critical) == .active)
    #expect(permission.sound(.init(isCritical: true, volume: 0.5), at: .active) == .default)
    // It sounds and is shown whatever is switched off.
    permission.options = [.criticalAlert]
    #expect(Self.presentation(.critical, permission) == .shown([.list, .banner, .sound]))
  }

  @Test func aFocusHoldsBackWhatIsActiveAndListsWhatIsPassive() {
    var permission = AppPermission(status: .authorized, options: Self.all, isEntitledToCritical: true)
    var focus = Focus(identifier: "sleep")
    #expect(Self.presentation(.passive, permission, focus: focus) == .shown([.list, .badge]))
    #expect(Self.presentation(.active, permission, focus: focus) == .heldByFocus("sleep"))
    for level in [InterruptionLevel.timeSensitive, .critical] {
      #expect(Self.presentation(level, permission, focus: focus) == .shown([.list, .banner, .sound, .badge]))
    }
    focus.allowsTimeSensitive = false
    #expect(Self.presentation(.timeSensitive, permission, focus: focus) == .heldByFocus("sleep"))
    permission.options.remove(.timeSensitive)
    focus.allowedApps = ["a"]
    #expect(Self.presentation(.active, permission, focus: focus) == .shown([.list, .banner, .sound, .badge]))
  }

  @Test func theSummaryWaitsForNothingUrgent() {
    var permission = AppPermission(status: .authorized, options: Self.all, isEntitledToCritical: true)
    #expect(
      Self.presentation(.active, permission, summary: true) == .shown([.list, .banner, .sound, .badge]))
    permission.options.insert(.summary)
    let time = Timestamp(milliseconds: Self.now.milliseconds + 1000)
    #expect(Self.presentation(.active, permission, summary: true) == .heldForSummary(time))
    #expect(Self.presentation(.timeSensitive, permission, summary: true) != .heldForSummary(time))
  }

  @Test func placeholdersAreFilledAndOtherBracesStay() {
    let value: (Placeholder) -> String? = { $0 == .region ? "gate" : nil }
    for (text, filled) in [
      ("at {region.id}!", "at gate!"), ("{{region.id}}", "{gate}"), ("{device}", ""), ("{x} {", "{x} {"),
      ("{region.id", "{region.id"), ("}{region.id}{", "}gate{"), ("", ""),
    ] {
      #expect(Placeholder.fill(text, value) == filled)
    }
    #expect(Placeholder.found(in: "{device} {due} {other}") == [.device, .due])
  }
}
