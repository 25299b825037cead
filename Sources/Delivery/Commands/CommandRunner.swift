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
    let host = CommandHost()

    deinit { if jobs >= 0 { close(jobs) } }

    func work() {
      while true {
        var count: eventfd_t = 0
        while unsafe eventfd_read(jobs, &count) != 0, errno == EINTR {}
        let job: Job? = queue.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        guard let job else { return }
        job.done(host.run(job.request))
      }
    }
  }

  private let core = Core()

  /// Starts the threads.
  ///
  /// Commands get the environment that this process has now. Where this process ignores the end of its children, it no longer does, since
  /// nothing could be learnt of theirs.
  ///
  /// - Parameter threads: How many commands run at a time, 1 or more.
  package init(threads: Int = 2) {
    guard core.jobs >= 0 else { return }
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
    if isTaken { _ = eventfd_write(core.jobs, 1) } else { done(CommandHost.stopped) }
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
    core.host.stop()
    _ = eventfd_write(core.jobs, eventfd_t(threads.count))
    for thread in threads { thread.join() }
  }
}
