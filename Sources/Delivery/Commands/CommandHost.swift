internal import CFencelineLinux
internal import Glibc
internal import Synchronization

/// Where commands run, on the threads of whoever asks: with the environment that this process had at first, and until all are to end.
final class CommandHost: Sendable {
  private let environment: [String]
  /// Ready to be read from the moment when everything should end; -1 where the system gives none.
  private let ending = eventfd(0, Int32(EFD_CLOEXEC))
  private let stopping = Atomic(false)

  /// Takes the environment. Where this process ignores the end of its children, it no longer does, since nothing could be learnt of theirs.
  init() {
    fenceline_attend_to_children()
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      unsafe variables.append(String(cString: variable))
      unsafe next += 1
    }
    environment = variables
  }

  deinit { if ending >= 0 { close(ending) } }

  /// Whether it was stopped.
  var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// Runs a command, and waits for its end.
  func run(_ request: CommandRequest) -> CommandOutcome {
    guard !isStopped else { return CommandHost.stopped }
    return CommandChild.run(request, environment: environment, stop: ending)
  }

  /// Ends what runs, as at its time limit, without waiting for that. Nothing begins any more.
  func stop() {
    stopping.store(true, ordering: .releasing)
    _ = eventfd_write(ending, 1)
  }

  /// What becomes of a command that begins too late.
  static let stopped = CommandOutcome(
    status: .notStarted("Cannot start a command any more: the service is stopping. Start it again."))
}
