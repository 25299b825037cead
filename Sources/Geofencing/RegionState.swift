internal import FencelineCivilTime
internal import FencelineGeodesy

/// What is known of one device and one region.
struct RegionState: Hashable, Sendable, Codable {
  enum Side: Hashable, Sendable, Codable {
    case unknown, outside, inside
  }

  /// The clear fixes that speak for the other side, so far.
  struct Candidate: Hashable, Sendable, Codable {
    var first: Timestamp
    var place: PlanePoint
    var fixes: Int
  }

  var side: Side
  var candidate: Candidate?
  /// The latest time that the track met the perimeter on its way in, and on its way out.
  var entered: Meeting?
  var left: Meeting?
  /// When the visit's clock started, in milliseconds since 1970.
  var visitFrom = 0.0
  var dwellsFired = 0
  /// Where the last accepted fix lies as seen from the region's centre; nil before the first.
  var place: PlanePoint?

  init(side: Side, place: PlanePoint?) {
    self.side = side
    self.place = place
  }
}

/// The track met the perimeter: when, where, and within which bounds.
struct Meeting: Hashable, Sendable, Codable {
  /// Milliseconds since 1970.
  var at: Double
  var earliest: Timestamp
  var latest: Timestamp
  var cause: Crossing.Cause
  var place: PlanePoint

  /// At one fix.
  init(at fix: Timestamp, place: PlanePoint, cause: Crossing.Cause = .observed) {
    at = Double(fix.milliseconds)
    earliest = fix
    latest = fix
    self.cause = cause
    self.place = place
  }

  /// At the fraction `u` of the straight way between two fixes.
  init(on segment: Segment, at u: Double, cause: Crossing.Cause) {
    at = Double(segment.from.milliseconds) + u * segment.milliseconds
    earliest = segment.from
    latest = segment.to
    self.cause = cause
    place = segment.place(at: u)
  }

  /// From when on the device counts as inside, if this was an entry: what nobody saw does not count.
  var insideFrom: Double { cause == .gap ? Double(latest.milliseconds) : at }
  /// Until when it counts as inside, if this was an exit.
  var insideUntil: Double { cause == .gap ? Double(earliest.milliseconds) : at }
}

/// The straight way between two accepted fixes in the plane of a region.
struct Segment {
  let from: Timestamp
  let to: Timestamp
  let start: PlanePoint
  let end: PlanePoint

  var milliseconds: Double { Double(to.milliseconds - from.milliseconds) }

  func place(at u: Double) -> PlanePoint {
    let east = start.east + u * (end.east - start.east)
    let north = start.north + u * (end.north - start.north)
    return PlanePoint(east: east, north: north, distance: (east * east + north * north).squareRoot())
  }

  /// Where the line through both ends meets the circle of `radius` round the centre, as fractions of the way: the roots u of
  /// |start + u (end - start)| = radius; nil where it does not, or has no direction.
  func meetings(withRadius radius: Double) -> (first: Double, last: Double)? {
    let (east, north) = (end.east - start.east, end.north - start.north)
    let length2 = east * east + north * north
    guard length2 > 0 else { return nil }
    let half = start.east * east + start.north * north
    let discriminant = half * half - length2 * (start.distance * start.distance - radius * radius)
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    return ((-half - root) / length2, (-half + root) / length2)
  }
}
