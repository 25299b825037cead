import FencelineTestSupport
import Foundation
import Glibc
import Testing

@testable import FencelineDesktopLink

/// Servers and buses that are not there, go, or hang.
@Suite("Desktop link without its peers", .timeLimit(.minutes(2))) struct LostConnectionTests {
  let log = EventLog()

  private func link(_ address: String) -> DesktopLink {
    DesktopLink(address: address) { [log] in log.add($0) }
  }

  private func notification(_ summary: String) -> DesktopNotification {
    DesktopNotification(appName: "Fenceline", summary: summary, actions: [snooze], expiry: .never)
  }

  private let snooze = DesktopNotification.Action(key: "snooze", label: "Snooze")

  private func error(_ body: () throws -> Void) -> DesktopLinkError? {
    do { try body() } catch { return error as? DesktopLinkError }
    return nil
  }

  @Test(arguments: DesktopSession.Server.allCases)
  func whatWasShownIsShownAgainByTheNextServer(_ server: DesktopSession.Server) throws {
    let session = try DesktopSession(server)
    let link = link(session.address)
    var transient = notification("of the moment")
    transient.isTransient = true
    try link.show(notification("closed"), identifier: "closed")
    try link.show(notification("kept"), identifier: "kept")
    try link.show(transient, identifier: "transient")
    link.close(identifier: "closed")
    session.killServer()
    #expect(log.has(.serverChanged(isThere: false)))
    #expect(link.server == nil)
    // Meanwhile there is nobody, and nobody to be started.
    #expect(error { try link.show(notification("lost"), identifier: "lost") }?.code == .noServer)
    try session.startServer()
    #expect(log.has(.serverChanged(isThere: true), times: 2))
    #expect(log.has(.closed(identifier: "transient", reason: .expired)))
    try session.wait("the window") { try session.windows().count == 1 }
    // It is the one that can still be answered.
    try session.click(right: 85, server == .dunst ? 20 : -37)
    #expect(log.has(.action(identifier: "kept", key: "snooze", reply: nil)))
    try session.wait("the window to go") { try session.windows().isEmpty }
    link.stop()
  }

  @Test func aServerThatIsInstalledIsStarted() throws {
    let session = try DesktopSession(.dunst, isActivatable: true)
    let link = link(session.address)
    #expect(link.server == nil)
    #expect(try link.findServer().name == "dunst")
    try link.show(notification("first"), identifier: "first")
    #expect(try session.count() == 1)
    link.stop()
  }

  @Test func aServerThatCannotBeStartedIsNamed() throws {
    let session = try DesktopSession()
    try session.install("/bin/false")
    let link = link(session.address)
    let error = error { try link.show(notification("nowhere"), identifier: "x") }
    #expect(error?.code == .noServer)
    #expect(error?.message.contains("cannot be started") == true, "\(error?.message ?? "")")
    link.stop()
  }

  @Test func withoutAServerThereIsAnErrorAtOnce() throws {
    let session = try DesktopSession()
    let link = link(session.address)
    let error = error { try link.show(notification("nowhere"), identifier: "x") }
    #expect(error == .noServer)
    link.stop()
    #expect(log.all.isEmpty)
  }

  @Test func withoutABusThereIsAnErrorAtOnce() throws {
    let folder = try TemporaryFolder()
    let cases = [
      ("unix:path=" + folder.path("none"), "no such file"), ("nonsense", "refused"),
      ("unix:path=/dev/null", "refused"),
    ]
    for (address, reason) in cases {
      let link = link(address)
      let error = error { try link.show(notification("nowhere"), identifier: "x") }
      #expect(error?.code == .noBus)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      link.stop()
    }
    #expect(log.all.isEmpty)
  }

  @Test func aPeerThatIsNoBusIsAnError() throws {
    let folder = try TemporaryFolder()
    // It takes connections and closes them.
    let peer = try ChildProcess(["socat", "UNIX-LISTEN:" + folder.path("peer") + ",fork", "SYSTEM:true"])
    for _ in 0..<1000 where !folder.names.contains("peer") { usleep(10_000) }
    let link = link("unix:path=" + folder.path("peer"))
    #expect(error { try link.show(notification("nowhere"), identifier: "x") }?.code == .noBus)
    link.stop()
    peer.signal(SIGTERM)
  }

  @Test func whoBearsTheNameAndIsNoServerIsAnError() throws {
    let session = try DesktopSession()
    let link = link(session.address)
    for tool in ["echo", "black-hole"] {
      try session.startServer(["dbus-test-tool", tool, "--name=org.freedesktop.Notifications"])
      let error = error { try link.show(notification("x"), identifier: "x", patience: 300) }
      #expect(error?.code == (tool == "echo" ? .refused : .noAnswer))
      session.killServer()
    }
    link.stop()
    #expect(log.all.isEmpty)
  }

  @Test func withoutAnAddressThatIsSaid() {
    let box = OrderBox()
    let thread = BackgroundThread { LinkSession(box: box, address: nil, tell: { _ in }).run() }
    let result = Awaited<DesktopLinkError?>()
    #expect(box.put(Order(kind: .findServer, result: result)))
    #expect(result.wait(milliseconds: 10_000) == .some(BusAddress.missing))
    box.close()
    thread.join()
    #expect(!box.put(Order(kind: .close(identifier: "x"), result: nil)))
  }

  @Test func whatWasShownComesBackWithTheBus() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session.address)
    try link.show(notification("kept"), identifier: "kept")
    session.killBus()
    #expect(log.has(.serverChanged(isThere: false)))
    #expect(error { try link.show(notification("lost"), identifier: "lost") }?.code == .noBus)
    session.killServer()
    try session.startBus()
    try session.startServer()
    #expect(log.has(.serverChanged(isThere: true), times: 2))
    try session.wait("the notification") { try session.count() == 1 }
    try session.run("dunstctl", "action", "0")
    #expect(log.has(.action(identifier: "kept", key: "snooze", reply: nil)))
    link.stop()
  }

  @Test func aServerThatHangsHoldsNobodyUp() throws {
    let session = try DesktopSession(.dunst)
    let link = link(session.address)
    try link.show(notification("before"), identifier: "before")
    session.hold(server: true, true)
    let slow = error { try link.show(notification("late"), identifier: "late", patience: 50) }
    #expect(slow?.code == .noAnswer)
    // A replacement of it waits for its turn, and so does what closes it.
    #expect(
      error { try link.show(notification("later"), identifier: "late", patience: 50) }?.code == .noAnswer)
    link.close(identifier: "late")
    session.hold(server: true, false)
    try session.wait("the first one alone") { try session.count() == 1 }
    try link.show(notification("after"), identifier: "after")
    #expect(try session.count() == 2)
    session.hold(server: true, true)
    // Not even this waits.
    link.stop()
    #expect(error { try link.show(notification("never"), identifier: "never") } == .stopped)
    session.hold(server: true, false)
  }

  @Test func aBusThatHangsHoldsNobodyUp() throws {
    let session = try DesktopSession()
    session.hold(bus: true, true)
    let link = link(session.address)
    #expect(
      error { try link.show(notification("late"), identifier: "late", patience: 50) }?.code == .noAnswer)
    link.stop()
    session.hold(bus: true, false)
  }

  @Test func itsOwnEventsCannotWaitForIt() throws {
    let session = try DesktopSession(.dunst)
    let answer = Awaited<DesktopLinkError?>()
    let holder = LinkHolder()
    let link = DesktopLink(address: session.address) { event in
      guard case .closed = event, let link = holder.link else { return }
      var told: DesktopLinkError?
      do throws(DesktopLinkError) {
        try link.show(DesktopNotification(appName: "", summary: ""), identifier: "x")
      } catch { told = error }
      // It may be stopped from there.
      link.stop()
      answer.give(told)
    }
    holder.link = link
    var short = notification("short")
    short.expiry = .milliseconds(1)
    try link.show(short, identifier: "short")
    #expect(answer.wait(milliseconds: 10_000) == .wrongThread)
    #expect(error { try link.show(short, identifier: "short") } == .stopped)
    holder.link = nil
  }

  @Test func theAddressComesFromTheEnvironment() {
    let own = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/run/user/1 %"]
    #expect(BusAddress.session { own[$0] } == "unix:path=/a")
    #expect(
      BusAddress.session { $0 == "XDG_RUNTIME_DIR" ? own[$0] : "" } == "unix:path=/run/user/1%20%25/bus")
    #expect(BusAddress.session { _ in nil } == nil)
  }
}
