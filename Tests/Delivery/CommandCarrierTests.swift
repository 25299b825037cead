import FencelineDelivery
import FencelineJSONText
import FencelineTestSupport
import FencelineThreads
import Foundation
import Glibc
import Testing

/// The kind `command`, with real programs.
@Suite("Command channel", .timeLimit(.minutes(3))) struct CommandCarrierTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func carrier(_ words: [String], _ options: [String: [String]] = [:]) throws -> any Carrier {
    try ChannelKind.command.carrier(["program": words].merging(options) { $1 })
  }

  private func carry(
    _ words: [String], _ options: [String: [String]] = [:], parcel: Parcel = .crossing()
  ) throws -> CarryOutcome {
    let carrier = try carrier(words, options)
    defer { carrier.stop() }
    return try #require(carrier.carried(parcel).first).outcome
  }

  @Test func itGetsTheEventAsJSONAndVariables() throws {
    // Without those that this process has.
    let own = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("FENCELINE_") }
    let words =
      own.reduce(["env"]) { $0 + ["-u", $1] } + ["sh", "-c", "cat; env | grep ^FENCELINE_ | LC_ALL=C sort"]
    let outcome = try carry(words)
    #expect(outcome.result == .done && outcome.detail.isEmpty)
    #expect(
      outcome.output == """
        {"key":"key-1","type":"crossing.entry","device":"van","region":"office","kind":"entry"}
        FENCELINE_AT=\(Parcel.moment)
        FENCELINE_ATTEMPT=1
        FENCELINE_BODY=Since a minute
        FENCELINE_CAUSE=observed
        FENCELINE_CHANNEL=test
        FENCELINE_CONFIRMED_AT=\(Parcel.moment)
        FENCELINE_DEVICE=van
        FENCELINE_KEY=key-1
        FENCELINE_KIND=entry
        FENCELINE_LATITUDE=52.500000000
        FENCELINE_LEVEL=active
        FENCELINE_LONGITUDE=13.250000000
        FENCELINE_REGION=office
        FENCELINE_REGION_TITLE=The office
        FENCELINE_RUN=3
        FENCELINE_SEQUENCE=17
        FENCELINE_TITLE=The van is at the office
        FENCELINE_TYPE=crossing.entry

        """)
  }

  @Test func aNotificationIsToldByItsNumber() throws {
    let script =
      #"echo "$FENCELINE_TYPE $FENCELINE_NOTIFICATION $FENCELINE_APP $FENCELINE_REQUEST $FENCELINE_TITLE""#
    let parcel = Parcel.notification(7, app: "shop", identifier: "milk", title: "Buy\0 milk")
    #expect(try carry(["sh", "-c", script], parcel: parcel).output == "notification 7 shop milk Buy milk\n")
  }

  @Test(
    arguments: [
      (["true"], .done, ""), (["sh", "-c", "exit 65"], .refused, "'sh' does not take it (status 65)."),
      (["false"], .failed(after: nil), "'false' has ended with status 1."),
      (["sh", "-c", "exit 75"], .failed(after: nil), "'sh' has ended with status 75."),
      (["sh", "-c", "kill -SEGV $$"], .failed(after: nil), "'sh' was ended by signal 11."),
    ] as [([String], CarryOutcome.Result, String)])
  func itsEndDecides(_ words: [String], _ result: CarryOutcome.Result, _ detail: String) throws {
    let outcome = try carry(words)
    #expect(outcome.result == result && outcome.detail == detail)
    #expect(outcome.output == nil)
  }

  @Test func whatCannotBeStartedIsTriedAgain() throws {
    try folder.write("script", "echo no\n")
    unsafe chmod(folder.path("script"), 0o755)
    for (program, words) in [
      (folder.path("none"), "there is no such program"), (folder.path, "it may not be executed"),
      (folder.path("script"), "it is no program"),
    ] {
      let outcome = try carry([program])
      #expect(outcome.result == .failed(after: nil))
      #expect(outcome.detail.contains(words), "\(outcome.detail)")
    }
  }

  @Test func whoHangsIsKilledWithItsGroup() throws {
    let script = """
      trap '' TERM
      sh -c 'trap "" TERM; echo $$ >\(folder.path("grandchild")); while :; do sleep 0.1; done' &
      while [ ! -s \(folder.path("grandchild")) ]; do sleep 0.01; done
      echo hangs
      while :; do sleep 0.1; done
      """
    let outcome = try carry(["sh", "-c", script], ["timeout": ["2"], "grace": ["0.2"]])
    #expect(outcome.result == .failed(after: nil) && outcome.output == "hangs\n")
    #expect(outcome.detail == "'sh' has not ended within 2.0 s.")
    let grandchild = try #require(pid_t(folder.text("grandchild").dropLast()))
    #expect(waitForEnd(of: grandchild))
  }

  @Test func childrenThatHoldThePipesKeepNobodyWaiting() throws {
    // The second one goes into a session of its own, with a parent that has gone.
    let script = """
      sleep 600 & echo $! >\(folder.path("one"))
      (setsid sh -c 'echo $$ >\(folder.path("two")); exec sleep 600' &)
      while [ ! -s \(folder.path("two")) ]; do sleep 0.01; done
      echo done
      """
    let outcome = try carry(["sh", "-c", script], ["timeout": ["60"]])
    #expect(outcome.result == .done && outcome.output == "done\n")
    for name in ["one", "two"] {
      let id = try #require(pid_t(folder.text(name).dropLast()))
      #expect(kill(id, SIGKILL) == 0)
    }
  }

  @Test func aGigabyteOfOutputIsReadAndCut() throws {
    let outcome = try carry(["head", "-c", "1000000000", "/dev/zero"], ["timeout": ["120"]])
    #expect(outcome.result == .done)
    // Zero bytes are replaced, each by three bytes.
    let output = try #require(outcome.output)
    #expect(output.utf8.count <= 65_536 && output.utf8.count > 65_530)
    #expect(output.unicodeScalars.allSatisfy { $0 == "\u{fffd}" })
  }

  @Test func bothOutputsAreKeptAsText() throws {
    #expect(try carry(["sh", "-c", "echo out; echo err >&2"]).output == "out\nerr\n")
    #expect(try carry(["sh", "-c", "printf out; printf 'e\\377rr' >&2"]).output == "out\ne\u{fffd}rr")
    #expect(try carry(["sh", "-c", "printf err >&2"]).output == "err")
    let much = "head -c 90000 /dev/zero | tr '\\0' x; head -c 90000 /dev/zero | tr '\\0' y >&2"
    let output = try #require(try carry(["sh", "-c", much]).output)
    #expect(output == String(repeating: "x", count: 32_768) + "\n" + String(repeating: "y", count: 32_767))
  }

  @Test func whoReadsNothingIsNoTrouble() throws {
    let parcel = Parcel.notification(title: String(repeating: "x", count: 1 << 20))
    // A variable of the environment holds no more than 128 KiB.
    #expect(try carry(["sh", "-c", "echo ${#FENCELINE_TITLE}"], parcel: parcel).output == "65536\n")
    let long = Parcel(
      number: 1, key: "k", device: "", at: Parcel.moment,
      json: ["text": .text(String(repeating: "x", count: 1 << 20))], title: "T", body: "")
    #expect(try carry(["true"], parcel: long).result == .done)
    #expect(try carry(["sh", "-c", "exec <&-; echo on"], parcel: long).output == "on\n")
    #expect(try carry(["wc", "-c"], parcel: long).output == "\(long.line.count)\n")
  }

  @Test func stoppingEndsWhatRunsAndCountsAsNoAttempt() throws {
    let carrier = try carrier(["sh", "-c", "echo $$ >\(folder.path("id")); exec sleep 600"])
    let stopper = RunnerThread { [folder] in
      while !folder.text("id").hasSuffix("\n") { usleep(10_000) }
      carrier.stop()
    }
    let reports = carrier.carried(.crossing())
    stopper?.join()
    #expect(reports.map(\.outcome.result) == [.postponed(seconds: 0)])
    let id = try #require(pid_t(folder.text("id").dropLast()))
    #expect(waitForEnd(of: id))
    #expect(carrier.carried(.crossing(2)).map(\.outcome.result) == [.postponed(seconds: 0)])
  }

  @Test func whatIsWrongIsSaid() {
    #expect(
      ChannelKind.command.trouble([:]) == "Channel 'test' has no program. Name one, with its arguments.")
    #expect(ChannelKind.command.trouble(["program": ["a", "b\0c"]])?.contains("zero byte") == true)
    for (name, value) in [("timeout", "0"), ("timeout", "1e9"), ("timeout", "soon"), ("grace", "-1")] {
      let words = ChannelKind.command.trouble(["program": ["true"], name: [value]])
      #expect(words?.hasPrefix("'\(value)' is no time for --\(name) of channel 'test'.") == true)
    }
    #expect(ChannelKind.named("command")?.threads.most == 16)
  }

  /// Waits until a process has ended, for ten seconds at most.
  private func waitForEnd(of id: pid_t) -> Bool {
    for _ in 0..<1000 {
      let state = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
      if state.isEmpty || state.contains(") Z ") { return true }
      usleep(10_000)
    }
    return false
  }
}
