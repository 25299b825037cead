internal import CFencelineMicrohttpd
internal import Synchronization

/// The events that wait for one client, and the connection to it.
///
/// The publisher adds, the server's thread takes; the connection is suspended while there is nothing to take.
final class EventStream: Sendable {
  private struct State {
    /// Whole events as they are sent.
    var waiting: [[UInt8]] = []
    /// What is left of what is being sent; at first a comment, which tells the client that it is connected.
    var rest = EventStream.comment[...]
    /// Events that were dropped since the client was last told.
    var dropped = 0
    var isEnded = false
    /// Whether the client has gone.
    var isHungUp = false
    /// The connection while it is suspended.
    var connection: Handle?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let names: Set<String>?

  /// - Parameters:
  ///   - names: The events that are wanted; nil is all.
  ///   - capacity: How many may wait.
  ///   - past: What is sent first.
  init(names: Set<String>?, capacity: Int, past: [[UInt8]]) {
    self.names = names
    self.capacity = capacity
    state.withLock { $0.waiting = past }
  }

  func wants(_ name: String) -> Bool { names?.contains(name) ?? true }

  /// Adds an event; where too many wait, the oldest goes.
  ///
  /// - Returns: How many were dropped.
  func add(_ event: [UInt8]) -> Int {
    state.withLock { state in
      guard !state.isEnded else { return 0 }
      let isFull = state.waiting.count >= capacity
      if isFull {
        state.waiting.removeFirst()
        state.dropped += 1
      }
      state.waiting.append(event)
      Self.resume(&state)
      return isFull ? 1 : 0
    }
  }

  /// Sends a comment where nothing waits to be sent, which shows to either side that the other one is there.
  func keepAlive() {
    state.withLock { state in
      guard state.connection != nil, !state.isEnded else { return }
      state.rest = EventStream.comment[...]
      Self.resume(&state)
    }
  }

  /// Ends at once, since nobody reads it any more.
  func hangUp() {
    state.withLock { state in
      state.isHungUp = true
      Self.resume(&state)
    }
  }

  /// Lets the client have what waits, then ends.
  func end() {
    state.withLock { state in
      state.isEnded = true
      Self.resume(&state)
    }
  }

  /// Goes on with a connection that waits for events.
  private static func resume(_ state: inout State) {
    guard let connection = state.connection else { return }
    state.connection = nil
    unsafe MHD_resume_connection(connection.pointer)
  }

  /// Takes what is to be sent next; on the server's thread, which suspends the connection where there is nothing.
  ///
  /// - Returns: How many bytes were put into `buffer`; -1 for the end of the stream, -2 where it breaks off.
  func read(into buffer: UnsafeMutableRawBufferPointer, for connection: Handle) -> Int {
    state.withLock { state in
      guard !state.isHungUp else { return -2 }
      if state.rest.isEmpty {
        if state.dropped > 0 {
          state.rest = EventStream.lost(state.dropped)[...]
          state.dropped = 0
        } else if !state.waiting.isEmpty {
          state.rest = state.waiting.removeFirst()[...]
        }
      }
      guard state.rest.isEmpty else {
        let piece = state.rest.prefix(buffer.count)
        unsafe buffer.copyBytes(from: piece)
        state.rest = state.rest.dropFirst(piece.count)
        return piece.count
      }
      guard !state.isEnded else { return -1 }
      state.connection = connection
      unsafe MHD_suspend_connection(connection.pointer)
      return 0
    }
  }

  static let comment = Array(": \n\n".utf8)

  /// What a client is told that has missed events; nil where nobody knows how many.
  static func lost(_ count: Int?) -> [UInt8] {
    Array("event: lost\ndata: {\"events\":\(count.map(String.init) ?? "null")}\n\n".utf8)
  }
}
