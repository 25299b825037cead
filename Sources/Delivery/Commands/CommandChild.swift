internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc

/// A command that runs, in a process group of its own: of this process it has inherited the three pipes, the working folder and the
/// environment, and nothing else.
struct CommandChild {
  /// How long the outputs are read after the child has ended, where others hold them open, in milliseconds.
  static let patience: Int64 = 200
  /// How long a killed child is waited for, in milliseconds: one that the kernel does not let go must not keep others waiting.
  static let patienceWithKilled: Int64 = 2000

  private let id: pid_t
  /// Ready to be read once the child has ended; -1 where the system has no such thing.
  private let ending: Int32

  /// Runs a command, and waits for its end.
  ///
  /// - Parameters:
  ///   - request: What to run.
  ///   - environment: The variables of this process, each as `NAME=value`.
  ///   - stop: A descriptor that can be read as soon as it should end; -1 for none.
  /// - Returns: What has become of it.
  static func run(_ request: CommandRequest, environment: [String], stop: Int32) -> CommandOutcome {
    if let trouble = request.trouble { return CommandOutcome(status: .notStarted(trouble)) }
    let start = MonotonicClock.now
    guard let pipes = CommandPipes(input: request.input) else {
      return CommandOutcome(status: .notStarted(CommandChild.trouble(request.words[0], errno)))
    }
    var variables = environment.filter { variable in
      request.environment[String(variable.prefix { $0 != "=" })] == nil
    }
    for (name, value) in request.environment { variables.append("\(name)=\(value)") }
    var child = pid_t()
    let code = spawn(request.words, variables, pipes, &child)
    guard code == 0 else {
      return CommandOutcome(status: .notStarted(CommandChild.trouble(request.words[0], code)))
    }
    pipes.handOver()
    let status = CommandChild(id: child, ending: pidfd_open(child, 0))
      .follow(
        pipes, until: start + Int64(max(0, request.timeLimit)), grace: Int64(max(0, request.grace)),
        stop: stop)
    return CommandOutcome(
      status: status, output: pipes.output, errorOutput: pipes.errorOutput, isCut: pipes.isCut,
      milliseconds: Int(MonotonicClock.now - start))
  }

  // MARK: Start

  private static func spawn(
    _ words: [String], _ variables: [String], _ pipes: CommandPipes, _ child: inout pid_t
  ) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for number in 0..<3 {
      unsafe posix_spawn_file_actions_adddup2(&actions, pipes.theirs[number], Int32(number))
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
    return unsafe posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &environment)
  }

  private static func trouble(_ program: String, _ code: Int32) -> String {
    let (reason, advice): (String, String) =
      switch code {
      case ENOENT: ("there is no such program", "Give the whole path of one that is installed.")
      case EACCES, EPERM: ("it may not be executed", "Allow that with 'chmod +x', or name another program.")
      case ENOEXEC:
        ("it is no program", "A script begins with a line such as '#!/bin/sh'.")
      case E2BIG: ("its arguments are too long", "Hand long content over on standard input.")
      case EMFILE, ENFILE, EAGAIN, ENOMEM:
        ("there are too many processes or open files", "End other programs, or raise the limits.")
      default:
        (unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)", "Name another program.")
      }
    return "Cannot start '\(program)': \(reason). \(advice)"
  }

  // MARK: End

  /// What is being waited for.
  private enum Phase {
    case running(until: Int64)
    /// It has ended; what it has started may go on, and write.
    case ended(until: Int64)
    /// The group was asked to end.
    case ending(until: Int64, isLate: Bool)
    case killed(until: Int64, isLate: Bool)
  }

  private func follow(_ pipes: CommandPipes, until end: Int64, grace: Int64, stop: Int32)
    -> CommandOutcome.Status
  {
    defer { if ending >= 0 { close(ending) } }
    var phase = Phase.running(until: end)
    var isStopped = false
    while true {
      let hasEnded = hasEnded
      let now = MonotonicClock.now
      switch phase {
      case .running where hasEnded: phase = .ended(until: now + CommandChild.patience)
      case .running(let until) where now >= until || isStopped:
        kill(-id, SIGTERM)
        phase = .ending(until: now + grace, isLate: !isStopped)
      case .ended(let until) where now >= until || isStopped || pipes.areAtEnd: return reap()
      case .ending(let until, let isLate) where now >= until || hasEnded && pipes.areAtEnd:
        // It is not waited for before, so that the group keeps its number.
        kill(-id, SIGKILL)
        phase = .killed(until: now + CommandChild.patienceWithKilled, isLate: isLate)
      case .killed(let until, let isLate) where hasEnded || now >= until:
        let status = hasEnded ? reap() : .signalled(SIGKILL)
        return isLate ? .timedOut : status
      default: wait(pipes, phase, hasEnded: hasEnded, stop: isStopped ? -1 : stop, &isStopped)
      }
    }
  }

  private func wait(
    _ pipes: CommandPipes, _ phase: Phase, hasEnded: Bool, stop: Int32, _ isStopped: inout Bool
  ) {
    let until: Int64 =
      switch phase {
      case .running(let until), .ended(let until), .ending(let until, _), .killed(let until, _): until
      }
    var left = Int32(clamping: max(0, until - MonotonicClock.now))
    // Without a descriptor for the end there is nothing for it but to look again and again.
    if ending < 0 { left = min(left, 10) }
    var requests = pipes.requests
    requests.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0))
    if !hasEnded { requests.append(pollfd(fd: ending, events: Int16(POLLIN), revents: 0)) }
    guard unsafe poll(&requests, nfds_t(requests.count), left) > 0 else { return }
    isStopped = isStopped || requests[3].revents != 0
    pipes.work()
  }

  /// Whether the child has ended; it stays to be waited for.
  private var hasEnded: Bool {
    var information = unsafe siginfo_t()
    let result = unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT)
    // Where somebody else has waited for it, it has ended too.
    return unsafe result == 0 ? information.si_signo == SIGCHLD : errno == ECHILD
  }

  private func reap() -> CommandOutcome.Status {
    var word: Int32 = 0
    guard unsafe waitpid(id, &word, WNOHANG) == id else {
      return .notStarted("The command's status was lost: something else in this program has waited for it.")
    }
    return word & 0x7f == 0 ? .exited(word >> 8 & 0xff) : .signalled(word & 0x7f)
  }
}
