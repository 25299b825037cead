internal import Synchronization

/// Transfers to one peer, one for each thread that asks at the same time, with their open connections.
package final class TransferPool: Sendable {
  private struct State {
    var idle: [Transfer] = []
    var busy: [Transfer] = []
    var isStopped = false
  }

  private let state = Mutex(State())

  /// None yet.
  package init() {}

  /// A transfer for the caller alone, until it is given back.
  ///
  /// - Throws: ``TransferError`` where everything is stopped.
  package func borrow() throws(TransferError) -> Transfer {
    let kept: Transfer?? = state.withLock { state in
      if state.isStopped { return .none }
      guard let transfer = state.idle.popLast() else { return .some(nil) }
      state.busy.append(transfer)
      return transfer
    }
    guard let kept else { throw TransferError(.stopped, "The channel was stopped.") }
    if let kept { return kept }
    guard let new = Transfer() else { throw TransferError(.setup, "There is no memory for a transfer.") }
    let isTaken = state.withLock { state in
      if !state.isStopped { state.busy.append(new) }
      return !state.isStopped
    }
    guard isTaken else { throw TransferError(.stopped, "The channel was stopped.") }
    return new
  }

  /// Takes a transfer back, to be lent again.
  package func giveBack(_ transfer: Transfer) {
    transfer.reset(refusesLocal: true)
    state.withLock { state in
      state.busy.removeAll { $0 === transfer }
      if !state.isStopped { state.idle.append(transfer) }
    }
  }

  /// Ends every transfer, and those to come; from any thread, without waiting.
  package func stop() {
    let idle = state.withLock { state in
      state.isStopped = true
      for transfer in state.busy { transfer.interrupt() }
      defer { state.idle = [] }
      return state.idle
    }
    // Their connections close here, not under the lock.
    _ = idle
  }
}
