import FencelineCivilTime
import FencelineEventJournal
import FencelineGeofencing
import FencelineNotifying
import FencelineSQLiteStore
import Testing

/// What goes into the outbox, and what becomes of it.
struct OutboxTests {
  @Test func aCrossingWaitsForEachChannelThatTakesIt() throws {
    var home = region("r")
    home.tags = ["home"]
    let world = try OutboxWorld([home])
    try world.add("all", events: .all)
    try world.add("home") { $0.tags = ["work", "home"] }
    try world.add("work") { $0.tags = ["work"] }
    try world.add("others") { $0.regions = ["s*"] }
    try world.add("exits") { $0.kinds = [.exit] }
    try world.add("vans") { $0.devices = ["van*"] }
    try world.add("people", events: .notifications)
    try world.visit()
    #expect(
      try world.states() == [
        "all entry waiting 0", "home entry waiting 0", "all region/r/d waiting 0",
        "people region/r/d waiting 0",
        "all exit waiting 0", "exits exit waiting 0", "home exit waiting 0", "all region/r/d waiting 0",
        "people region/r/d waiting 0",
      ])
  }

  @Test func whatIsCarriedIsDoneAndNotCarriedAgain() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    let items = try world.take("c")
    #expect(items.map { $0.crossing?.crossing.kind } == [.entry, .exit])
    #expect(try world.take("c").isEmpty)
    try world.answer(items, .done, "HTTP 204")
    #expect(try world.take("c").isEmpty)
    #expect(try world.states() == ["c entry done 1", "c exit done 1"])
  }

  @Test func theKeyIsTheSameForEveryAttemptAndEveryChannelAndNoOtherEvents() throws {
    let world = try OutboxWorld()
    try world.add("a", events: .all)
    try world.add("b", events: .all)
    try world.visit()
    let first = try world.take("a")
    try world.world.restart()
    let second = try world.take("a")
    let other = try world.take("b")
    #expect(first.map(\.key) == second.map(\.key) && first.map(\.key) == other.map(\.key))
    #expect(Set(first.map(\.key)).count == 4)
    #expect(first.allSatisfy { $0.key.hasPrefix("fenceline-") })
  }

  @Test func aNewNameThatIsTakenIsToldFromAChannelThatIsGone() throws {
    let journal = try OutboxWorld().journal
    for name in ["a", "b"] {
      #expect(try journal.addChannel(name, kind: "file", options: [:], rules: .init(events: .all)))
    }
    let number = try #require(try journal.channel(named: "a")).number
    #expect(try journal.renameChannel(number, to: "b") == .nameIsTaken)
    #expect(try journal.renameChannel(number, to: "c") == .done)
    #expect(try journal.removeChannel(number, drops: true) == 0)
    #expect(try journal.renameChannel(number, to: "d") == .noSuchChannel)
    #expect(try journal.channels().map(\.name) == ["b"])
  }

  @Test func oneThatFailsHoldsBackItsOwnDeviceAlone() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit("a")
    try world.visit("b")
    let items = try world.take("c", most: 1)
    #expect(items.map(\.device) == ["a"])
    try world.answer(items, .failed(after: nil), "Nobody is there.")
    #expect(try world.take("c").map(\.device) == ["b", "b"])
    try world.world.wait(10)
    let again = try world.take("c")
    #expect(again.map(\.device) == ["a", "a"] && again.first?.attempt == 2)
  }

  @Test func itIsTriedAtLongerAndLongerIntervalsForDaysAndThenGivenUp() throws {
    let world = try OutboxWorld()
    try world.add("c") { $0.retryFor = 86_400 }
    for metres in [300.0, 300, 0, 0] { try world.world.fix(metres) }
    let start = world.world.now
    var waits: [Double] = []
    var last = start
    while try world.states() != ["c entry dead \(waits.count)"], waits.count < 2_000 {
      let items = try world.take("c")
      if items.isEmpty {
        try world.world.wait(1)
        continue
      }
      waits.append(world.world.now.seconds(since: last))
      last = world.world.now
      try world.answer(items, .failed(after: nil), "Nobody is there.")
    }
    // Without anybody to talk to the channel rests, at most five minutes and a quarter more.
    #expect(waits[1] >= 3 && waits[1] <= 8 && waits[3] >= 90 && waits.allSatisfy { $0 <= 12 * 60 + 60 })
    #expect(last.seconds(since: start) > 86_400 && last.seconds(since: start) < 86_400 + 1_000)
    #expect(waits.count > 200)
  }

  @Test func whatWasGivenUpCanBeTriedAgainOrDropped() throws {
    let world = try OutboxWorld()
    try world.add("c") { $0.retryFor = 0 }
    try world.visit()
    for _ in 0..<2 {
      try world.answer(try world.take("c", most: 1), .failed(after: nil))
      try world.world.wait(60)
    }
    #expect(try world.states() == ["c entry dead 1", "c exit dead 1"])
    var filter = DeliveryFilter()
    filter.channel = "c"
    #expect(try world.journal.retryDeliveries(filter, at: world.world.now) == 2)
    try world.world.turn()
    let items = try world.take("c", most: 1)
    #expect(items.map(\.attempt) == [2])
    try world.answer(items, .done)
    #expect(try world.journal.dropDeliveries(filter, at: world.world.now) == 1)
    try world.world.turn()
    #expect(try world.take("c").isEmpty)
    #expect(try world.states() == ["c entry done 2", "c exit dropped 1"])
    #expect(try world.journal.retryDeliveries(filter, at: world.world.now) == 1)
  }

  @Test func oneThatNobodyWantsIsGivenUpAfterThreeTriesAndTheNextFollows() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    var tries = 0
    while try world.states().first != "c entry dead 3", tries < 100 {
      tries += 1
      try world.answer(try world.take("c", most: 1), .refused, "The server answered 400.")
      try world.world.wait(10)
    }
    #expect(try world.take("c").map { $0.crossing?.crossing.kind } == [.exit])
  }

  @Test func whereNobodyWasThereBeforeThatIsNoRefusal() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    for _ in 0..<4 {
      try world.answer(try world.take("c", most: 1), .failed(after: nil))
      try world.world.wait(2_000)
    }
    for _ in 0..<2 {
      try world.answer(try world.take("c", most: 1), .refused)
      try world.world.wait(2_000)
    }
    #expect(try world.states().first == "c entry waiting 6")
    try world.answer(try world.take("c", most: 1), .refused)
    #expect(try world.states().first == "c entry dead 7")
  }

  @Test func aChangeOfOneChannelLeavesTheRestOfAnotherAlone() throws {
    let world = try OutboxWorld()
    try world.add("c")
    for device in 0..<6 { try world.visit("d\(device)") }
    for _ in 0..<5 { try world.answer(try world.take("c", most: 1), .failed(after: nil)) }
    #expect(try world.take("c").isEmpty)
    try world.add("d")
    try world.world.turn()
    #expect(try world.take("c").isEmpty)
    // Who asks for another attempt has it.
    var filter = DeliveryFilter()
    filter.channel = "c"
    #expect(try world.journal.retryDeliveries(filter, at: world.world.now) == 12)
    try world.world.turn()
    #expect(try world.take("c").count == 12)
  }

  @Test func aClockThatIsSetForwardGivesNothingUp() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    let items = try world.take("c", most: 1)
    try world.world.setClock(by: 30 * 86_400)
    try world.answer(items, .failed(after: nil))
    #expect(try world.states() == ["c entry waiting 1", "c exit waiting 0"])
    let since = try #require(try world.journal.deliveryCounts().values.first?.failingSince)
    #expect(world.world.now.seconds(since: since) < 60)
    try world.world.wait(10)
    let again = try world.take("c", most: 1)
    #expect(again.map(\.attempt) == [2])
    // Also what fails at the very moment when that is noticed.
    world.world.now = world.world.now + 30 * 86_400
    try world.answer(again, .failed(after: nil))
    #expect(try world.states().first == "c entry waiting 2")
    try world.world.wait(100)
    let last = try world.take("c", most: 1)
    try world.world.wait(3 * 86_400 + 60)
    try world.answer(last, .failed(after: nil))
    #expect(try world.states().first == "c entry dead 3")
    // What comes in the very turn is as old as it is.
    world.world.now = world.world.now + 30 * 86_400
    try world.visit()
    #expect(try world.journal.deliveryCounts().values.map(\.waiting) == [3])
    try world.world.restart()
    #expect(try world.take("c").count == 3)
  }

  @Test func aChannelThatIsNotWantedAnyMoreIsSwitchedOffAndLosesNothing() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    try world.answer(try world.take("c", most: 1), .gone, "The server answered 410.")
    try world.world.turn()
    #expect(try world.take("c").isEmpty)
    let channel = try #require(try world.journal.channel(named: "c"))
    #expect(!channel.isEnabled && channel.problem == "The server answered 410.")
    try world.visit()
    #expect(try world.journal.enableChannel(channel.number, true))
    try world.world.turn()
    // What has happened while it was off is not carried.
    #expect(try world.take("c").map { $0.crossing?.crossing.kind } == [.entry, .exit])
  }

  @Test func aPeerThatAsksForPeaceHasIt() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit("a")
    try world.visit("b")
    try world.answer(try world.take("c", most: 1), .failed(after: 120), "The server answered 429.")
    try world.world.wait(100)
    #expect(try world.take("c").isEmpty)
    try world.world.wait(25)
    #expect(try world.take("c").count == 4)
  }

  @Test func whatWasNotTriedIsNoFailure() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    try world.answer(try world.take("c"), .postponed(seconds: 300))
    try world.world.wait(299)
    #expect(try world.take("c").isEmpty)
    try world.world.wait(2)
    #expect(try world.take("c").map(\.attempt) == [1, 1])
  }

  @Test(arguments: [true, false], [DeliveryOutcome.Result.postponed(seconds: 300), .refused])
  func whatIsUrgentDoesNotWaitBehindWhatWasPutOffButBehindWhatWasRefused(
    _ comesMeanwhile: Bool, _ result: DeliveryOutcome.Result
  ) throws {
    let world = try OutboxWorld([])
    try world.add("mail", events: .notifications)
    func tell(_ level: InterruptionLevel) throws {
      try world.world.add("n", nil) { $0.interruptionLevel = level }
      try world.world.turn()
    }
    try tell(.active)
    let items = try world.take("mail")
    if comesMeanwhile { try tell(.timeSensitive) }
    try world.answer(items, result)
    if !comesMeanwhile {
      #expect(try world.take("mail").isEmpty)
      try tell(.timeSensitive)
    }
    #expect(try world.take("mail").count == (result == .refused ? 0 : 2))
    try world.world.wait(10)
    #expect(try world.take("mail").count == (result == .refused ? 2 : 0))
  }

  @Test func whatCannotBeReadIsGivenUpAndTheNextFollow() throws {
    let world = try OutboxWorld([])
    try world.add("c", events: .notifications)
    try world.world.centre.setCategories(
      [NotificationCategory(identifier: "DOOR", actions: [])], of: NotificationRequest.ownApp)
    for category in ["DOOR", nil] {
      try world.world.add("n", nil) { $0.categoryIdentifier = category }
      try world.world.turn()
    }
    try Connection(world.world.test.path, .write).execute("ALTER TABLE category RENAME TO gone")
    var tries = 0
    while try world.states().first?.hasPrefix("c n dead") != true, tries < 100 {
      tries += 1
      #expect(try world.take("c").isEmpty)
      try world.world.wait(100)
    }
    #expect(try world.take("c").map(\.attempt) == [1])
  }

  @Test func aHeldNotificationIsCarriedWhenItIsShown() throws {
    let world = try OutboxWorld([])
    try world.add("c", events: .notifications)
    try world.world.centre.setFocus(Focus(identifier: "work"))
    _ = try world.world.centre.switchFocus("work", .on, until: nil)
    try world.world.add("n", nil)
    try world.world.turn()
    #expect(try world.take("c").isEmpty)
    _ = try world.world.centre.switchFocus("work", .off, until: nil)
    try world.world.turn()
    let items = try world.take("c")
    #expect(items.map { $0.notification?.identifier } == ["n"])
    #expect(items.first?.device.isEmpty == true)
  }

  @Test func onlyNotificationsThatAreUrgentEnoughAndOfTheRightAppAreCarried() throws {
    let world = try OutboxWorld([])
    try world.add("urgent", events: .notifications) { $0.level = .timeSensitive }
    try world.add("mail", events: .notifications) { $0.apps = ["org.example.*"] }
    try world.world.add("quiet", nil) { $0.interruptionLevel = .passive }
    try world.world.add("loud", nil) { $0.interruptionLevel = .timeSensitive }
    try world.world.turn()
    #expect(try world.states() == ["urgent loud waiting 0"])
  }

  @Test func aReplayIsCarriedNowhere() throws {
    let world = try OutboxWorld()
    try world.add("c", events: .all)
    try world.world.test.record([crossing(.entry, "r", 1), crossing(.exit, "r", 2)])
    #expect(try world.world.test.crossings().count == 2)
    try world.world.turn()
    #expect(try world.states().isEmpty)
  }

  @Test func aRemovedChannelTakesItsDeliveriesAlong() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    let number = try #require(try world.journal.channel(named: "c")).number
    #expect(try world.journal.removeChannel(number, drops: false) == 2)
    let items = try world.take("c")
    #expect(try world.journal.removeChannel(number, drops: true) == 0)
    // What was on its way then is of no interest any more.
    try world.answer(items, .done)
    #expect(try world.states().isEmpty)
    try world.visit()
    #expect(try world.states().isEmpty)
  }

  @Test func aClockThatIsPutBackDelaysNothing() throws {
    let world = try OutboxWorld()
    try world.add("c")
    try world.visit()
    try world.world.setClock(by: -365 * 86_400)
    try world.world.restart()
    #expect(try world.take("c").count == 2)
  }
}
