import FencelineDelivery
import FencelineTestSupport
import FencelineThreads
import Foundation
import Glibc
import Synchronization
import Testing

/// The kind `file`, on real disks.
@Suite("File channel", .timeLimit(.minutes(3))) struct FileCarrierTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func carrier(
    _ path: String? = nil, _ options: [String: [String]] = [:],
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> any Carrier {
    try ChannelKind.file.carrier(
      ["path": [path ?? folder.path("events")]].merging(options) { $1 },
      context: ChannelContext(version: "1", warn: warn))
  }

  /// What a crossing is in a file.
  private func line(_ number: Int64, device: String = "van") -> String {
    #"{"key":"key-\#(number)","type":"crossing.entry","device":"\#(device)","region":"office","kind":"entry"}"#
      + "\n"
  }

  private func crossings(_ numbers: ClosedRange<Int64>) -> [Parcel] { numbers.map { .crossing($0) } }

  @Test func eachIsALineWithItsKeyFirst() throws {
    let carrier = try carrier()
    let reports = carrier.carried(crossings(1...256))
    #expect(reports.map(\.number) == Array(1...256) && reports.allSatisfy { $0.outcome == .done })
    _ = carrier.carried(.crossing(257))
    let lines = (1...257).map { line(Int64($0)) }
    #expect(folder.text("events") == lines.joined())
    #expect(folder.mode("events") == 0o600)
    #expect(carrier.most == 256)
  }

  @Test func aFileThatIsThereStaysAsItIs() throws {
    try folder.write("events", "before\n")
    unsafe chmod(folder.path("events"), 0o644)
    #expect(try carrier().carried(.crossing()).map(\.outcome) == [.done])
    #expect(folder.text("events") == "before\n" + line(1) && folder.mode("events") == 0o644)
  }

  @Test func aLineThatHasNoEndGetsOne() throws {
    try folder.write("events", "half of some")
    let carrier = try carrier()
    _ = carrier.carried(.crossing())
    #expect(folder.text("events") == "half of some\n" + line(1))
    // Also while it is open.
    let other = try #require(FileHandle(forWritingAtPath: folder.path("events")))
    try other.seekToEnd()
    try other.write(contentsOf: Data("{\"half".utf8))
    _ = carrier.carried(.crossing(2))
    #expect(folder.text("events").hasSuffix("{\"half\n" + line(2)))
  }

  @Test func anotherProgramMayRenameOrRemoveIt() throws {
    let carrier = try carrier()
    _ = carrier.carried(.crossing(1))
    #expect(unsafe rename(folder.path("events"), folder.path("events.old")) == 0)
    _ = carrier.carried(.crossing(2))
    #expect(folder.text("events.old") == line(1) && folder.text("events") == line(2))
    #expect(unsafe unlink(folder.path("events")) == 0)
    _ = carrier.carried(.crossing(3))
    #expect(folder.text("events") == line(3))
    // As with logrotate's copytruncate.
    #expect(unsafe truncate(folder.path("events"), 0) == 0)
    _ = carrier.carried(.crossing(4))
    #expect(folder.text("events") == line(4))
  }

  @Test func itIsRenamedBeforeItIsTooLong() throws {
    let size = line(1).utf8.count
    let carrier = try carrier(nil, ["rotate-size": ["\(2 * size)"], "keep": ["2"]])
    try folder.write("events", "")
    unsafe chmod(folder.path("events"), 0o640)
    for number in 1...7 { _ = carrier.carried(.crossing(Int64(number))) }
    #expect(folder.names == ["events", "events.1", "events.2"])
    #expect(folder.text("events") == line(7))
    #expect(folder.text("events.1") == line(5) + line(6))
    #expect(folder.text("events.2") == line(3) + line(4))
    #expect(folder.mode("events") == 0o640)
    // Of many at once none is parted.
    _ = carrier.carried(crossings(8...9) + [.crossing(8, device: String(repeating: "x", count: 4 * size))])
    #expect(folder.text("events.1") == line(7) && folder.text("events").utf8.count > 4 * size)
  }

  @Test func nothingIsKeptWhereNothingIsWanted() throws {
    let carrier = try carrier(nil, ["rotate-size": ["1"], "keep": ["0"]])
    for number in 1...3 { _ = carrier.carried(.crossing(Int64(number))) }
    #expect(folder.names == ["events"] && folder.text("events") == line(3))
  }

  @Test func aLinkLeadsOn() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    #expect(unsafe symlink("disk/log", folder.path("events")) == 0)
    let carrier = try carrier(nil, ["rotate-size": ["1"]])
    for number in 1...2 { _ = carrier.carried(.crossing(Int64(number))) }
    #expect(folder.names == ["disk", "events"])
    #expect(folder.text("disk/log.1") == line(1) && folder.text("disk/log") == line(2))
    #expect(folder.text("events") == line(2))
  }

  @Test func whatCannotBeRenamedGrowsOn() throws {
    // A folder that is not empty stands in the way.
    try FileManager.default.createDirectory(
      atPath: folder.path("events.1/full"), withIntermediateDirectories: true)
    let warnings = Mutex<[String]>([])
    let carrier = try carrier(nil, ["rotate-size": ["1"], "keep": ["1"]]) { sentence in
      warnings.withLock { $0.append(sentence) }
    }
    for number in 1...3 { #expect(carrier.carried(.crossing(Int64(number))).map(\.outcome) == [.done]) }
    #expect(folder.text("events") == line(1) + line(2) + line(3))
    let said = warnings.withLock { $0 }
    let name = folder.path("events")
    #expect(
      said == [
        "Cannot rotate '\(name)': '\(name).1' is a folder. Take that away; until then the file grows."
      ])
    // Once it is away, there is nothing to complain of.
    #expect(unsafe rename(folder.path("events.1"), folder.path("other")) == 0)
    _ = carrier.carried(.crossing(4))
    #expect(folder.text("events") == line(4) && warnings.withLock { $0.count } == 1)
  }

  @Test(
    arguments: [
      ("1", ["2"], "a folder"), ("2", ["1"], "a folder"), ("2", ["1", "3"], "a folder"),
      ("3", ["1"], "a folder"), ("2", ["1"], "no regular file"),
    ] as [(String, [String], String)])
  func whatIsNoOldFileIsNamedAndStays(_ obstacle: String, _ files: [String], _ what: String) throws {
    let name = folder.path("events.\(obstacle)")
    if what == "a folder" {
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
    } else {
      #expect(unsafe mkfifo(name, 0o600) == 0)
    }
    for number in files { try folder.write("events.\(number)", "old \(number)\n") }
    let warnings = Mutex<[String]>([])
    let carrier = try carrier(nil, ["rotate-size": ["1"], "keep": ["3"]]) { sentence in
      warnings.withLock { $0.append(sentence) }
    }
    for number in 1...2 { #expect(carrier.carried(.crossing(Int64(number))).map(\.outcome) == [.done]) }
    #expect(
      warnings.withLock { $0 } == [
        "Cannot rotate '\(folder.path("events"))': '\(name)' is \(what). Take that away; until then the file grows."
      ])
    // Nothing was renamed.
    #expect(folder.text("events") == line(1) + line(2))
    #expect(folder.names == (["events"] + (files + [obstacle]).map { "events.\($0)" }).sorted())
    for number in files { #expect(folder.text("events.\(number)") == "old \(number)\n") }
    // Once it is away, all goes on.
    #expect(unsafe rename(name, folder.path("other")) == 0)
    _ = carrier.carried(.crossing(3))
    #expect(folder.text("events") == line(3) && folder.text("events.1") == line(1) + line(2))
  }

  // MARK: Full disks

  @Test(.enabled(if: MountNamespace.isAvailable, "mounts are not allowed: no full disk can be had here"))
  func aFullDiskTakesNoneOfThem() throws {
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let namespace = try MountNamespace(
      "mount -t tmpfs -o size=64k tmpfs '\(disk)'; echo ready; exec sleep 600", in: folder)
    let file = namespace.path(disk + "/events")
    let carrier = try carrier(file)
    var done: Int64 = 0
    var outcomes: [(number: Int64, outcome: CarryOutcome)] = []
    while done < 10_000 {
      outcomes = carrier.carried(crossings((done + 1)...(done + 100)))
      guard outcomes.allSatisfy({ $0.outcome == .done }) else { break }
      done += 100
    }
    #expect(done >= 500)
    // They are of one device: the first has failed, and the others wait.
    #expect(outcomes.count == 1 && outcomes[0].number == done + 1)
    #expect(outcomes[0].outcome.result == .failed(after: nil))
    #expect(
      outcomes[0].outcome.detail
        == "Cannot write to '\(file)': there is no room left. Make room, or keep fewer old files with --keep."
    )
    let all = (1...done).map { line($0) }.joined()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == all)
    // Three devices: each of them is told.
    let three = ["a", "b", "a", "c"].enumerated().map {
      Parcel.crossing(Int64($0.offset), device: $0.element)
    }
    let long = Parcel.notification(9, title: String(repeating: "x", count: 65_536))
    #expect(carrier.carried([long] + three).map(\.number) == [9, 0, 1, 3])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == all)
    // Room is made.
    #expect(unsafe truncate(file, 0) == 0)
    #expect(carrier.carried(.crossing(1)).map(\.outcome) == [.done])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == line(1))
  }

  @Test func aFullDeviceIsTold() throws {
    let outcome = try #require(try carrier("/dev/full").carried(.crossing()).first?.outcome)
    #expect(outcome.result == .failed(after: nil) && outcome.detail.contains("there is no room left"))
  }

  // MARK: Other files than regular ones

  @Test func nullTakesAll() throws {
    #expect(try carrier("/dev/null").carried(.crossing()).map(\.outcome) == [.done])
  }

  @Test func whatIsNoFileIsRefusedWithoutOpeningIt() throws {
    for (path, words) in [
      (folder.path, "it is a folder"), ("/dev/tty", "it is a device or a socket"),
      (folder.path("none/events"), "its folder is not there"),
    ] {
      let outcome = try #require(try carrier(path).carried(.crossing()).first?.outcome)
      #expect(outcome.result == .failed(after: nil))
      #expect(outcome.detail.hasPrefix("Cannot write to '\(path)': \(words)."), "\(outcome.detail)")
    }
  }

  @Test func aPipeWithoutAReaderKeepsNobodyWaiting() throws {
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    let carrier = try carrier(folder.path("pipe"))
    let outcome = try #require(carrier.carried(.crossing()).first?.outcome)
    #expect(outcome.detail.contains("nobody reads the pipe"), "\(outcome.detail)")
    let reader = try ChildProcess(["cat", folder.path("pipe")], output: folder.path("read"))
    var outcomes: [CarryOutcome] = []
    for _ in 0..<1000 {
      outcomes = carrier.carried(crossings(1...200)).map(\.outcome)
      if outcomes.first == .done { break }
      usleep(10_000)
    }
    #expect(outcomes.count == 200)
    // It goes away, and nothing ends by that.
    for _ in 0..<1000 where folder.text("read").count < line(1).count * 200 { usleep(10_000) }
    reader.signal(SIGKILL)
    #expect(reader.status(within: 10) != nil)
    #expect(carrier.carried(.crossing()).first?.outcome.result == .failed(after: nil))
    let lines = (1...200).map { line(Int64($0)) }
    #expect(folder.text("read") == lines.joined())
  }

  @Test func stoppingEndsTheWaitForAReaderThatHangs() throws {
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    let reader = unsafe open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let carrier = try carrier(folder.path("pipe"))
    // A pipe holds 64 KiB, of which nothing is read.
    let long = Parcel.notification(title: String(repeating: "x", count: 200_000))
    let stopper = RunnerThread {
      var waiting: Int32 = 0
      while waiting == 0 { _ = unsafe ioctl(reader, UInt(FIONREAD), &waiting) }
      carrier.stop()
    }
    #expect(carrier.carried(long).map(\.outcome.result) == [.postponed(seconds: 0)])
    stopper?.join()
  }

  @Test func stoppingEndsTheWaitForALock() throws {
    try folder.write("events", "")
    let other = unsafe open(folder.path("events"), O_RDONLY)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let carrier = try carrier()
    carrier.stop()
    #expect(carrier.carried(.crossing()).map(\.outcome.result) == [.postponed(seconds: 0)])
    #expect(folder.text("events").isEmpty)
  }

  // MARK: Several writers

  @Test func severalWritersLoseNothingWhileTheyRotate() throws {
    let options = ["rotate-size": ["4096"], "keep": ["1000"]]
    let writers = try (0..<4).map { writer in
      let carrier = try carrier(nil, options)
      return RunnerThread {
        for batch in 0..<25 {
          let parcels = (0..<10).map { Parcel.crossing(Int64(writer * 1000 + batch * 10 + $0)) }
          carrier.carry(parcels) { _, outcome in
            if outcome != .done { Issue.record("\(outcome.detail)") }
          }
        }
      }
    }
    for writer in writers { writer?.join() }
    var seen: [String: Int] = [:]
    for name in folder.names {
      let text = folder.text(name)
      #expect(text.utf8.count <= 4096)
      for line in text.split(separator: "\n") { seen[String(line), default: 0] += 1 }
    }
    let expected = (0..<4).flatMap { writer in (0..<250).map { line(Int64(writer * 1000 + $0)) } }
    #expect(seen.count == 1000 && seen.values.allSatisfy { $0 == 1 })
    #expect(expected.allSatisfy { seen[String($0.dropLast())] == 1 })
  }

  @Test func aKillLeavesWholeLines() async throws {
    let path = folder.path("events")
    // Killed where it happens to be.
    for _ in 1...5 {
      let before = folder.text("events").utf8.count
      let killer = RunnerThread { [folder] in
        while folder.text("events").utf8.count < before + 3000 { usleep(500) }
        if let id = pid_t(folder.text("id")) { kill(id, SIGKILL) }
      }
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, id = folder.path("id") as String] in
        try Data("\(getpid())".utf8).write(to: URL(filePath: id))
        let carrier = try ChannelKind.file.carrier(["path": [path]])
        for number in 1... { carrier.carry([.crossing(Int64(number))]) { _, _ in } }
      }
      killer?.join()
    }
    // One more finds the file as it is.
    _ = try carrier().carried(.crossing(1))
    let text = folder.text("events")
    #expect(text.hasSuffix("\n"))
    var broken = 0
    for line in text.split(separator: "\n") {
      if (try? JSONSerialization.jsonObject(with: Data(line.utf8))) == nil { broken += 1 }
    }
    // A write of the kernel to a disk is not parted by a signal.
    #expect(broken == 0)
    #expect(text.utf8.count > 5 * 3000)
  }

  @Test func whatIsWrongIsSaid() {
    for (values, words) in [
      (["path": ["events"]], "'events' is no whole path for channel 'test'. Begin it with '/'."),
      (["path": ["/a"], "rotate-size": ["0"]], "'0' is no size for --rotate-size"),
      (["path": ["/a"], "rotate-size": ["1"], "keep": ["-1"]], "'-1' is no number for --keep"),
      (["path": ["/a"], "keep": ["3"]], "never rotates"),
    ] as [([String: [String]], String)] {
      #expect(ChannelKind.file.trouble(values)?.contains(words) == true)
    }
    #expect(ChannelKind.file.trouble(["path": ["/a"], "rotate-size": ["1"]]) == nil)
  }
}
