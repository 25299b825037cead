import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineNotifying
import Testing

/// What crossings bring about, and what keeps it from being shown.
struct HandOverTests {
  private static func region(_ change: (inout Region) -> Void = { _ in }) -> Region {
    var region = FencelineEventJournalTests.region("r")
    change(&region)
    return region
  }

  /// Drives in and out so many times.
  private static func visit(_ world: CentreWorld, _ times: Int = 1) throws {
    for _ in 0..<times {
      for metres in [300.0, 300, 0, 0, 300, 300] { try world.fix(metres) }
    }
  }

  private static func outcomes(_ world: CentreWorld) throws -> [String] {
    try world.delivered(.all).map { "\($0.content.title) \($0.state.rawValue) \($0.reason ?? "-")" }
  }

  @Test func aRegionTellsByItself() throws {
    let world = try CentreWorld([Self.region { $0.title = "Harbour" }])
    try Self.visit(world)
    let told = try world.delivered(.all)
    #expect(told.map(\.content.title) == ["Harbour", "Harbour"])
    #expect(told[0].content.body.hasPrefix("d: entered at ") && told[1].content.body.contains("after"))
    // The later one takes the place of the earlier.
    #expect(try world.listed().count == 1)
    #expect(told.allSatisfy { $0.crossing != nil && $0.region == "r" && $0.device == "d" })
  }

