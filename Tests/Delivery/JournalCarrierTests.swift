import FencelineGeofencing
import FencelineNotifying
import FencelineSystemdLink
import FencelineTestSupport
import FencelineThreads
import Foundation
import Glibc
import Synchronization
import Testing

@testable import FencelineDelivery

/// The kind `journald`, with a real journal of each test's own.
@Suite(
  "Journal channel", .timeLimit(.minutes(2)),
  .enabled(if: MountNamespace.isAvailable, "mounts are not allowed: no journal can be had here"))
struct JournalCarrierTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// systemd-journald in a namespace of its own; nobody where it is not to run.
  private func journal(isRunning: Bool = true) throws -> MountNamespace {
    let start =
      isRunning
      ? """
      /lib/systemd/systemd-journald & echo $! >'\(folder.path("id"))'
      while [ ! -S /run/systemd/journal/socket ]; do sleep 0.01; done
      """ : ""
    return try MountNamespace(
      """
      mount -t tmpfs tmpfs /run
      mkdir -p /run/systemd/journal /run/log/journal
      echo 0123456789abcdef0123456789abcdef >/run/machine-id
      mount --bind /run/machine-id /etc/machine-id
      \(start)
      echo ready
      wait
      exec sleep 600
      """, in: folder)
  }

  /// Carries on a thread in the namespace.
  private func carried(_ parcels: [Parcel], _ values: [String: [String]] = [:], in journal: MountNamespace)
    throws
    -> [CarryOutcome]
  {
    let carrier = try ChannelKind.journald.carrier(values)
    return carrier.carried(parcels) { work in
      do {
        try journal.enter()
        work()
      } catch { Issue.record(error) }
    }.map(\.outcome)
  }

  /// The entries that journalctl finds, waited for until there are so many.
  private func entries(_ matches: String, _ count: Int, in journal: MountNamespace) throws
    -> [[String: String]]
  {
    for _ in 0..<500 {
      let child = try ChildProcess(
        ["journalctl", "--directory", journal.path("/run/log/journal/0123456789abcdef0123456789abcdef")]
          + ["-o", "json", "--all", matches], output: folder.path("found"))
      _ = child.status(within: 20)
      let lines = folder.text("found").split(separator: "\n")
      unlink(folder.path("found"))
      if lines.count >= count {
        return try lines.map { line in
          let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
          return object.compactMapValues { $0 as? String }
        }
      }
      usleep(10_000)
    }
    throw SystemTrouble("\(count) entries")
  }

  private func unlink(_ path: String) { unsafe _ = Glibc.unlink(path) }

  @Test func aCrossingIsAnEntryWithFields() throws {
    let journal = try journal()
    let parcels = [Parcel.crossing(1), .crossing(2, kind: .exit), .notification(3, level: .critical)]
    #expect(try carried(parcels, in: journal) == [.done, .done, .done])
    let entry = try entries("MESSAGE_ID=12d43ee2cdd34eac925d7586341a837d", 1, in: journal)[0]
    let expected = [
      "MESSAGE": "van: entry office", "PRIORITY": "5", "SYSLOG_IDENTIFIER": "fenceline",
      "FENCELINE_CHANNEL": "test", "FENCELINE_KEY": "key-1", "FENCELINE_TYPE": "crossing.entry",
      "FENCELINE_DEVICE": "van", "FENCELINE_REGION": "office", "FENCELINE_KIND": "entry",
      "FENCELINE_AT": "\(Parcel.moment)", "FENCELINE_CONFIRMED_AT": "\(Parcel.moment)",
      "FENCELINE_CAUSE": "observed", "FENCELINE_LEVEL": "active", "FENCELINE_RUN": "3",
      "FENCELINE_SEQUENCE": "17",
    ]
    // Neither texts nor positions.
    let names = ["MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER"]
    #expect(
      entry.filter { names.dropFirst(2).contains($0.key) || $0.key == "MESSAGE" || $0.key.hasPrefix("FENC") }
        == expected)
    #expect(
      try entries("MESSAGE_ID=7063179b413e48648046320ae099d81e", 1, in: journal)[0]["FENCELINE_KEY"]
        == "key-2")
    let note = try entries("FENCELINE_NOTIFICATION=3", 1, in: journal)[0]
    #expect(note["MESSAGE"] == "Notification 3 of fence" && note["PRIORITY"] == "2")
    #expect(note["MESSAGE_ID"] == "1a251b3a7d224220b832b2d3cc1cb316")
    #expect(note.values.allSatisfy { !$0.contains("Arrived") && !$0.contains("depot") })
  }

  @Test func textsAreWrittenWhereTheyAreWanted() throws {
    let journal = try journal()
    let parcels = [
      Parcel.notification(1, title: "Milk\u{1b}[31m", body: "two\nlines"),
      .notification(2, title: String(repeating: "x", count: 200_000), body: ""),
    ]
    #expect(try carried(parcels, ["texts": ["true"]], in: journal) == [.done, .done])
    let entry = try entries("FENCELINE_KEY=note-1", 1, in: journal)[0]
    #expect(entry["FENCELINE_BODY"] == "two\nlines")
    // What controls is no text to journalctl.
    #expect(entry["FENCELINE_TITLE"] == nil || entry["FENCELINE_TITLE"] == "Milk\u{1b}[31m")
    let long = try entries("FENCELINE_KEY=note-2", 1, in: journal)[0]
    #expect(long["MESSAGE"]?.count == 200_000)
  }

  @Test func whereThereIsNoJournalThatIsSaid() throws {
    let journal = try journal(isRunning: false)
    let words = "Cannot write to systemd's journal: it does not run. See 'systemctl status systemd-journald'."
    #expect(try carried([.crossing()], in: journal) == [.failed(words)])
  }

  /// It may go after it was asked.
  @Test func anEntryThatNobodyTakesIsNoSuccess() throws {
    let journal = try journal(isRunning: false)
    let error = Mutex<Int32>(0)
    BackgroundThread {
      do {
        try journal.enter()
        let code = SystemJournal.send([("MESSAGE", "x")])
        error.withLock { $0 = code }
      } catch { Issue.record(error) }
    }.join()
    #expect(error.withLock { $0 } == ENOENT)
  }

  @Test func aJournalThatHasGoneIsNoJournal() throws {
    let journal = try journal()
    let id = try #require(pid_t(folder.text("id").dropLast()))
    kill(id, SIGKILL)
    for _ in 0..<1000 where kill(id, 0) == 0 { usleep(10_000) }
    #expect(try carried([.crossing()], in: journal).map(\.result) == [.failed(after: nil)])
  }

  @Test func aJournalThatHangsKeepsNobodyWaiting() throws {
    let journal = try journal()
    let id = try #require(pid_t(folder.text("id").dropLast()))
    kill(id, SIGSTOP)
    let carrier = try ChannelKind.journald.carrier([:])
    let reports = Reports()
    let thread = RunnerThread {
      do { try journal.enter() } catch { Issue.record(error) }
      // The kernel keeps some for it; then it is busy.
      for number in 1...10_000 {
        var outcome = CarryOutcome.done
        carrier.carry([.crossing(Int64(number))]) { outcome = $1 }
        reports.all.withLock { $0.append((Int64(number), outcome)) }
        guard outcome == .done else { return }
      }
    }
    // As soon as nothing gets on.
    var last = (count: -1, rounds: 0)
    while last.rounds < 50 {
      let count = reports.all.withLock { $0.count }
      last = count == last.count ? (count, last.rounds + 1) : (count, 0)
      usleep(10_000)
    }
    carrier.stop()
    thread?.join()
    #expect(reports.all.withLock { $0.last?.outcome.result } == .postponed(seconds: 0))
    kill(id, SIGCONT)
  }

  @Test func eachTypeHasItsOwnIdentifier() {
    let ids = Array(JournalCarrier.messageIDs.values)
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.count == 32 && id.allSatisfy(\.isHexDigit)) }
  }
}
