internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// The threads of one channel, on which its carrier carries.
package final class Courier: Sendable {
  /// What carries.
  package let carrier: any Carrier
  private let core: Core

  /// What the threads need; they do not hold the courier.
  private final class Core: Sendable {
    struct State {
      var batches: [[Parcel]] = []
      var busy = 0
      var threads = 0
      var isStopped = false
    }

    let state: Mutex<State>
    /// Counts batches, and threads that should end.
    let work = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
    /// Can be read once the last thread has ended.
    let ended = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    let carrier: any Carrier
    let report: @Sendable (Parcel, CarryOutcome) -> Void
    let becameFree: @Sendable () -> Void

    init(
      _ carrier: any Carrier, _ report: @escaping @Sendable (Parcel, CarryOutcome) -> Void,
      _ becameFree: @escaping @Sendable () -> Void
    ) {
      state = Mutex(State())
      self.carrier = carrier
      self.report = report
      self.becameFree = becameFree
    }

    deinit { for descriptor in [work, ended] where descriptor >= 0 { close(descriptor) } }

    func run() {
      while true {
        var count: eventfd_t = 0
        while unsafe eventfd_read(work, &count) != 0, errno == EINTR {}
        let batch: [Parcel]? = state.withLock { state in
          state.isStopped || state.batches.isEmpty ? nil : state.batches.removeFirst()
        }
        guard let batch else { break }
        carry(batch)
        state.withLock { $0.busy -= 1 }
        becameFree()
      }
      let isLast = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      if isLast { _ = eventfd_write(ended, 1) }
    }

    private func carry(_ batch: [Parcel]) {
      var open = Set(batch.map(\.number))
      carrier.carry(batch) { parcel, outcome in
        if open.remove(parcel.number) != nil { report(parcel, outcome) }
      }
      for parcel in batch where open.contains(parcel.number) {
        report(parcel, CarryOutcome(.postponed(seconds: 0)))
      }
    }
  }

  /// A courier.
  ///
  /// - Parameters:
  ///   - carrier: What carries; it is stopped with the courier.
  ///   - threads: How many threads carry at once, 1 or more.
  ///   - report: Takes the outcome of every parcel, once each, on a thread of the courier's.
  ///   - becameFree: Told on such a thread that it takes more.
  /// - Throws: ``ChannelError`` where the carrier does not begin, or the system gives neither thread nor descriptor.
  package init(
    _ carrier: any Carrier, threads: Int, report: @escaping @Sendable (Parcel, CarryOutcome) -> Void,
    becameFree: @escaping @Sendable () -> Void
  ) throws(ChannelError) {
    self.carrier = carrier
    core = Core(carrier, report, becameFree)
    guard core.work >= 0, core.ended >= 0 else { throw Courier.noThread }
    do throws(ChannelError) { try carrier.start() } catch {
      carrier.stop()
      throw error
    }
    for _ in 0..<max(1, threads) {
      core.state.withLock { $0.threads += 1 }
      guard let thread = RunnerThread({ [core] in core.run() }) else {
        core.state.withLock { $0.threads -= 1 }
        continue
      }
      // Whoever waits for its end does so by ``waitForEnd(_:)``: one that a system call holds is left behind.
      thread.detach()
    }
    guard core.state.withLock({ $0.threads > 0 }) else {
      carrier.stop()
      throw Courier.noThread
    }
  }

  private static var noThread: ChannelError {
    ChannelError("The system gives no more threads or descriptors. End other programs, or raise the limits.")
  }

  deinit { stop() }

  /// How many batches it takes now.
  package var room: Int { core.state.withLock { $0.isStopped ? 0 : max(0, $0.threads - $0.busy) } }

  /// Whether parcels are being carried.
  package var isBusy: Bool { core.state.withLock { $0.busy > 0 } }

  /// Carries parcels as soon as a thread takes them: at once where there is ``room``.
  ///
  /// - Parameter parcels: At least one, and at most as many as the carrier takes.
  package func carry(_ parcels: [Parcel]) {
    let isTaken = core.state.withLock { state in
      guard !state.isStopped else { return false }
      state.batches.append(parcels)
      state.busy += 1
      return true
    }
    guard isTaken else {
      for parcel in parcels { core.report(parcel, CarryOutcome(.postponed(seconds: 0))) }
      return
    }
    _ = eventfd_write(core.work, 1)
  }

  /// Takes nothing more and ends what is being carried; what has not begun is reported as postponed. It does not wait for that: ``waitForEnd(_:)`` does. A
  /// second call does nothing.
  package func stop() {
    let (threads, left): (Int, [[Parcel]]) = core.state.withLock { state in
      guard !state.isStopped else { return (0, []) }
      state.isStopped = true
      defer { state.batches = [] }
      return (state.threads, state.batches)
    }
    for parcel in left.joined() { core.report(parcel, CarryOutcome(.postponed(seconds: 0))) }
    guard threads > 0 else { return }
    _ = eventfd_write(core.work, eventfd_t(threads))
    // It may take a moment, and nobody should wait for that here unless there is no other way.
    guard let thread = RunnerThread({ [core] in core.carrier.stop() }) else { return core.carrier.stop() }
    thread.detach()
  }

  /// Waits until nothing is carried any more.
  ///
  /// - Parameter patience: Milliseconds at most.
  /// - Returns: Whether that is so.
  package func waitForEnd(_ patience: Int32) -> Bool {
    var request = pollfd(fd: core.ended, events: Int16(POLLIN), revents: 0)
    if core.state.withLock({ $0.threads == 0 }) { return true }
    while unsafe poll(&request, 1, patience) < 0, errno == EINTR {}
    return core.state.withLock { $0.threads == 0 }
  }
}
