internal import CFencelineLinux
internal import Glibc
internal import Synchronization

/// What the threads of a program and that of its link share.
final class OrderBox: Sendable {
  private struct Content {
    var orders: [Order] = []
    var isClosed = false
    var server: ServerInfo?
  }

  /// Ready to be read as soon as there is something to do.
  let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
  private let content = Mutex(Content())

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Puts an order in.
  ///
  /// - Returns: False where the box was closed.
  func put(_ order: Order) -> Bool {
    let isTaken = content.withLock { content in
      if !content.isClosed { content.orders.append(order) }
      return !content.isClosed
    }
    _ = eventfd_write(descriptor, 1)
    return isTaken
  }

  /// Takes no more orders.
  func close() {
    content.withLock { $0.isClosed = true }
    _ = eventfd_write(descriptor, 1)
  }

  /// Takes all orders out.
  ///
  /// - Returns: The orders, and whether those are the last.
  func take() -> (orders: [Order], isLast: Bool) {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
    return content.withLock { content in
      defer { content.orders = [] }
      return (content.orders, content.isClosed)
    }
  }

  /// Who shows notifications; nil where nobody does.
  var server: ServerInfo? {
    get { content.withLock { $0.server } }
    set { content.withLock { $0.server = newValue } }
  }
}
