import FencelineTestSupport
import Foundation
import Testing

@testable import FencelineDesktopLink

/// With real servers, on a bus and a screen of each test's own.
@Suite("Desktop link", .timeLimit(.minutes(2))) struct DesktopLinkTests {
  let log = EventLog()

  private func link(_ session: DesktopSession) -> DesktopLink {
    DesktopLink(address: session.address) { [log] in log.add($0) }
  }

  private func notification(_ summary: String, actions: [DesktopNotification.Action] = [])
    -> DesktopNotification
  {
    DesktopNotification(
      appName: "Fenceline", summary: summary, body: "Depot, since 8 minutes", actions: actions, expiry: .never
    )
  }

  private let snooze = DesktopNotification.Action(key: "snooze", label: "Snooze")

  @Test(arguments: DesktopSession.Server.allCases)
  func aButtonIsPressedOnTheScreen(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let link = link(session)
    try link.show(notification("Arrived", actions: [snooze]), identifier: "arrival")
    #expect(log.has(.serverChanged(isThere: true)))
    try session.wait("the window") { try session.windows().count == 1 }
    Attachment.record(try session.screenshot(), named: "notification-\(server).png")
    try session.click(right: 85, server == .dunst ? 20 : -37)
    #expect(log.has(.action(identifier: "arrival", key: "snooze", reply: nil)))
    // It goes, and that is no second piece of news.
    try session.wait("the window to go") { try session.windows().isEmpty }
    try link.show(notification("Another"), identifier: "another")
    #expect(log.ofNotifications == [.action(identifier: "arrival", key: "snooze", reply: nil)])
    link.stop()
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func whatTheUserPutsAwayIsDismissed(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let link = link(session)
    try link.show(notification("Arrived", actions: [snooze]), identifier: "arrival")
    // The right button on dunst; the cross of notification-daemon's window.
    try session.click(right: 24, server == .dunst ? 20 : 29, button: server == .dunst ? 3 : 1)
    #expect(log.has(.closed(identifier: "arrival", reason: .dismissed)))
    link.stop()
  }

  /// notification-daemon tells of a click beside the buttons as the default action, whether there is one or not.
  @Test(arguments: [true, false])
  func aClickBesideTheButtonsIsAnActionWhereThereIsOne(_ hasDefault: Bool) throws {
    let session = try DesktopSession(.notificationDaemon)
    let link = link(session)
    let open = DesktopNotification.Action(key: "default", label: "Open")
    try link.show(notification("Arrived", actions: hasDefault ? [open, snooze] : [snooze]), identifier: "x")
    try session.click(right: 300, 20)
    let event: DesktopLink.Event =
      hasDefault
      ? .action(identifier: "x", key: "default", reply: nil) : .closed(identifier: "x", reason: .dismissed)
    #expect(log.has(event))
    link.stop()
    #expect(log.ofNotifications == [event])
  }

  @Test func theSameIdentifierReplacesUntilItIsClosed() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    for name in ["one", "two", "three"] { try link.show(notification(name), identifier: "same") }
    try link.show(notification("another"), identifier: "another")
    #expect(try session.count() == 2)
    link.close(identifier: "same")
    try session.wait("one to go") { try session.count() == 1 }
    try link.show(notification("after it was closed"), identifier: "same")
    #expect(try session.count() == 2)
    // What was closed by the program is no news.
    #expect(log.ofNotifications.isEmpty)
    link.stop()
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func whatIsTakenBackLeavesTheScreen(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let link = link(session)
    var sample = notification("Fire", actions: [snooze])
    sample.urgency = .critical
    sample.isResident = true
    try link.show(sample, identifier: "fire")
    try session.wait("the window") { try session.windows().count == 1 }
    link.close(identifier: "fire")
    try session.wait("the window to go") { try session.windows().isEmpty }
    try link.show(notification("Another"), identifier: "another")
    link.stop()
    #expect(log.ofNotifications.isEmpty)
  }

  @Test func onlySomeServersSayWhetherTheyArePaused() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    _ = try link.findServer()
    for isPaused in [false, true] {
      try session.run("dunstctl", "set-paused", isPaused ? "true" : "false")
      #expect(link.isPaused() == isPaused)
    }
    session.killServer()
    #expect(log.has(.serverChanged(isThere: false)))
    #expect(link.isPaused() == nil)
    link.stop()
    #expect(link.isPaused() == nil)
    let other = try DesktopSession(.notificationDaemon)
    let second = self.link(other)
    _ = try second.findServer()
    #expect(second.isPaused() == nil)
    second.stop()
  }

  @Test func afterAnActionTheIdentifierCanBeShownAgain() throws {
    let session = try DesktopSession(.notificationDaemon)
    let link = link(session)
    for count in 1...2 {
      // Were one not replaced by the next, a window would be left.
      for name in ["on the way", "arrived"] {
        try link.show(notification(name, actions: [snooze]), identifier: "arrival")
      }
      try session.click(right: 85, -37)
      #expect(log.has(.action(identifier: "arrival", key: "snooze", reply: nil), times: count))
      try session.wait("the window to go") { try session.windows().isEmpty }
    }
    link.stop()
  }

  @Test func timeRunsOut() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    var short = notification("Soon gone")
    short.expiry = .milliseconds(50)
    try link.show(short, identifier: "short")
    #expect(log.has(.closed(identifier: "short", reason: .expired)))
    link.stop()
  }

  @Test func aResidentOneStaysAfterItsAction() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    var resident = notification("Timer", actions: [snooze])
    resident.isResident = true
    try link.show(resident, identifier: "timer")
    for count in 1...2 {
      try session.wait("the window") { try session.windows().count == 1 }
      try session.run("dunstctl", "action", "0")
      #expect(log.has(.action(identifier: "timer", key: "snooze", reply: nil), times: count))
    }
    try link.show(notification("After"), identifier: "after")
    try session.run("dunstctl", "close-all")
    #expect(log.has(.closed(identifier: "after", reason: .dismissed)))
    #expect(log.ofNotifications.count == 3)
    link.stop()
  }

  @Test(arguments: ["no", "full"])
  func markupIsText(_ mode: String) throws {
    let session = try DesktopSession(.dunst, options: "markup = \(mode)")
    let link = link(session)
    #expect(try link.findServer().markup == (mode == "full" ? .read : .unknown))
    let text = "<b>bold</b> & <img src=\"x\"/>\u{1B}[31m\u{0}\u{FFFE}"
    var sample = notification("A <b> & title\nwith two lines")
    sample.body = text
    try link.show(sample, identifier: "markup")
    try session.run("dunstctl", "close")
    #expect(log.has(.closed(identifier: "markup", reason: .dismissed)))
    let history = try session.run("dunstctl", "history")
    // The whole of it as dunst's drawing takes it, which is always markup.
    let body =
      mode == "full"
      ? "\\n&lt;b&gt;bold&lt;/b&gt; &amp; &lt;img src=" : "\\n‹b›bold‹/b› &amp; ‹img src="
    #expect(history.contains("<b>A &lt;b&gt; &amp; title with two lines</b>" + body))
    #expect(history.contains((mode == "full" ? "/&gt;" : "/›") + "[31m\""))
    link.stop()
  }

  @Test func ofOneStackTheNewestIsShown() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    for name in ["first", "second"] {
      var tagged = notification(name)
      tagged.stackTag = "battery"
      try link.show(tagged, identifier: name)
    }
    #expect(try session.count() == 1)
    #expect(log.has(.closed(identifier: "first", reason: .expired)))
    link.stop()
  }

  /// No server of Debian's without a desktop of its own has a field for replies; dbusmock's stands in for one.
  @Test func aReplyComesBackWhereTheServerHasAField() throws {
    let session = try DesktopSession()
    try session.startServer([
      "/usr/bin/python3", "-m", "dbusmock", "--session", "-t", "notification_daemon", "-p",
      #"{"capabilities": "actions body inline-reply"}"#,
    ])
    func call(_ method: String, _ arguments: String...) throws -> String {
      let parts = method.split(separator: "/").map(String.init)
      return try session.run(
        ["busctl", "--user", "call", "org.freedesktop.Notifications", "/org/freedesktop/Notifications"]
          + parts
          + arguments)
    }
    try session.wait("its methods") {
      try call("org.freedesktop.Notifications/GetServerInformation").contains("mock-notify")
    }
    let link = link(session)
    var message = notification("Where are you?", actions: [snooze])
    message.replyPlaceholder = "On my way"
    try link.show(message, identifier: "question")
    let calls = try call("org.freedesktop.DBus.Mock/GetMethodCalls", "s", "Notify")
    #expect(calls.contains(#""inline-reply" "Reply""#) && calls.contains("On my way"), "\(calls)")
    let text = "Späť o \"5\" <b>& 7</b>"
    for number in ["99", "1"] {
      _ = try call(
        "org.freedesktop.DBus.Mock/EmitSignal", "sssav", "org.freedesktop.Notifications",
        "NotificationReplied",
        "us", "2", "u", number, "s", text)
    }
    #expect(log.has(.action(identifier: "question", key: DesktopNotification.replyKey, reply: text)))
    link.stop()
    #expect(log.ofNotifications.count == 1)
  }

  @Test func twoHundredInARowAreAllShown() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    // So that it does not draw two hundred times.
    try session.run("dunstctl", "set-paused", "true")
    for number in 1...200 { try link.show(notification("Crossing \(number)"), identifier: "\(number)") }
    #expect(try session.count() == 200)
    for number in 1...200 { link.close(identifier: "\(number)") }
    try session.wait("all to go") { try session.count() == 0 }
    #expect(log.ofNotifications.isEmpty)
    link.stop()
  }

  @Test func severalThreadsShowAtOnce() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session)
    let threads = (0..<8).map { thread in
      BackgroundThread { [self] in
        for number in 0..<10 {
          // Half of them fight for one identifier.
          let identifier = thread % 2 == 0 ? "shared" : "\(thread) \(number)"
          do { try link.show(notification("\(thread) \(number)"), identifier: identifier) } catch {
            Issue.record(error)
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(try session.count() == 41)
    link.stop()
  }
}
