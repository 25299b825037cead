import FencelineNotifying
import FencelineTestSupport
import FencelineThreads
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FencelineDelivery

/// The kind `desktop`, on real servers with a screen that is not there, clicked by a mouse that is not there.
@Suite("Desktop channel", .timeLimit(.minutes(3))) struct DesktopCarrierTests {
  let folder: TemporaryFolder
  let answers = Answers()

  init() throws { folder = try TemporaryFolder() }

  private func carrier(_ session: DesktopSession, _ values: [String: [String]] = [:]) throws -> any Carrier {
    try ChannelKind.desktop.carrier(
      values.merging(["address": [session.address]]) { first, _ in first },
      context: ChannelContext(
        version: "1", answered: { [answers] in answers.add($0) }, warn: { [answers] in answers.warn($0) }))
  }

  private let snooze = NotificationAction(identifier: "snooze", title: "Snooze")
  private let done = NotificationAction(identifier: "complete", title: "Done")

  /// Keeps a picture of the screen, in the folder that `FENCELINE_ARTIFACTS` names or in one that is thrown away.
  private func keep(_ session: DesktopSession, _ name: String) throws {
    let picture = try session.screenshot()
    Attachment.record(picture, named: name + ".png")
    guard let path = ProcessInfo.processInfo.environment["FENCELINE_ARTIFACTS"] else {
      try folder.write(name + ".png", picture)
      return
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(picture).write(to: URL(filePath: path + "/\(name).png"))
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func aButtonIsAnAnswer(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    let parcel = Parcel.notification(
      5, app: "Deliveries", title: "Arrived", body: "The van is at the depot.", actions: [snooze, done])
    #expect(carrier.carried(parcel).map(\.outcome) == [.done])
    #expect(carrier.shown == [5])
    try session.wait("the window") { try session.windows().count == 1 }
    try keep(session, "buttons-\(server)")
    // The first button of its category; on dunst, the left button of the mouse is the default action.
    try session.click(right: 85, server == .dunst ? 20 : -37)
    let expected = ChannelContext.Answer(
      notification: 5, action: server == .dunst ? "default" : "complete")
    #expect(answers.wait(for: 1) == [expected])
    try session.wait("the window to go") { try session.windows().isEmpty }
    // The service takes it back everywhere then.
    carrier.withdraw(5)
    #expect(carrier.shown.isEmpty && answers.all.count == 1)
  }

  @Test func aButtonOfDunstsMenuIsAnAnswer() throws {
    let session = try DesktopSession(.dunst)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    #expect(carrier.carried(.notification(5, actions: [snooze, done])).map(\.outcome) == [.done])
    // As its context menu does.
    try session.run("dunstctl", "action", "0")
    #expect(answers.wait(for: 1).map(\.notification) == [5])
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func whatIsPutAwayIsDismissed(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    #expect(carrier.carried(.notification(8)).map(\.outcome) == [.done])
    // The right button of the mouse on dunst; the cross of notification-daemon's window.
    try session.click(right: 24, server == .dunst ? 20 : 29, button: server == .dunst ? 3 : 1)
    #expect(answers.wait(for: 1) == [ChannelContext.Answer(notification: 8, action: "dismiss")])
    #expect(carrier.shown.isEmpty)
  }

  @Test func theSameRequestTakesThePlaceOfTheOneBefore() throws {
    let session = try DesktopSession(.dunst)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    _ = carrier.carried(.notification(1, identifier: "milk"), .notification(2, identifier: "eggs"))
    _ = carrier.carried(.notification(3, identifier: "milk", title: "Milk, again"))
    #expect(try session.count() == 2 && carrier.shown.sorted() == [2, 3])
    // Another app's is another one.
    _ = carrier.carried(.notification(4, app: "shop", identifier: "milk"))
    #expect(try session.count() == 3 && carrier.shown.sorted() == [2, 3, 4])
    carrier.withdraw(3)
    try session.wait("one to go") { try session.count() == 2 }
    carrier.withdraw(3)
    carrier.withdraw(99)
    #expect(carrier.shown.sorted() == [2, 4] && answers.all.isEmpty)
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func whatExpiresIsNoAnswer(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    _ = carrier.carried(.notification(1, level: .passive))
    #expect(carrier.shown == [1])
    try session.wait("the window") { try session.windows().count == 1 }
    try session.wait("it to go") { try session.windows().isEmpty }
    // notification-daemon keeps it in a list, to be answered there.
    if server == .dunst { try session.wait("word of it") { carrier.shown.isEmpty } }
    #expect(carrier.shown == (server == .dunst ? [] : [1]) && answers.all.isEmpty)
  }

  @Test func aCrossingIsShownToo() throws {
    let session = try DesktopSession(.dunst)
    let carrier = try carrier(session, ["app-name": ["Van watch"]])
    defer { carrier.stop() }
    #expect(carrier.carried(.crossing()).map(\.outcome) == [.done])
    #expect(carrier.shown.isEmpty)
    try session.run("dunstctl", "close")
    try session.wait("it to go") { try session.count() == 0 }
    let history = try session.run("dunstctl", "history")
    #expect(history.contains("The van is at the office") && history.contains("Since a minute"))
    #expect(history.contains("Van watch"))
    #expect(answers.all.isEmpty)
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func anotherServerShowsWhatIsNotAnswered(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    _ = carrier.carried(.notification(1, level: .critical))
    try session.wait("the window") { try session.windows().count == 1 }
    session.killServer()
    try session.wait("the window to go") { try session.windows().isEmpty }
    try session.startServer()
    try session.wait("the window") { try session.windows().count == 1 }
    #expect(carrier.shown == [1] && answers.all.isEmpty)
  }

  @Test func whereThereIsNoDesktopItIsTriedAgain() throws {
    let session = try DesktopSession()
    let first = try carrier(session)
    let outcome = try #require(first.carried(.notification(1)).first?.outcome)
    #expect(outcome.result == .failed(after: nil) && first.shown.isEmpty)
    #expect(outcome.detail.contains("nobody shows notifications there"), "\(outcome.detail)")
    first.stop()
    #expect(first.carried(.notification(1)).map(\.outcome.result) == [.postponed(seconds: 0)])
    let second = try carrier(session, ["address": ["unix:path=" + folder.path("none")]])
    let other = try #require(second.carried(.notification(1)).first?.outcome)
    #expect(other.result == .failed(after: nil) && other.detail.contains("cannot be used"), "\(other.detail)")
    second.stop()
  }

  // MARK: Critical ones

  @Test func aDesktopThatIsNotToBeDisturbedIsTold() throws {
    let session = try DesktopSession(.dunst)
    let script = #"echo "$FENCELINE_KEY $FENCELINE_LEVEL" >>"$0""#
    let carrier = try carrier(session, ["alarm": ["sh", "-c", script, folder.path("alarm")]])
    defer { carrier.stop() }
    #expect(carrier.carried(.notification(1, level: .critical)).map(\.outcome) == [.done])
    try session.wait("the alarm") { folder.text("alarm") == "note-1 critical\n" }
    try session.run("dunstctl", "set-paused", "true")
    let outcomes = carrier.carried(
      .notification(2, level: .critical), .notification(3, level: .timeSensitive)
    ).map(\.outcome)
    #expect(outcomes.map(\.isHeldBack) == [true, false] && outcomes.map(\.result) == [.done, .done])
    #expect(outcomes[0].detail == "The desktop is not to be disturbed, and may hold it back.")
    try session.wait("the alarm") { folder.text("alarm") == "note-1 critical\nnote-2 critical\n" }
    try session.run("dunstctl", "set-paused", "false")
    #expect(carrier.carried(.notification(4, level: .critical)).map(\.outcome.isHeldBack) == [false])
    #expect(answers.warnings.isEmpty)
  }

  @Test func aServerThatDoesNotSayIsTakenToShowIt() throws {
    let session = try DesktopSession(.notificationDaemon)
    let carrier = try carrier(session, ["alarm": [folder.path("none")]])
    defer { carrier.stop() }
    #expect(carrier.carried(.notification(1, level: .critical)).map(\.outcome) == [.done])
    try session.wait("the warning") { !answers.warnings.isEmpty }
    #expect(answers.warnings[0].contains("there is no such program"))
  }

  @Test func theAlarmSoundsWithoutADesktop() throws {
    let session = try DesktopSession()
    let carrier = try carrier(session, ["alarm": ["sh", "-c", "cat >>\"$0\"; exit 3", folder.path("alarm")]])
    defer { carrier.stop() }
    var parcel = Parcel.notification(1, level: .critical)
    #expect(carrier.carried(parcel).map(\.outcome.result) == [.failed(after: nil)])
    try session.wait("the warning") { answers.warnings.count == 1 }
    #expect(answers.warnings[0].contains("has ended with status 3"))
    #expect(folder.text("alarm").hasPrefix(#"{"key":"note-1","#))
    // Not again for each attempt that fails.
    parcel.attempt = 2
    #expect(carrier.carried(parcel).map(\.outcome.result) == [.failed(after: nil)])
    carrier.stop()
    #expect(folder.text("alarm").split(separator: "\n").count == 1)
  }

  // MARK: How it looks

  @Test(arguments: DesktopSession.Server.allCases)
  func hostileTextIsText(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    let evil = "<b>bold</b> & <img src=\"/etc/passwd\"/> \u{202e}gnitirw\u{1b}[31m\u{7}"
    #expect(
      carrier.carried(
        .notification(
          1, app: "<i>app</i>", title: evil, body: evil, level: .critical,
          actions: [
            NotificationAction(identifier: "a&b", title: "<u>A</u> & B")
          ])
      ).map(\.outcome) == [.done])
    try session.wait("the window") { try session.windows().count == 1 }
    try keep(session, "hostile-\(server)")
    let long = String(repeating: "long & <b>longer</b> ", count: 3277)
    #expect(long.utf8.count > 65_536)
    #expect(carrier.carried(.notification(2, title: long, body: long)).map(\.outcome) == [.done])
    #expect(carrier.shown.sorted() == [1, 2])
    // notification-daemon shows one after the other.
    let first = try session.windows()
    carrier.withdraw(1)
    try session.wait("the other window") {
      let windows = try session.windows()
      let isOther = try server == .dunst ? session.count() == 1 : windows != first
      return windows.count == 1 && isOther
    }
    try keep(session, "long-\(server)")
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func theLevelsLookDifferent(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let carrier = try carrier(session)
    defer { carrier.stop() }
    try session.run(
      "convert", "-size", "48x48", "xc:steelblue", "-fill", "white", "-draw", "circle 24,24 24,8",
      "png:" + folder.path("picture"))
    for (number, level) in InterruptionLevel.allCases.enumerated() {
      var parcel = Parcel.notification(
        Int64(number), app: "Fenceline", title: "The van is \(level.rawValue)",
        body: "At the depot since 8 minutes", level: level, actions: level == .active ? [snooze] : []
      ) { content in
        content.subtitle = "Berlin"
        content.attachments = [
          NotificationAttachment(identifier: "a", hash: "", type: "text/plain", size: 1, name: "a"),
          NotificationAttachment(identifier: "b", hash: "", type: "image/png", size: 1, name: "b"),
        ]
      }
      parcel.notification?.files = ["/nowhere", folder.path("picture")]
      #expect(carrier.carried(parcel).map(\.outcome) == [.done])
      guard server == .notificationDaemon else { continue }
      // It shows one after the other.
      try session.wait("the window") { try session.windows().count == 1 }
      if level == .active || level == .critical { try keep(session, "\(level)-notificationDaemon") }
      carrier.withdraw(Int64(number))
      try session.wait("the window to go") { try session.windows().isEmpty }
    }
    guard server == .dunst else { return }
    #expect(try session.count() == 4)
    try keep(session, "levels-dunst")
  }
}

/// What a carrier has told, to be waited for.
final class Answers: Sendable {
  private let answers = Mutex<[ChannelContext.Answer]>([])
  private let sentences = Mutex<[String]>([])

  var all: [ChannelContext.Answer] { answers.withLock { $0 } }
  var warnings: [String] { sentences.withLock { $0 } }

  func add(_ answer: ChannelContext.Answer) { answers.withLock { $0.append(answer) } }
  func warn(_ sentence: String) { sentences.withLock { $0.append(sentence) } }

  /// Waits until there are so many, for ten seconds at most.
  func wait(for count: Int) -> [ChannelContext.Answer] {
    for _ in 0..<1000 where all.count < count { usleep(10_000) }
    return all
  }
}
