import FencelineTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FencelineSystemdLink

@Suite("Service log", .serialized) struct ServiceLogTests {
  @Test func elsewhereItIsALineForEachEntry() throws {
    let folder = try TemporaryFolder()
    let descriptor = unsafe open(folder.path("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let log = ServiceLog(descriptor: descriptor, hasTimes: false)
    log.write(.warning, "no fix since 10 s", .device("van"))
    log.write(.info, "entry\nerror: a line of someone else's\u{1B}[2J", kind: .crossing)
    let timed = ServiceLog(descriptor: descriptor, hasTimes: true)
    timed.write(.error, "disk full")
    let lines = folder.text("log").split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "warning: no fix since 10 s")
    #expect(lines[1] == "info: entry error: a line of someone else's [2J")
    #expect(lines[2].wholeMatch(of: /\d\d:\d\d:\d\d error: disk full/) != nil)
  }

  /// A real systemd-journald, in a mount namespace that the thread alone sees.
  @Test func theJournalGetsFields() throws {
    let entries = Mutex<Result<[[String: String]]?, any Error>?>(nil)
    let thread = BackgroundThread {
      let result = Result { try journalled() }
      entries.withLock { $0 = result }
    }
    thread.join()
    let found = try #require(entries.withLock { $0 }).get()
    guard let found else { try Test.cancel("there can be no journal here: it takes root and systemd") }
    try #require(found.count == 2)
    #expect(found[0]["MESSAGE"] == "entry\nof a van")
    #expect(found[0]["PRIORITY"] == "5")
    #expect(found[0]["FENCELINE_DEVICE"] == "van")
    #expect(found[0]["FENCELINE_REGION"] == "office=1")
    #expect(found[0]["FENCELINE_EVENT"] == "entry")
    #expect(found[0]["MESSAGE_ID"] == ServiceLog.Message.crossing.rawValue)
    #expect(found[0]["SYSLOG_IDENTIFIER"] == "fenceline")
    #expect(found[0]["_PID"] == "\(getpid())" && found[0]["_TRANSPORT"] == "journal")
    // What is finer than asked for is not there; where the source stands in the code neither.
    #expect(found[1]["MESSAGE"] == "plain" && found[1]["PRIORITY"] == "6")
    #expect(found[1]["CODE_FILE"] == nil && found[1]["FENCELINE_DEVICE"] == nil)
  }

  @Test func idsOfMessagesAreIDs() {
    let ids = ServiceLog.Message.allCases.map(\.rawValue)
    #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil } && Set(ids).count == ids.count)
  }
}

/// What a journal of our own holds after some entries were written; nil where there can be none. It changes the thread's view of /run.
private func journalled() throws -> [[String: String]]? {
  let journald = "/lib/systemd/systemd-journald"
  guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: journald),
    let unshare = function("unshare"),
    unshare(0x20000 /* CLONE_NEWNS */) == 0,
    try shell(
      "mount --make-rprivate / && mount -t tmpfs none /run && mkdir -p /run/systemd/journal /run/log/journal")
      == ""
  else { return nil }
  let process = try ChildProcess([journald])
  defer {
    process.signal(SIGTERM)
    _ = process.status(within: 5)
  }
  for _ in 0..<500 where unsafe access("/run/systemd/journal/socket", F_OK) != 0 { usleep(10_000) }
  var status = stat()
  unsafe fstat(2, &status)
  unsafe setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
  defer { unsafe unsetenv("JOURNAL_STREAM") }
  let log = ServiceLog()
  log.write(
    .notice, "entry\nof a van", kind: .crossing, .device("van"), .region("office=1"), .event("entry"))
  log.write(.debug, "too fine")
  log.write(.info, "plain")
  var lines: [Substring] = []
  for _ in 0..<500 where lines.count < 2 {
    usleep(10_000)
    lines = try shell(
      "journalctl --directory=/run/log/journal -o json --no-pager SYSLOG_IDENTIFIER=fenceline"
    )
    .split(separator: "\n")
  }
  return lines.map { line in
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (object ?? [:]).compactMapValues { $0 as? String }
  }
}

/// A function of the C library that Swift does not show.
private func function(_ name: String) -> (@convention(c) (Int32) -> Int32)? {
  guard let symbol = unsafe dlsym(nil, name) else { return nil }
  return unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
}

/// What a script says; it runs in the thread's namespace.
private func shell(_ script: String) throws -> String {
  let folder = try TemporaryFolder()
  let process = try ChildProcess(
    ["/bin/sh", "-c", script], output: folder.path("said"), error: folder.path("said"))
  _ = process.status(within: 30)
  return folder.text("said")
}
