internal import CFencelineLinux
internal import Glibc

/// The three pipes between this process and a child. Its ends here do not block, and no other child inherits any.
final class CommandPipes {
  /// What is still to be written to the child.
  private var input: ArraySlice<UInt8>
  /// The ends here: input, output, standard error; -1 where closed.
  private var ours: [Int32] = [-1, -1, -1]
  /// The child's ends, until it has them.
  private(set) var theirs: [Int32] = [-1, -1, -1]
  private(set) var output: [UInt8] = []
  private(set) var errorOutput: [UInt8] = []
  private(set) var isCut = false
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Makes them; nil where the system gives none.
  init?(input: [UInt8]) {
    self.input = input[...]
    for index in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
      // The child's numbers 0 to 2 may be closed here, and would be taken then.
      for end in 0..<2 where ends[end] < 3 {
        let moved = fcntl(ends[end], F_DUPFD_CLOEXEC, 3)
        close(ends[end])
        ends[end] = moved
      }
      let own = index == 0 ? 1 : 0
      (ours[index], theirs[index]) = (ends[own], ends[1 - own])
      guard ours[index] >= 0, theirs[index] >= 0, fcntl(ours[index], F_SETFL, O_NONBLOCK) == 0 else {
        return nil
      }
    }
  }

  deinit {
    for descriptor in ours + theirs where descriptor >= 0 { close(descriptor) }
  }

  /// Closes the child's ends here, once it has them.
  func handOver() {
    for index in 0..<3 {
      close(theirs[index])
      theirs[index] = -1
    }
    if input.isEmpty { closeOurs(0) }
  }

  /// Whether whoever has inherited them has closed both outputs.
  var areAtEnd: Bool { ours[1] < 0 && ours[2] < 0 }

  /// What to wait for.
  var requests: [pollfd] {
    [
      pollfd(fd: ours[0], events: Int16(POLLOUT), revents: 0),
      pollfd(fd: ours[1], events: Int16(POLLIN), revents: 0),
      pollfd(fd: ours[2], events: Int16(POLLIN), revents: 0),
    ]
  }

  /// Writes and reads what can be without waiting: a piece of each, so that a flood keeps nothing else from its turn.
  func work() {
    if ours[0] >= 0 { writeOn() }
    for index in 1...2 where ours[index] >= 0 { readOn(index) }
  }

  private func writeOn() {
    let count = unsafe input.withUnsafeBytes { unsafe write(ours[0], $0.baseAddress, $0.count) }
    if count > 0 { input = input.dropFirst(count) }
    // It may read no more.
    if input.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR { closeOurs(0) }
  }

  private func readOn(_ index: Int) {
    let count = unsafe read(ours[index], &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return closeOurs(index) }
    let room = CommandOutcome.maximumOutput - (index == 1 ? output.count : errorOutput.count)
    if count > room { isCut = true }
    let kept = buffer[..<min(room, count)]
    if index == 1 { output += kept } else { errorOutput += kept }
  }

  private func closeOurs(_ index: Int) {
    close(ours[index])
    ours[index] = -1
  }
}
