package import FencelinePositioning
internal import Synchronization

/// Reads a log on a thread of its own, some pieces ahead of who takes them.
///
/// ```swift
/// let reader = try TrackLogReader(path: "drive.nmea", options: LogOptions())
/// let ahead = ReadAhead(reader)
/// repeat { try ahead.next(&piece) … } while piece.goesOn
/// ```
///
/// What comes, in which order, and where a fault shows, is as if the reader itself were asked. It belongs to the thread until the
/// last piece or a fault is taken. Who takes no more need not wait: the thread ends by itself.
package final class ReadAhead {
  /// What was read at once.
  package struct Piece: Sendable {
    /// The fixes, in the order of the log.
    package fileprivate(set) var fixes: [Fix] = []
    /// Whether there may be more.
    package fileprivate(set) var goesOn = true
    /// How far the reading had come, as in ``TrackLogReader/progress``.
    package fileprivate(set) var progress: (consumed: Int64, size: Int64?) = (0, nil)
    fileprivate var fault: TrackLogError?

    /// A piece to be filled; its memory serves again.
    package init() {}

    /// Counts the tracks from another number on.
    package mutating func shiftTracks(by offset: Int32) {
      guard offset != 0 else { return }
      for place in fixes.indices { fixes[place].track += offset }
    }

    fileprivate mutating func fill(_ reader: TrackLogReader) {
      fixes.removeAll(keepingCapacity: true)
      fault = nil
      do throws(TrackLogError) {
        goesOn = try reader.read(into: &fixes)
      } catch {
        goesOn = false
        fault = error
      }
      progress = reader.progress
    }
  }

  private let reader: TrackLogReader
  /// Nil where the system gives no thread: then the pieces are read when they are asked for.
  private let belt: Belt?
  /// Whether the last piece, or a fault, was taken.
  private var hasEnded = false

  /// Begins to read.
  package init(_ reader: TrackLogReader) {
    self.reader = reader
    let belt = Belt(reader)
    self.belt = startThread({ belt.run() }) == 0 ? belt : nil
  }

  deinit {
    belt?.stop()
  }

  /// Gives the next piece in place of one that is done with.
  ///
  /// - Throws: `TrackLogError` where the content turns out to be none that may be read.
  package func next(_ piece: inout Piece) throws(TrackLogError) {
    if let belt, !hasEnded { belt.exchange(&piece) } else { piece.fill(reader) }
    hasEnded = !piece.goesOn
    if let fault = piece.fault { throw fault }
  }
}

@available(*, unavailable)
extension ReadAhead: Sendable {}

/// Pieces on their way from the reading thread to who takes them, and empty ones on their way back.
private final class Belt: Sendable {
  /// Pieces that are read and wait.
  private static let length = 4

  private struct State {
    var read: [ReadAhead.Piece] = []
    var used: [ReadAhead.Piece] = []
    var isStopped = false
  }
  private let state = Mutex(State())
  private let room = Semaphore(Belt.length)
  private let ready = Semaphore(0)
  // Only the thread uses it until the last piece is handed over, and then only who took that: the semaphore parts the two.
  nonisolated(unsafe) private let reader: TrackLogReader

  init(_ reader: TrackLogReader) {
    unsafe self.reader = reader
  }

  /// What the thread does.
  func run() {
    var goesOn = true
    while goesOn {
      room.wait()
      guard var piece = emptyPiece() else { return }
      unsafe piece.fill(reader)
      goesOn = piece.goesOn
      state.withLock { $0.read.append(piece) }
      ready.signal()
    }
  }

  private func emptyPiece() -> ReadAhead.Piece? {
    state.withLock { $0.isStopped ? nil : $0.used.popLast() ?? ReadAhead.Piece() }
  }

  func exchange(_ piece: inout ReadAhead.Piece) {
    ready.wait()
    let used = piece
    piece = state.withLock {
      $0.used.append(used)
      return $0.read.removeFirst()
    }
    room.signal()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }
}
