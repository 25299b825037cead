internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// Runs commands, a few at a time, on threads of its own.
///
/// ```swift
/// let runner = CommandRunner()
/// runner.run(CommandRequest(words: ["notify-send", "Arrived"])) { outcome in print(outcome.status) }
/// ```
package final class CommandRunner: Sendable {
  private typealias Job = (request: CommandRequest, done: @Sendable (CommandOutcome) -> Void)

  private struct Queue {
    var jobs: [Job] = []
    var threads: [RunnerThread] = []
    var isStopped = false
  }

  /// What its threads need; they do not hold the runner.
  private final class Core: Sendable {
    let queue = Mutex(Queue())
    /// Counts jobs, and threads that should end: who finds none waits.
    let jobs = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
    /// Ready to be read from the moment when everything should end.
    let stop = eventfd(0, Int32(EFD_CLOEXEC))
    let environment: [String]

    init(environment: [String]) { self.environment = environment }

    deinit { for descriptor in [jobs, stop] where descriptor >= 0 { close(descriptor) } }

    func work() {
      while true {
        var count: eventfd_t = 0
        while unsafe eventfd_read(jobs, &count) != 0, errno == EINTR {}
        let job: Job? = queue.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        guard let job else { return }
        let isStopped = queue.withLock { $0.isStopped }
        job.done(
          isStopped ? stopped : CommandChild.run(job.request, environment: environment, stop: stop))
      }
    }
  }

  private static let stopped = CommandOutcome(
    status: .notStarted("Cannot start a command any more: the service is stopping. Start it again."))
  private let core: Core

  /// Starts the threads.
  ///
  /// Commands get the environment that this process has now. Where this process ignores the end of its children, it no longer does, since
  /// nothing could be learnt of theirs.
  ///
  /// - Parameter threads: How many commands run at a time, 1 or more.
  package init(threads: Int = 2) {
    fenceline_attend_to_children()
    core = Core(environment: CommandRunner.environment)
    guard core.jobs >= 0, core.stop >= 0 else { return }
    for _ in 0..<max(1, threads) {
      guard let thread = RunnerThread({ [core] in core.work() }) else { break }
      core.queue.withLock { $0.threads.append(thread) }
    }
  }

  deinit { stop() }

  /// Runs a command as soon as it is its turn.
  ///
  /// - Parameters:
  ///   - command: What to run.
  ///   - done: Takes what has become of it, once, on a thread of the runner's; where it was stopped, on that of the caller.
  package func run(_ command: CommandRequest, done: @escaping @Sendable (CommandOutcome) -> Void) {
    let isTaken = core.queue.withLock { queue in
      guard !queue.isStopped, !queue.threads.isEmpty else { return false }
      queue.jobs.append((command, done))
      return true
    }
    if isTaken { _ = eventfd_write(core.jobs, 1) } else { done(CommandRunner.stopped) }
  }

  /// Ends what runs, as at its time limit, and waits for that; what has not begun never does. It must not be called from `done`. A
  /// second call does nothing.
  package func stop() {
    let threads = core.queue.withLock { queue in
      defer { queue.threads = [] }
      queue.isStopped = true
      return queue.threads
    }
    guard !threads.isEmpty else { return }
    _ = eventfd_write(core.stop, 1)
    _ = eventfd_write(core.jobs, eventfd_t(threads.count))
    for thread in threads { thread.join() }
  }

  private static var environment: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      unsafe variables.append(String(cString: variable))
      unsafe next += 1
    }
    return variables
  }
}
