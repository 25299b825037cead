import FencelineDelivery
import FencelineTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// With real programs.
@Suite("Command runner", .timeLimit(.minutes(2))) struct CommandRunnerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ words: [String], input: String = "", environment: [String: String] = [:], timeLimit: Int = 30_000,
    grace: Int = 5000
  ) throws -> CommandOutcome {
    let runner = CommandRunner()
    defer { runner.stop() }
    return try run(
      CommandRequest(
        words: words, input: Array(input.utf8), environment: environment, timeLimit: timeLimit, grace: grace),
      on: runner)
  }

  private func run(_ request: CommandRequest, on runner: CommandRunner) throws -> CommandOutcome {
    let outcomes = Outcomes()
    runner.run(request) { outcomes.add($0) }
    return try #require(outcomes.wait(for: 1).first)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Waits until a file holds something, for ten seconds at most.
  private func wait(for name: String) throws -> String {
    for _ in 0..<1000 {
      let text = folder.text(name)
      if text.hasSuffix("\n") { return text }
      usleep(10_000)
    }
    throw SystemTrouble(name)
  }

  /// Whether a process runs: one that has ended and was not waited for does not.
  private func isRunning(_ id: pid_t) -> Bool {
    let state = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    return !state.isEmpty && !state.contains(") Z ")
  }

  @Test func inputGoesInAndBothOutputsComeOut() throws {
    let json = #"{"kind":"entry","region":"café"}"#
    let outcome = try run(["sh", "-c", "cat; echo trouble >&2; exit 3"], input: json)
    #expect(outcome.status == .exited(3) && !outcome.isSuccess)
    #expect(text(outcome.output) == json && text(outcome.errorOutput) == "trouble\n")
    #expect(!outcome.isCut && outcome.milliseconds >= 0)
    #expect(try run(["true"]).isSuccess)
  }

  @Test func noShellReadsTheArguments() throws {
    let words = ["printf", "%s|", "$HOME", "a b", "`id`", "*", ""]
    #expect(text(try run(words).output) == "$HOME|a b|`id`|*||")
  }

  @Test func variablesAreAddedAndReplaced() throws {
    let outcome = try run(
      ["sh", "-c", "echo \"$FENCELINE_REGION,$HOME,$PATH\""],
      environment: ["FENCELINE_REGION": "a=b", "HOME": "/nowhere"])
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    #expect(text(outcome.output) == "a=b,/nowhere,\(path)\n")
  }

  @Test func muchInputGoesInWhileMuchOutputComesOut() throws {
    // More than fits into both pipes, so that neither side may wait for the other.
    let request = CommandRequest(words: ["cat"], input: [UInt8](repeating: 65, count: 1 << 20))
    let runner = CommandRunner()
    let outcome = try run(request, on: runner)
    runner.stop()
    #expect(outcome.isSuccess && outcome.isCut)
    #expect(outcome.output == [UInt8](repeating: 65, count: CommandOutcome.maximumOutput))
  }

  @Test func aFloodIsReadAndCut() throws {
    let script =
      "import os\nfor i in range(400): os.write(1, b'x' * 50000); os.write(2, b'y' * 50000)\nos._exit(5)"
    let outcome = try run(["python3", "-c", script])
    #expect(outcome.status == .exited(5) && outcome.isCut)
    #expect(outcome.output == [UInt8](repeating: 120, count: CommandOutcome.maximumOutput))
    #expect(outcome.errorOutput == [UInt8](repeating: 121, count: CommandOutcome.maximumOutput))
    let exact = try run(["head", "-c", "\(CommandOutcome.maximumOutput)", "/dev/zero"])
    #expect(exact.isSuccess && !exact.isCut && exact.output.count == CommandOutcome.maximumOutput)
  }

  @Test func whoReadsNoInputIsNoTrouble() throws {
    let input = String(repeating: "x", count: 1 << 20)
    #expect(try run(["true"], input: input).isSuccess)
    let closing = try run(["sh", "-c", "exec <&-; echo on; exit 4"], input: input)
    #expect(closing.status == .exited(4) && text(closing.output) == "on\n")
  }

  @Test func itReadsNothingWhereThereIsNoInput() throws {
    #expect(try run(["cat"]).isSuccess)
  }

  @Test func aSignalIsTold() throws {
    #expect(try run(["sh", "-c", "kill -SEGV $$"]).status == .signalled(SIGSEGV))
    // Not those that stop it, which is no end.
    let stopped = try run(["sh", "-c", "kill -STOP $$"], timeLimit: 100, grace: 100)
    #expect(stopped.status == .timedOut)
  }

  @Test func whatCannotBeStartedIsNamed() throws {
    try folder.write("plain", "echo no\n")
    try folder.write("text", "echo no\n")
    unsafe chmod(folder.path("text"), 0o755)
    let cases = [
      ([folder.path("none")], "Cannot start '\(folder.path("none"))': there is no such program."),
      (["no-such-program"], "Cannot start 'no-such-program': there is no such program."),
      ([folder.path("plain")], "it may not be executed. Allow that with 'chmod +x'"),
      ([folder.path("text")], "it is no program. A script begins"),
      ([folder.path], "it may not be executed"), ([], "without words"), ([""], "without words"),
      (["true", "a\0b"], "zero byte"),
      (["true", String(repeating: "x", count: 1 << 18)], "its arguments are too long"),
    ]
    for (words, sentence) in cases {
      guard case .notStarted(let reason) = try run(words).status else {
        Issue.record("\(words.first ?? "") has run")
        continue
      }
      #expect(reason.contains(sentence) && reason.hasSuffix("."), "\(reason)")
    }
    for variables in [["A=B": "x"], ["": "x"], ["A": "x\0"]] {
      guard case .notStarted(let reason) = try run(["true"], environment: variables).status else {
        Issue.record("\(variables) was taken")
        continue
      }
      #expect(reason.contains("is no variable of an environment"))
    }
  }

  @Test func whoHangsIsAskedToEndInTime() throws {
    let polite = try run(
      ["sh", "-c", "trap 'echo bye; exit 0' TERM; echo begun; while :; do sleep 0.01; done"], timeLimit: 300)
    #expect(polite.status == .timedOut)
    #expect(text(polite.output) == "begun\nbye\n")
    #expect(polite.milliseconds >= 300 && polite.milliseconds < 5000)
  }

  @Test func whoDoesNotEndIsKilledWithItsGroup() throws {
    let script = """
      trap '' TERM
      sh -c 'trap "" TERM; echo $$ >\(folder.path("grandchild")); while :; do sleep 1; done' &
      while :; do sleep 1; done
      """
    let outcome = try run(["sh", "-c", script], timeLimit: 500, grace: 200)
    #expect(outcome.status == .timedOut)
    #expect(outcome.milliseconds >= 700 && outcome.milliseconds < 5000)
    let grandchild = try #require(pid_t(try wait(for: "grandchild").dropLast()))
    for _ in 0..<1000 where isRunning(grandchild) { usleep(10_000) }
    #expect(!isRunning(grandchild))
  }

  @Test func whatItHasStartedMayGoOn() throws {
    let script = "sleep 60 & echo $! >\(folder.path("id")); echo done"
    let outcome = try run(["sh", "-c", script])
    // The sleeper holds both pipes open.
    #expect(outcome.isSuccess && text(outcome.output) == "done\n")
    #expect(outcome.milliseconds < 20_000)
    let sleeper = try #require(pid_t(try wait(for: "id").dropLast()))
    #expect(isRunning(sleeper))
    kill(sleeper, SIGKILL)
  }

  @Test func itInheritsNothingButThePipes() throws {
    // Descriptors that no one has marked to be closed.
    var own: [Int32] = [-1, -1]
    #expect(unsafe pipe(&own) == 0)
    let high = fcntl(own[0], F_DUPFD, 600)
    defer { for descriptor in own + [high] { close(descriptor) } }
    let script = """
      import os, signal
      print(sorted(int(f) for f in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + f)))
      print(os.getpgrp() == os.getpid(), signal.pthread_sigmask(signal.SIG_BLOCK, []))
      print([line.split()[1] for line in open('/proc/self/status') if line.startswith('SigBlk')])
      """
    let outcome = try run(["python3", "-c", script])
    #expect(text(outcome.output) == "[0, 1, 2]\nTrue set()\n['0000000000000000']\n")
    // Nothing is ignored, but two signals that the C library keeps for itself.
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let ignored = text(try run(["grep", "SigIgn", "/proc/self/status"]).output)
    let mask = try #require(UInt64(ignored.filter(\.isHexDigit).suffix(16), radix: 16), "\(ignored)")
    #expect(mask & ~0x1_8000_0000 == 0)
  }

  @Test func onlySoManyRunAtATime() throws {
    let runner = CommandRunner(threads: 2)
    let outcomes = Outcomes()
    // Each notes how many of them there are.
    let script = """
      mkdir '\(folder.path)/at work'$$; ls '\(folder.path)' | grep -c 'at work'; sleep 0.05; rmdir '\(folder.path)/at work'$$
      """
    for _ in 0..<8 { runner.run(CommandRequest(words: ["sh", "-c", script])) { outcomes.add($0) } }
    let counts = outcomes.wait(for: 8).map { text($0.output) }
    #expect(counts.count == 8 && counts.allSatisfy { $0 == "1\n" || $0 == "2\n" }, "\(counts)")
    #expect(counts.contains("2\n"))
    runner.stop()
  }

  @Test func stoppingEndsWhatRunsAndWhatWaits() throws {
    let runner = CommandRunner(threads: 1)
    let outcomes = Outcomes()
    let script = "echo $$ >\(folder.path("id")); exec sleep 60"
    for _ in 0..<3 {
      runner.run(CommandRequest(words: ["sh", "-c", script], grace: 5000)) { outcomes.add($0) }
    }
    let child = try #require(pid_t(try wait(for: "id").dropLast()))
    runner.stop()
    #expect(!isRunning(child))
    let statuses = outcomes.all.map(\.status)
    try #require(statuses.count == 3)
    #expect(statuses[0] == .signalled(SIGTERM))
    for status in statuses.dropFirst() {
      guard case .notStarted(let reason) = status else {
        Issue.record("\(status)")
        continue
      }
      #expect(reason.contains("is stopping"))
    }
    // From now on nothing begins.
    runner.run(CommandRequest(words: ["true"])) { outcomes.add($0) }
    #expect(outcomes.all.count == 4 && outcomes.all[3] == outcomes.all[2])
    runner.stop()
  }

  @Test func noDescriptorAndNoProcessIsLeft() throws {
    let runner = CommandRunner()
    let outcomes = Outcomes()
    for number in 0..<60 {
      let words = [["true"], ["no-such-program"], ["sh", "-c", "kill -9 $$"]][number % 3]
      runner.run(CommandRequest(words: words, input: [1, 2, 3])) { outcomes.add($0) }
    }
    #expect(outcomes.wait(for: 60).count == 60)
    #expect(outcomes.all.count { $0.isSuccess } == 20)
    #expect(outcomes.all.count { $0.status == .signalled(SIGKILL) } == 20)
    runner.stop()
    // Children of this process that nobody has waited for; other tests may have some that have just ended.
    var zombies: Set<String> = []
    for round in 0..<1000 {
      let now = Set(Self.zombies(of: getpid()))
      zombies = round == 0 ? now : zombies.intersection(now)
      if zombies.isEmpty { break }
      usleep(10_000)
    }
    #expect(zombies.isEmpty)
  }

  private static func zombies(of parent: pid_t) -> [String] {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return ids.filter { id in
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && fields[0] == "Z" && fields[1] == "\(parent)"
    }
  }
}

/// The outcomes of commands, to be waited for.
private final class Outcomes: Sendable {
  private let outcomes = Mutex<[CommandOutcome]>([])

  var all: [CommandOutcome] { outcomes.withLock { $0 } }

  func add(_ outcome: CommandOutcome) { outcomes.withLock { $0.append(outcome) } }

  /// Waits until there are so many, for a minute at most.
  func wait(for count: Int) -> [CommandOutcome] {
    for _ in 0..<6000 where all.count < count { usleep(10_000) }
    return all
  }
}
