import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineJSONText
import FencelineNotifying
import Testing

/// What users of other schedulers complain about most, each as it should be.
struct ComplaintTests {
  @Test func anyNumberMayBePendingAndNoneVanishes() throws {
    let world = try CentreWorld()
    for number in 0..<200 { try world.add("r\(number)", .interval(.init(seconds: 60 + Double(number)))) }
    #expect(try world.pending().count == 200)
    try world.wait(300)
    #expect(try world.listed().count == 200 && world.pending().isEmpty)
  }

  @Test func theLimitOfSixtyFourIsASettingAndWhatGoesIsTold() throws {
    let world = try CentreWorld()
    world.settings.pendingLimit = 64
    for number in 0..<64 { try world.add("r\(number)", .interval(.init(seconds: 100 + Double(number)))) }
    // The one that is due last goes for one that is due sooner; one that is due later still is refused.
    #expect(try world.add("soon", .interval(.init(seconds: 1))).evicted == ["r63"])
    #expect(
      refusal { try world.add("late", .interval(.init(seconds: 9999))) }?.code == .notificationsNotAllowed)
    world.settings.eviction = .keepLast
    #expect(try world.add("late", .interval(.init(seconds: 9999))).evicted == ["r0"])
    world.settings.eviction = .reject
    #expect(refusal { try world.add("more", .interval(.init(seconds: 1))) }?.code == .notificationsNotAllowed)
    // One that takes the place of another needs no room.
    #expect(try world.add("late", .interval(.init(seconds: 5))).evicted == [])
    #expect(try world.pending().count == 64)
  }

  @Test func itDoesNotFireAnHourOffAfterClocksHaveChanged() throws {
    let world = try CentreWorld(at: "2026-03-28T12:00Z")
    try world.add("nine", try daily(9, zone: .fixed("Europe/Zurich")))
    #expect(try world.pending()["nine"] == instant("2026-03-29T07:00Z"))
    try world.wait(86_400)
    #expect(world.told == ["nine"])
    #expect(try world.pending()["nine"] == instant("2026-03-30T07:00Z"))
  }

  @Test func whoTravelsIsToldByTheClocksThere() throws {
    let world = try CentreWorld(at: "2026-03-01T12:00Z")
    try world.travel(to: try zone("Europe/Zurich"))
    try world.add("floating", try daily(9))
    try world.add("fixed", try daily(9, zone: .fixed("Europe/Zurich")))
    #expect(try world.pending()["floating"] == instant("2026-03-02T08:00Z"))
    try world.travel(to: try zone("America/New_York"))
    #expect(try world.pending()["floating"] == instant("2026-03-01T14:00Z"))
    #expect(try world.pending()["fixed"] == instant("2026-03-02T08:00Z"))
  }

  @Test func nothingIsLostWhenTheMachineBeginsAnew() throws {
    let world = try CentreWorld()
    try world.add("daily", try daily(9))
    try world.add("interval", .interval(.init(seconds: 600)))
    try world.reboot(after: 3600)
    #expect(world.told == ["interval"])
    #expect(try world.pending() == ["daily": .some(try instant("2026-03-02T09:00Z"))])
  }

  @Test(
    arguments: [
      (.once, ["2026-03-08T09:00Z"]),
      (.all(3), ["2026-03-06T09:00Z", "2026-03-07T09:00Z", "2026-03-08T09:00Z"]),
      (.skip, []),
    ] as [(MisfirePolicy.Action, [String])])
  func thereIsNoFloodOfOverdueOnesAfterDowntime(action: MisfirePolicy.Action, due: [String]) throws {
    let world = try CentreWorld()
    try world.add("daily", try daily(9), misfire: .init(action))
    try world.reboot(after: 7 * 86_400)
    let expected = try due.map(instant)
    let all = try world.delivered(.all)
    #expect(all.filter { $0.state == .delivered }.map(\.due) == expected)
    // What is skipped is recorded.
    #expect(all.filter { $0.reason == "missed" }.count == (action == .skip ? 1 : 0))
    #expect(try world.pending()["daily"] == instant("2026-03-09T09:00Z"))
    // What is late by less than the grace time is not missed.
    let punctual = try CentreWorld(at: "2026-03-01T08:59Z")
    try punctual.add("daily", try daily(9), misfire: .init(.skip, grace: 120))
    try punctual.reboot(after: 150)
    #expect(punctual.told == ["daily"])
  }

  @Test func nothingIsLostWhenTheProgramIsReplacedByALaterOne() throws {
    // Tests of the journal bring every older schema up to date; here what is stored is read by another instance.
    let world = try CentreWorld()
    try world.add("kept", try daily(9, from: try instant("2026-04-01T00:00Z"), times: 3)) { content in
      content.body = "body"
      content.sound = NotificationSound(isCritical: true, volume: 0.5)
      content.badge = 4
      content.userInfo = ["a": [1, 2.5, "x", .null, true]]
      content.relevanceScore = 0.25
      content.interruptionLevel = .timeSensitive
    }
    let other = NotificationCentre(try Journal(path: world.test.path, .read), world.settings)
    #expect(try other.pending("kept", of: "fenceline") == world.centre.pending("kept", of: "fenceline"))
    let stored = try #require(try other.pending("kept", of: "fenceline")).request
    #expect(stored.content.badge == 4 && stored.content.userInfo == ["a": [1, 2.5, "x", .null, true]])
    #expect(stored.content.sound?.volume == 0.5 && stored.content.interruptionLevel == .timeSensitive)
  }

  @Test func whatRepeatsBeginsNotBeforeItsStart() throws {
    let world = try CentreWorld()
    try world.add("later", try daily(9, from: try instant("2026-03-05T10:00Z")))
    #expect(try world.pending()["later"] == instant("2026-03-06T09:00Z"))
  }

  @Test func everySoManyDaysUntilAnEndOrACountIsPossible() throws {
    let world = try CentreWorld()
    let interval = CalendarRule.Interval(
      days: 3, anchor: try #require(CivilDate(year: 2026, month: 3, day: 2)))
    try world.add("third", try daily(9, until: try instant("2026-03-09T00:00Z"), every: interval))
    try world.add("twice", try daily(8, times: 2))
    var told: [String] = []
    for _ in 0..<20 {
      try world.wait(86_400)
      told += world.told
    }
    #expect(told.filter { $0 == "third" }.count == 3 && told.filter { $0 == "twice" }.count == 2)
    #expect(try world.pending().isEmpty)
  }

  @Test func aPastDateIsAnErrorUnlessItMayBeLate() throws {
    let world = try CentreWorld()
    let past = NotificationTrigger.calendar(
      CalendarTrigger(try CalendarRule(.init(year: 2026, month: 3, day: 1, hour: 11))))
    let error = refusal { try world.add("past", past) }
    #expect(error?.code == .notificationInvalidNoDate && error?.message.contains("over") == true)
    #expect(refusal { try world.add("past", past, pastGrace: 1800) }?.code == .notificationInvalidNoDate)
    try world.add("late", past, pastGrace: 7200)
    try world.turn()
    #expect(world.told == ["late"])
  }

  @Test func afterARestartWhatRepeatsComesByItsRuleAndNotByAnOldDate() throws {
    let world = try CentreWorld()
    try world.add("daily", try daily(9))
    let other = try Journal(path: world.test.path, .write)
    _ = other
    // The zone changes while nobody serves: the date in the database is stale.
    world.settings.localZone = try zone("Asia/Tokyo")
    try world.restart()
    #expect(try world.pending()["daily"] == instant("2026-03-02T00:00Z"))
  }

  @Test func nothingIsDeliveredTwice() throws {
    let world = try CentreWorld(at: "2026-03-01T08:59Z")
    try world.add("daily", try daily(9))
    try world.wait(90)
    #expect(world.told == ["daily"])
    try world.restart()
    // Put back over the time that was delivered, and over it again.
    for _ in 0..<3 {
      try world.setClock(by: -600)
      try world.restart()
      try world.wait(660)
    }
    #expect(try world.delivered(.all).count == 1)
    #expect(try world.pending()["daily"] == instant("2026-03-02T09:00Z"))
  }

  @Test func whatIsRemovedIsNotDelivered() throws {
    let world = try CentreWorld()
    try world.add("gone", .interval(.init(seconds: 5)))
    try world.add("stays", .interval(.init(seconds: 5)))
    #expect(
      try world.centre.removePending(["gone", "unknown"], of: "fenceline", at: world.moment) == ["unknown"])
    try world.wait(10)
    #expect(world.told == ["stays"])
  }

  @Test func removingAllThatIsPendingLeavesWhatWasDelivered() throws {
    let world = try CentreWorld()
    try world.add("delivered", .interval(.init(seconds: 5)))
    try world.add("pending", .interval(.init(seconds: 500)))
    try world.wait(10)
    #expect(try world.centre.removeAllPending(of: "fenceline", at: world.moment) == 1)
    #expect(try world.listed() == ["delivered"])
    try world.add("pending", .interval(.init(seconds: 500)))
    #expect(try world.centre.removeAllDelivered(of: "fenceline", at: world.moment) == 1)
    #expect(try world.listed().isEmpty && world.pending().keys.sorted() == ["pending"])
  }

  @Test func removedAndAddedAgainItIsThere() throws {
    let world = try CentreWorld()
    for _ in 0..<50 {
      _ = try world.centre.removePending(["r"], of: "fenceline", at: world.moment)
      try world.add("r", .interval(.init(seconds: 5)))
    }
    try world.wait(10)
    #expect(world.told == ["r"])
  }

  @Test func anAnswerWaitsForAnAppThatIsNotRunning() throws {
    let world = try CentreWorld()
    try world.add("message", nil) { $0.categoryIdentifier = "MESSAGE" }
    try world.turn()
    _ = try world.centre.respond(to: "message", of: "fenceline", "reply", text: "On my way", at: world.moment)
    try world.reboot(after: 86_400 * 200)
    let responses = try world.centre.responses(of: "fenceline")
    #expect(responses.map(\.text) == ["On my way"] && responses.map(\.action) == ["reply"])
    #expect(try world.centre.acknowledge(responses.map(\.number), of: "fenceline", at: world.moment) == [])
    #expect(try world.centre.responses().isEmpty)
  }

  @Test func anAnswerIsGivenOnceAndNamesWhatItIsTo() throws {
    let world = try CentreWorld()
    try world.add("a", nil)
    try world.turn()
    let first = try world.centre.respond(to: "a", of: "fenceline", "default", at: world.moment)
    #expect(first?.response != nil)
    // It has left the list: nothing can be launched from it a second time.
    #expect(try world.centre.respond(to: "a", of: "fenceline", "default", at: world.moment) == nil)
    #expect(try world.centre.responses().map(\.notification) == [first?.notification.number])
  }

  @Test func theBadgeIsWhatWasSetOrWhatIsUnread() throws {
    let world = try CentreWorld()
    func badge() throws -> Int? { try world.centre.app("fenceline")?.badge }
    try world.add("five", nil) { $0.badge = 5 }
    try world.add("silent", nil)
    try world.turn()
    #expect(try badge() == 5)
    try world.add("zero", nil) { $0.badge = 0 }
    try world.turn()
    #expect(try badge() == 0)
    try world.centre.countUnread(of: "fenceline")
    #expect(try badge() == 3)
    _ = try world.centre.removeDelivered(["five"], of: "fenceline", at: world.moment)
    #expect(try badge() == 2)
    _ = try world.centre.respond(to: "zero", of: "fenceline", "dismiss", at: world.moment)
    #expect(try badge() == 1)
    try world.centre.setBadge(7, of: "fenceline")
    _ = try world.centre.removeAllDelivered(of: "fenceline", at: world.moment)
    #expect(try badge() == 7)
    #expect(refusal { try world.centre.setBadge(-1, of: "fenceline") }?.code == .badgeInputInvalid)
  }

  @Test(arguments: [true, false])
  func inTheForegroundTheAppDecidesAndIfItSaysNothingASettingDoes(shows: Bool) throws {
    let world = try CentreWorld()
    world.settings.isForeground = { $0 == "fenceline" }
    world.settings.showsUnanswered = shows
    try world.add("answered", nil)
    try world.add("unanswered", nil)
    try world.turn()
    #expect(try world.delivered(.held).map(\.state) == [.asked, .asked] && world.listed().isEmpty)
    world.recorder.notifications.answer(try world.delivered(.held)[0].number, [.list])
    try world.turn()
    #expect(try world.delivered().map(\.presentation) == [[.list]])
    try world.wait(3)
    #expect(try world.listed() == (shows ? ["answered", "unanswered"] : ["answered"]))
  }

  @Test func oneMayBeListedWithoutABanner() throws {
    let world = try CentreWorld()
    try world.add("quiet", nil) { $0.interruptionLevel = .passive }
    try world.add("loud", nil) { $0.sound = .default }
    try world.turn()
    #expect(try world.delivered().map(\.presentation) == [[.list], [.list, .banner, .sound]])
  }

  @Test(arguments: [true, false])
  func whoIsInsideAlreadyFiresOnlyWhereThatIsAskedFor(initial: Bool) throws {
    let world = try CentreWorld([region("r")])
    try world.fix(0)
    try world.add("inside", .location(.init(region: "r", onExit: false, initial: initial)))
    try world.turn()
    #expect(try world.listed() == (initial ? ["inside"] : []))
    // The state is known after a restart too: being inside is no entry.
    try world.restart()
    try world.fix(0)
    #expect(try world.listed() == (initial ? ["inside"] : []))
    // Out and in again is one.
    for metres in [300.0, 300, 300, 0, 0] { try world.fix(metres) }
    #expect(try world.listed().contains("inside"))
  }

  @Test func insideItFiresOnceForEachEntry() throws {
    let world = try CentreWorld([region("r")])
    try world.fix(300)
    try world.add("each", .location(.init(region: "r", onExit: false, repeats: true)))
    for _ in 0..<3 {
      for metres in [0.0, 10, 20, 0, 300, 300, 300] { try world.fix(metres) }
    }
    #expect(try world.delivered(.all).filter { $0.identifier == "each" }.count == 3)
  }

  @Test func aReplacementTakesNothingFromWhatWasThereBefore() throws {
    let world = try CentreWorld()
    try world.add("r", .interval(.init(seconds: 5))) { content in
      (content.subtitle, content.badge, content.categoryIdentifier) = ("old", 3, "MESSAGE")
    }
    #expect(try world.add("r", .interval(.init(seconds: 5))).replaced)
    try world.wait(10)
    let content = try #require(try world.delivered().first?.content)
    #expect(content.subtitle.isEmpty && content.badge == nil && content.categoryIdentifier == nil)
  }

  @Test func aClockThatIsSetKeepsNothingFromFiring() throws {
    let world = try CentreWorld()
    try world.add("interval", .interval(.init(seconds: 600)))
    try world.add("noon", try daily(12))
    // Ten years ahead by mistake, and back.
    try world.setClock(by: 10 * 366 * 86_400)
    #expect(world.told == ["noon"])
    try world.setClock(by: -10 * 366 * 86_400 + 60)
    #expect(try world.pending()["noon"] == instant("2026-03-02T12:00Z"))
    try world.wait(600)
    #expect(world.told == ["interval"])
    try world.wait(86_400)
    #expect(world.told == ["noon"])
  }

  @Test func aSoundThatIsNotThereIsToldWhenItIsAdded() throws {
    let world = try CentreWorld()
    world.settings.hasSound = { $0 == "bell" }
    #expect(try world.add("a", nil) { $0.sound = .init(name: "bell") }.warnings.isEmpty)
    #expect(try world.add("b", nil) { $0.sound = .init(name: "gong") }.warnings.count == 1)
  }
}
