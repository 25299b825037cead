import FencelineCivilTime
import FencelineEventJournal
import FencelineNotifying
import Testing

/// What is critical, and not answered.
struct EscalationTests {
  private static func world() throws -> OutboxWorld {
    let world = try OutboxWorld([])
    try world.add("phone", events: .crossings)
    try world.add("screen", events: .notifications) { rules in
      rules.escalation = "phone"
      rules.escalationDelay = 120
    }
    _ = try world.world.centre.changePermission(of: NotificationRequest.ownApp) {
      $0.isEntitledToCritical = true
      $0.options.insert(.criticalAlert)
    }
    try world.world.add("fire", nil) { $0.interruptionLevel = .critical }
    try world.world.add("tea", nil)
    try world.world.turn()
    return world
  }

  @Test func whatNobodyAnswersGoesToTheOtherChannel() throws {
    let world = try Self.world()
    try world.answer(try world.take("screen"), .done)
    try world.world.wait(119)
    #expect(try world.take("phone").isEmpty)
    try world.world.wait(2)
    #expect(try world.take("phone").map { $0.notification?.identifier } == ["fire"])
  }

  @Test func whatSomebodyHasAnsweredDoesNot() throws {
    let world = try Self.world()
    try world.answer(try world.take("screen"), .done)
    let number = try #require(try world.world.delivered().first { $0.identifier == "fire" }).number
    _ = try world.world.centre.respond(toNumber: number, "default", at: world.world.moment)
    try world.world.wait(130)
    #expect(try world.take("phone").isEmpty)
    try world.world.turn()
    #expect(try world.states("phone") == ["phone fire dropped 1"])
  }

  @Test func whatIsSwitchedOffHandsOnAtOnce() throws {
    let world = try Self.world()
    let screen = try #require(try world.journal.channel(named: "screen")).number
    #expect(try world.journal.enableChannel(screen, false))
    try world.world.turn()
    try world.world.add("flood", nil) { $0.interruptionLevel = .critical }
    try world.world.turn()
    #expect(try world.take("phone").map { $0.notification?.identifier } == ["flood"])
  }

  @Test func whoTriesEverythingAgainDoesNotAlarmAnybodyElse() throws {
    let world = try Self.world()
    try world.answer(try world.take("screen"), .failed(after: nil))
    #expect(try world.journal.retryDeliveries(DeliveryFilter(), at: world.world.now) == 2)
    try world.world.turn()
    #expect(try world.take("phone").isEmpty && world.take("screen").count == 2)
  }

  @Test func whatIsHeldBackWhereItWasShownGoesAtOnce() throws {
    let world = try Self.world()
    let items = try world.take("screen").filter { $0.notification?.identifier == "fire" }
    try world.answer(items, .done, "Do not disturb.", isHeldBack: true)
    try world.world.turn()
    #expect(try world.take("phone").map { $0.notification?.identifier } == ["fire"])
  }
}
