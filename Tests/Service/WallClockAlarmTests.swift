import FencelineCivilTime
import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineService

@Suite("Wall clock alarm") struct WallClockAlarmTests {
  private let alarm: WallClockAlarm

  init() throws { alarm = try #require(WallClockAlarm()) }

  private static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static func after(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  /// Waits until the alarm is ready, for so many milliseconds at most, and takes what has happened.
  private func take(within milliseconds: Int32 = 0) -> Set<WallClockAlarm.Event> {
    var request = pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0 ? alarm.take() : []
  }

  @Test func anInstantIsDueOnceAndNotTooEarly() throws {
    #expect(take() == [])
    for milliseconds: Int64 in [0, 1, 30, 100] {
      let instant = Self.after(milliseconds)
      alarm.set(to: instant)
      #expect(take(within: 10_000) == [.due])
      #expect(Self.now >= instant)
      #expect(take() == [] && alarm.take() == [])
    }
  }

  @Test(arguments: [Timestamp.earliest, Timestamp(milliseconds: -1), Timestamp(milliseconds: 0), after(-1)])
  func whatHasPassedIsDueAtOnce(_ instant: Timestamp) {
    alarm.set(to: instant)
    #expect(take(within: 10_000) == [.due])
    #expect(take() == [])
  }

  @Test func theLastInstantThatWasSetIsTheOne() {
    alarm.set(to: Self.after(3_600_000))
    alarm.set(to: Self.after(20))
    #expect(take(within: 10_000) == [.due])
    alarm.set(to: Self.after(20))
    alarm.set(to: nil)
    #expect(take(within: 60) == [])
    alarm.set(to: .latest)
    #expect(take(within: 20) == [])
    // Taken back when it is due already.
    alarm.set(to: Self.after(-5))
    alarm.set(to: Self.after(3_600_000))
    #expect(take() == [])
  }

  /// The clock of a whole computer cannot be set by a test; that of a kernel which runs as a program can.
  @Test func aClockThatIsSetIsNoticed() throws {
    guard unsafe dlsym(nil, "__asan_init") == nil else {
      try Test.cancel("the address sanitizer takes more addresses than that kernel has")
    }
    let folder = try TemporaryFolder()
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    try #require(unsafe readlink("/proc/self/exe", &name, name.count - 1) > 0)
    let program = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    try folder.write(
      "init",
      """
      #!/bin/sh
      export FENCELINE_CLOCK_IS_OURS=1 SWIFT_BACKTRACE=enable=no LD_LIBRARY_PATH='\(environment("LD_LIBRARY_PATH"))'
      mount -t proc proc /proc
      '\(program)' --testing-library swift-testing --filter WallClockAlarmTests/OwnClockTests
      echo "ended with $?"
      exec sleep 3600
      """)
    unsafe chmod(folder.path("init"), 0o755)
    let kernel = try ChildProcess(
      [
        "linux.uml", "mem=512M", "rootfstype=hostfs", "rootflags=/", "ro", "init=\(folder.path("init"))",
        "con=null", "con0=null,fd:1", "uml_dir=\(folder.path)", "quiet",
      ], environment: ["PATH": environment("PATH"), "TMPDIR": folder.path, "HOME": folder.path],
      output: folder.path("output"))
    for _ in 0..<1200 where kernel.isRunning && !folder.text("output").contains("ended with") {
      usleep(100_000)
    }
    let output = folder.text("output")
    #expect(output.contains("ended with 0"), "\(output)")
    #expect(output.contains(/Test run with 1 test .*passed/), "\(output)")
  }

  private func environment(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }

  /// Run by the test above, in a world where nobody else goes by the clock.
  @Suite("Own clock", .enabled(if: unsafe getenv("FENCELINE_CLOCK_IS_OURS") != nil))
  struct OwnClockTests {
    private let test: WallClockAlarmTests

    init() throws { test = try WallClockAlarmTests() }

    private func setClock(to instant: Timestamp) throws {
      let (seconds, rest) = instant.split(by: 1000)
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
      try #require(unsafe clock_settime(CLOCK_REALTIME, &time) == 0)
    }

    @Test func everyStepIsToldOnceAndInstantsFollow() throws {
      let hour: Int64 = 3_600_000
      // Without an instant, forward and back.
      for step in [hour, -2 * hour] {
        try setClock(to: after(step))
        #expect(test.take(within: 10_000) == [.clockWasSet])
        #expect(test.take() == [])
      }
      // Not as far as the instant.
      var instant = after(2 * hour)
      test.alarm.set(to: instant)
      try setClock(to: after(hour))
      #expect(test.take(within: 10_000) == [.clockWasSet])
      // Several steps before somebody looks, then beyond it.
      try setClock(to: after(-hour))
      try setClock(to: after(5 * hour))
      #expect(test.take(within: 10_000) == [.clockWasSet, .due])
      #expect(test.take() == [])
      // Exactly onto it, and a little before.
      instant = after(hour)
      test.alarm.set(to: instant)
      try setClock(to: instant)
      #expect(test.take(within: 10_000) == [.clockWasSet, .due])
      instant = after(hour)
      test.alarm.set(to: instant)
      try setClock(to: Timestamp(milliseconds: instant.milliseconds - 50))
      #expect(test.take(within: 10_000) == [.clockWasSet])
      #expect(test.take(within: 10_000) == [.due])
      // It has come, and the clock is set back before somebody looks: not due any more.
      instant = after(10)
      test.alarm.set(to: instant)
      usleep(50_000)
      try setClock(to: after(-hour))
      #expect(test.take(within: 10_000) == [.clockWasSet])
      // The clock is set, and before somebody looks another instant, or none: where that is set the kernel tells it.
      test.alarm.set(to: after(2 * hour))
      try setClock(to: after(-hour))
      test.alarm.set(to: nil)
      #expect(test.take(within: 10_000) == [.clockWasSet])
      #expect(test.take() == [])
      try setClock(to: after(hour))
      test.alarm.set(to: after(-1))
      #expect(test.take(within: 10_000) == [.clockWasSet, .due])
      test.alarm.set(to: after(20))
      #expect(test.take(within: 10_000) == [.due])
      #expect(test.take() == [])
    }

    private func after(_ milliseconds: Int64) -> Timestamp { WallClockAlarmTests.after(milliseconds) }
  }
}
