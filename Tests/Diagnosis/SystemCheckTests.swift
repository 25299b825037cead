import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineDiagnosis

@Suite("System check", .serialized) struct SystemCheckTests {
  @Test func theBusIsAtTheFirstSocketOfItsAddress() {
    for (address, path) in [
      ("unix:path=/run/user/1000/bus", "/run/user/1000/bus"),
      ("unix:path=/run/user/1000/bus,guid=12ab", "/run/user/1000/bus"),
      ("tcp:host=x;unix:guid=1,path=/a%20b%2c%zz", "/a b,%zz"),
      ("unix:abstract=/tmp/dbus-x,guid=1", "\u{0}/tmp/dbus-x"),
      ("unix:tmpdir=/tmp", nil), ("", nil), ("unix", nil), ("unix:path", nil),
    ] as [(String, String?)] {
      #expect(SystemCheck.busPath(address) == path, "\(address)")
    }
    #expect(SystemCheck.busPath(nil) == nil)
  }

  @Test func aRealBusAnswersAndOneThatIsGoneDoesNot() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("bus")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(descriptor, 1) == 0)
    unsafe setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(path)", 1)
    defer { unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS") }
    #expect(SystemCheck.sessionBus().verdict == .ok)
    close(descriptor)
    let gone = SystemCheck.sessionBus()
    #expect(gone.verdict == .warning)
    #expect(
      gone.text
        == "The session bus at '\(path)' cannot be reached (connection refused); notifications on the desktop need it."
    )
    unsafe setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/\(String(repeating: "x", count: 200))", 1)
    #expect(SystemCheck.sessionBus().text.contains("file name too long"))
    unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
    unsafe setenv("XDG_RUNTIME_DIR", folder.path, 1)
    #expect(SystemCheck.sessionBus().text.contains("'\(path)'"))
    unsafe unsetenv("XDG_RUNTIME_DIR")
    #expect(SystemCheck.sessionBus().text.hasPrefix("There is no session bus here"))
  }

  @Test func theUnitIsFoundWhereSystemdLooks() throws {
    let folder = try TemporaryFolder()
    func make(_ path: String) {
      var made = folder.path
      for part in path.split(separator: "/") {
        made += "/" + part
        unsafe mkdir(made, 0o755)
      }
    }
    func find() -> [Finding] { SystemCheck.unit(root: folder.path, home: folder.path("home")) }
    // Without systemd nothing is said of it.
    #expect(find() == [])
    make("run/systemd/system")
    #expect(find().map(\.text) == ["systemd does not know the service."])
    make("usr/local/lib/systemd/user/fenceline.service")
    #expect(find().map(\.text) == ["systemd does not start the service by itself."])
    make("home/.config/systemd/user/default.target.wants")
    // A link of systemd's may lead nowhere from here.
    unsafe symlink(
      "/nowhere", folder.path("home/.config/systemd/user/default.target.wants/fenceline.service"))
    #expect(find().map(\.text) == ["systemd starts the service when you log in."])
    make("etc/systemd/system/multi-user.target.wants/fenceline.service")
    #expect(find() == [Finding("unit", .ok, "systemd starts the service with the machine.")])
  }

  @Test func theClockIsAsked() {
    let finding = SystemCheck.clock()
    #expect(finding.verdict != .problem && (finding.verdict == .ok) == (finding.advice == nil))
  }

  @Test func aGPSDIsNamedByHostAndPort() {
    for (text, host, port) in [
      ("localhost", "localhost", "2947"), ("boat.local:2948", "boat.local", "2948"),
      ("10.0.0.1:2947:/dev/ttyUSB0", "10.0.0.1", "2947"), ("[::1]", "::1", "2947"),
      ("[fe80::1]:99", "fe80::1", "99"),
      ("boat:", "boat", "2947"),
    ] {
      let check = GPSDCheck(address: text)
      #expect(check?.host == host && check?.port == port, "\(text)")
    }
    for text in ["", ":2947", "[::1", "[::1]2947", "host:70000", "host:gps", "[]"] {
      #expect(GPSDCheck(address: text) == nil, "\(text)")
    }
  }
}
