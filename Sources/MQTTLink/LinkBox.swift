internal import CFencelineLinux
internal import Glibc
internal import Synchronization

/// What the threads of a program and that of its link share.
final class LinkBox: Sendable {
  private struct Content {
    var batches: [Batch] = []
    /// Whether somebody has waited in vain for the broker's word.
    var isImpatient = false
    var isClosed = false
    var isBlocked = false
    var hasEnded = false
  }

  /// Ready to be read as soon as there is something to do.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
  /// Ready to be read once the link's thread has ended.
  private let end = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
  private let content = Mutex(Content())

  deinit { for event in [descriptor, end] where event >= 0 { Glibc.close(event) } }

  /// Whether the system has given what it needs.
  var exists: Bool { descriptor >= 0 && end >= 0 }

  /// Puts something in that is to be published.
  ///
  /// - Returns: False where the box was closed.
  func put(_ batch: Batch) -> Bool {
    let isTaken = content.withLock { content in
      if !content.isClosed { content.batches.append(batch) }
      return !content.isClosed
    }
    _ = eventfd_write(descriptor, 1)
    return isTaken
  }

  /// Says that the broker has not answered for too long.
  func complain() {
    content.withLock { $0.isImpatient = true }
    _ = eventfd_write(descriptor, 1)
  }

  /// Takes out what is to be published.
  ///
  /// - Returns: That, and whether somebody has complained.
  func take() -> (batches: [Batch], isImpatient: Bool) {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
    return content.withLock { content in
      defer { (content.batches, content.isImpatient) = ([], false) }
      return (content.batches, content.isImpatient)
    }
  }

  /// Takes nothing more. What was put in and not taken out is stopped.
  func close() {
    let left = content.withLock { content in
      content.isClosed = true
      defer { content.batches = [] }
      return content.batches
    }
    for batch in left { batch.decideAll(.stopped) }
    _ = eventfd_write(descriptor, 1)
  }

  var isClosed: Bool { content.withLock { $0.isClosed } }

  /// Calls something that may take minutes. Whoever stops the link leaves its thread behind then.
  func blocking<Result>(_ body: () -> Result) -> Result {
    content.withLock { $0.isBlocked = true }
    defer { content.withLock { $0.isBlocked = false } }
    return body()
  }

  /// Says that the thread has ended.
  func sayEnd() {
    content.withLock { $0.hasEnded = true }
    _ = eventfd_write(end, 1)
  }

  /// Waits for the thread's end, not at all while that is in ``blocking(_:)``.
  func waitForEnd(milliseconds: Int32) {
    guard content.withLock({ !$0.hasEnded && !$0.isBlocked }) else { return }
    var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&request, 1, milliseconds) < 0, errno == EINTR {}
  }
}