  @Test func aCooldownHoldsBackAndItsEndDoesNot() throws {
    let world = try CentreWorld([Self.region { $0.cooldown = 65 }])
    try Self.visit(world, 2)
    #expect(
      try Self.outcomes(world) == [
        "r delivered -", "r suppressed cooldown", "r suppressed cooldown", "r delivered -",
      ])
  }

  @Test func outsideItsWindowNothingIsShown() throws {
    let window = try #require(ActiveWindow(parsing: "13:00-14:00 Europe/Zurich"))
    let world = try CentreWorld(at: "2026-03-01T11:00Z", [Self.region { $0.active = [window] }])
    try Self.visit(world)
    #expect(try Self.outcomes(world) == ["r suppressed inactive", "r suppressed inactive"])
    try world.wait(3600)
    try Self.visit(world)
    #expect(try Self.outcomes(world).suffix(2) == ["r delivered -", "r delivered -"])
  }

  @Test func oneThatNotifiesOnceIsDisarmedByTheFirstThatIsShown() throws {
    let world = try CentreWorld([
      Self.region { region in
        region.repeats = false
        region.notifyOnExit = false
      }
    ])
    _ = try world.centre.answerPermission(of: "fenceline", isAllowed: false)
    try Self.visit(world)
    #expect(try world.test.journal.region("r")?.isArmed == true)
    _ = try world.centre.answerPermission(of: "fenceline", isAllowed: true)
    try Self.visit(world, 2)
    #expect(
      try Self.outcomes(world) == ["r suppressed permission", "r delivered -", "r suppressed disarmed"])
    #expect(try world.test.journal.region("r")?.isArmed == false)
  }

  @Test func requestsTakeThePlaceOfTheRegionAndFireOnceOrAlways() throws {
    let world = try CentreWorld([Self.region()])
    try world.add("once", .location(.init(region: "r", onExit: false)))
    try world.add("always", .location(.init(region: "r", onExit: false, repeats: true))) {
      $0.body = "{region.id} {crossing.kind} {device}"
    }
    try Self.visit(world, 2)
    let told = try world.delivered(.all)
    #expect(told.map(\.content.title) == ["once", "always", "r", "always", "r"])
    #expect(told[1].content.body == "r entry d")
    #expect(try world.pending().keys.sorted() == ["always"])
  }

  @Test func anAppThatMayNotNotifyDoesNotSilenceARegion() throws {
    let world = try CentreWorld([Self.region { $0.notifyOnExit = false }])
    _ = try world.centre.answerPermission(of: "app", isAllowed: true)
    try world.add("r1", .location(.init(region: "r", onExit: false, repeats: true)), app: "app")
    _ = try world.centre.answerPermission(of: "app", isAllowed: false)
    try Self.visit(world)
    #expect(try Self.outcomes(world) == ["r1 suppressed permission", "r delivered -"])
  }

  @Test func whoeverEndsARegionEndsWhatWaitsForIt() throws {
    let world = try CentreWorld([Self.region()])
    try world.add("waits", .location(.init(region: "r")))
    _ = try world.test.journal.removeRegions(["r"])
    try world.turn()
    #expect(try world.pending().isEmpty)
    #expect(world.events == [.ended(app: "fenceline", identifier: "waits", reason: "region removed")])
  }

  @Test func aRegionOfARequestGoesWithItUnlessAnotherOneNeedsIt() throws {
    let world = try CentreWorld()
    var shop = FencelineEventJournalTests.region("shop")
    shop.notifyOnExit = false
    func add(_ name: String, own: Bool) throws {
      var content = NotificationContent()
      content.title = name
      _ = try world.centre.add(
        NotificationRequest(
          identifier: name, content: content, trigger: .location(.init(region: "shop", onExit: false))),
        in: own ? shop : nil, at: world.moment)
    }
    try add("milk", own: true)
    try add("bread", own: false)
    #expect(refusal { try add("eggs", own: true) }?.code == .notificationInvalidNoDate)
    _ = try world.centre.removePending(["milk"], of: "fenceline", at: world.moment)
    #expect(try world.test.journal.region("shop") != nil)
    // Replaced without its place, it keeps the region.
    try add("bread", own: false)
    #expect(try world.test.journal.region("shop") != nil)
    try world.readRegions()
    try Self.visit(world)
    #expect(try Self.outcomes(world) == ["bread delivered -"])
    #expect(try world.test.journal.region("shop") == nil && world.pending().isEmpty)
  }

  @Test func aFocusIsOnWhileADeviceIsInside() throws {
    let world = try CentreWorld([Self.region { ($0.notifyOnEntry, $0.notifyOnExit) = (false, false) }])
    try world.centre.setFocus(Focus(identifier: "home", region: "r"))
    try world.fix(300)
    try world.fix(0)
    #expect(try world.centre.focuses(at: world.now).map(\.isOn) == [true])
    try world.add("held", nil)
    try world.turn()
    #expect(try Self.outcomes(world) == ["held held focus:home"])
    // It takes no turn of the service as long as nothing changes.
    #expect(try !world.recorder.notifications.hasWork(at: world.moment))
    for metres in [300.0, 300] { try world.fix(metres) }
    #expect(try world.recorder.notifications.hasWork(at: world.moment) || world.listed() == ["held"])
    try world.turn()
    #expect(try world.listed() == ["held"])
  }

  @Test func theSummaryIsShownInTheOrderOfRelevance() throws {
    let world = try CentreWorld(at: "2026-03-01T12:00Z")
    world.settings.summaryTimes = [8 * 60, 18 * 60]
    _ = try world.centre.changePermission(of: "fenceline") { $0.options.insert(.summary) }
    for (name, relevance) in [("low", 0.1), ("high", 0.9), ("middle", 0.5)] {
      try world.add(name, nil) { $0.relevanceScore = relevance }
    }
    try world.add("urgent", nil) { $0.interruptionLevel = .timeSensitive }
    try world.turn()
    #expect(world.told == ["urgent"])
    try world.wait(6 * 3600 - 60)
    #expect(world.told.isEmpty)
    try world.wait(60)
    #expect(world.told == ["high", "middle", "low"])
  }

  @Test func whatIsHeldIsReplacedAndDoesNotPileUp() throws {
    let world = try CentreWorld()
    _ = try world.centre.switchFocus(NotificationCentre.doNotDisturb, .on, until: nil)
    try world.add("hourly", .interval(.init(seconds: 3600, repeats: true)))
    for _ in 0..<8 { try world.wait(3600) }
    #expect(try world.delivered(.held).count == 1)
    _ = try world.centre.switchFocus(NotificationCentre.doNotDisturb, .off, until: nil)
    try world.turn()
    #expect(world.told == ["hourly"])
  }

  @Test func aTurnThatHasNothingToDoLetsTheServiceSleep() throws {
    let world = try CentreWorld()
    try world.add("later", .interval(.init(seconds: 3600)))
    try world.turn()
    #expect(!world.recorder.notifications.isBehind)
    #expect(try !world.recorder.notifications.hasWork(at: world.moment))
  }
}
