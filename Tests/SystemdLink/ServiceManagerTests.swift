import FencelineSystemdLink
import FencelineTestSupport
import Glibc
import Testing

/// With a socket in systemd's place.
@Suite("Service manager", .serialized) struct ServiceManagerTests {
  let folder: TemporaryFolder
  private let descriptor: Int32

  init() throws {
    folder = try TemporaryFolder()
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let path = folder.path("notify")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    unsafe setenv("NOTIFY_SOCKET", path, 1)
  }

  private func received() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }

  @Test func systemdHearsWhatItIsTold() {
    ServiceManager.notifyReady(status: "following 1 receiver")
    #expect(received() == "READY=1\nSTATUS=following 1 receiver")
    ServiceManager.notifyStatus("no fix\nMAINPID=1")
    #expect(received() == "STATUS=no fix MAINPID=1")
    ServiceManager.notifyWatchdog()
    #expect(received() == "WATCHDOG=1")
    ServiceManager.notifyStopping()
    #expect(received() == "STOPPING=1")
    close(descriptor)
  }

  @Test func withoutSystemdNothingHappens() {
    unsafe unsetenv("NOTIFY_SOCKET")
    ServiceManager.notifyReady(status: "x")
    #expect(received() == "")
    close(descriptor)
    // A socket that is gone is no reason to stop.
    unsafe setenv("NOTIFY_SOCKET", folder.path("none"), 1)
    ServiceManager.notifyWatchdog()
  }

  @Test func theWatchdogIsForTheProcessThatItNames() {
    defer {
      unsafe unsetenv("WATCHDOG_USEC")
      unsafe unsetenv("WATCHDOG_PID")
      close(descriptor)
    }
    #expect(ServiceManager.watchdogInterval == nil)
    unsafe setenv("WATCHDOG_USEC", "30500000", 1)
    #expect(ServiceManager.watchdogInterval == 30.5)
    unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
    #expect(ServiceManager.watchdogInterval == 30.5)
    unsafe setenv("WATCHDOG_PID", "1", 1)
    #expect(ServiceManager.watchdogInterval == nil)
    unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
    unsafe setenv("WATCHDOG_USEC", "soon", 1)
    #expect(ServiceManager.watchdogInterval == nil)
  }
}
