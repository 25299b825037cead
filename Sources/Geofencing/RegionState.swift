public import FencelineCivilTime
public import FencelineGeodesy

/// What is known of one device and one region.
public struct RegionState: Hashable, Sendable {
  /// Where the device is, as far as it is confirmed.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    case unknown, outside, inside
  }

  /// The clear fixes that speak for the other side, so far.
  public struct Candidate: Hashable, Sendable {
    /// The time of the first of them.
    public var first: Timestamp
    /// Where it lies as seen from the region's centre.
    public var place: PlanePoint
    /// How many there are; 1 or more.
    public var fixes: Int

    /// A candidate of which that much is known.
    public init(first: Timestamp, place: PlanePoint, fixes: Int) {
      self.first = first
      self.place = place
      self.fixes = fixes
    }
  }

  /// Where the device is.
  public var side: Side
  /// What speaks for the other side; nil where nothing does.
  public var candidate: Candidate?
  /// The latest time that the track met the perimeter on its way in.
  public var entered: Meeting?
  /// The latest time that it met it on its way out.
  public var left: Meeting?
  /// When the visit's clock started, in milliseconds since 1970; 0 without a visit.
  public var visitFrom = 0.0
  /// The longest dwell that this visit has fired, in milliseconds; 0 where it has fired none.
  public var dwelt = 0.0
  /// Where the last accepted fix lies as seen from the region's centre; nil before the first. It follows from that fix.
  var place: PlanePoint?

  init(side: Side, place: PlanePoint?) {
    self.side = side
    self.place = place
  }

  /// A state of which nothing but the side is known.
  public init(side: Side) {
    self.init(side: side, place: nil)
  }

  /// Whether nothing but a way out, a dwell or an end can come of it.
  var isSettled: Bool { side == .inside && candidate == nil }

  /// Until when it stays as it is, in milliseconds since 1970, while the device stays within the perimeter.
  func quiet(_ rules: RegionRules) -> Double {
    let dwell = rules.nextDwell(after: dwelt).map { visitFrom + $0 } ?? .infinity
    return min(dwell, rules.expires.map { Double($0.milliseconds) } ?? .infinity)
  }

  /// Whether the same is known, wherever the last fix was.
  func knowsTheSame(as other: RegionState) -> Bool {
    side == other.side && candidate == other.candidate && entered == other.entered && left == other.left
      && visitFrom == other.visitFrom && dwelt == other.dwelt
  }
}

/// The track met the perimeter: when, where, and within which bounds.
public struct Meeting: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var at: Double
  /// It cannot have happened before.
  public var earliest: Timestamp
  /// It cannot have happened later.
  public var latest: Timestamp
  /// How it is known.
  public var cause: Crossing.Cause
  /// Where, as seen from the region's centre.
  public var place: PlanePoint

  /// A meeting of which everything is known.
  public init(at: Double, earliest: Timestamp, latest: Timestamp, cause: Crossing.Cause, place: PlanePoint) {
    self.at = at
    self.earliest = earliest
    self.latest = latest
    self.cause = cause
    self.place = place
  }

  /// At one fix.
  init(at fix: Timestamp, place: PlanePoint, cause: Crossing.Cause = .observed) {
    self.init(at: Double(fix.milliseconds), earliest: fix, latest: fix, cause: cause, place: place)
  }

  /// At the fraction `u` of the straight way between two fixes.
  init(on segment: Segment, at u: Double, cause: Crossing.Cause) {
    self.init(
      at: Double(segment.from.milliseconds) + u * segment.milliseconds, earliest: segment.from,
      latest: segment.to, cause: cause, place: segment.place(at: u))
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
