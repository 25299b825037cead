package import FencelinePositioning

/// What a live source tells.
package enum SourceEvent: Sendable {
  /// A position on Earth that a receiver vouches for, and when it came.
  case fix(Fix, Arrival)
  /// A fix that was told before, with what the receiver has said of the same instant since: its altitude, speed or course.
  case completed(Fix)
  /// A change of a receiver's state, or of the source's.
  case signal(Signal)
  /// What whoever carries a device wants to have watched, from a source that was told to accept that.
  case regions(ReportedRegions)
}

/// Way-points that a device has published.
package struct ReportedRegions: Hashable, Sendable {
  /// The name of the source.
  package var source: String
  /// The device.
  package var device: String
  /// Those that it watches, as a document of OwnTracks of the type `waypoints`, as files of regions hold it; nil where there are none.
  package var document: [UInt8]?
  /// Those that it no longer watches, by what people call them.
  package var unwatched: [String]
  /// When they came.
  package var at: Arrival
}

/// A source of fixes that never ends by itself, standard input aside: whatever goes wrong, it tries again.
package protocol LiveSource: AnyObject, Sendable {
  /// What it is called in signals: `gpsd localhost:2947`.
  var name: String { get }

  /// Begins; may be called once.
  ///
  /// - Parameter deliver: Called from the source's own thread, one event after the other.
  /// - Throws: `LiveSourceError` where the system gives no thread.
  func start(_ deliver: @escaping @Sendable (SourceEvent) -> Void) throws(LiveSourceError)

  /// Ends it, within a second; nothing is delivered after that. Not to be called from `deliver`.
  func stop()

  /// What was left out so far, in the plural, each with how many: `("reports without a fix", 12)`.
  var counts: [(name: String, count: Int)] { get }
}

/// Why a source cannot be used.
package struct LiveSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble.
  package enum Code: Hashable, Sendable {
    /// The text names no source.
    case address
    /// The system refuses a thread or a descriptor.
    case resources
  }

  /// The kind of trouble.
  package var code: Code
  /// What was being done, with what, and what to do.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
