package import FencelineCivilTime
package import FencelineGeodesy

/// Where one device was.
package struct Track {
  /// The device.
  package var device: String
  /// The pieces, in the order in which the fixes came.
  package var pieces: [Piece] = []

  /// Fixes that follow closely from one another.
  package struct Piece {
    /// Whether the device came here from the end of the piece before, on a way that is not known.
    package var followsGap: Bool
    /// The times of the first and the last fix.
    package var began: Timestamp
    package var ended: Timestamp
    /// The places, at least one.
    package var points: [Coordinate]
  }

  /// How many places there are.
  var count: Int { pieces.reduce(0) { $0 + $1.points.count } }
}
