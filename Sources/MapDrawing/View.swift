internal import FencelineGeodesy

/// A part of the Earth, seen in the azimuthal equidistant plane round its middle.
///
/// Seen from the middle, every distance and direction is true; across that direction things are too wide by c / sin c at the angular
/// distance c: by 0.1 % at 500 km, 0.4 % at 1,000 km, 4 % at 3,000 km and half again at 9,000 km. There is no seam at the antimeridian and
/// none at a pole; only the antipode of the middle is drawn out to a rim.
struct View {
  /// Metres from the middle to its antipode, about: half a meridian.
  static let rim = 20_003_931.0
  /// What is nearer than this is shown in its own middle; for more, the point is chosen from which the farthest is nearest.
  private static let local = 5_000_000.0

  let plane: AzimuthalPlane
  /// Metres to the east and north of the middle.
  let extent: PlaneExtent

  /// The view of some places.
  ///
  /// - Parameter places: At least one.
  init(of places: [Coordinate]) {
    var centre = View.middle(of: places)
    var extent = PlaneExtent()
    // The middle of what is seen round a place that is not far from it; the second time it hardly moves.
    for turn in 0..<3 {
      let plane = AzimuthalPlane(centre: centre)
      extent = PlaneExtent()
      for place in places { extent.add(plane.project(place)) }
      guard turn < 2, extent.farthest < View.local else { break }
      centre = plane.unproject(east: extent.middle.east, north: extent.middle.north)
    }
    plane = AzimuthalPlane(centre: centre)
    self.extent = extent
  }

  /// One of the places, near the middle of the smallest ball that holds them all; for places all over the world, that one of 26 spread
  /// points which is nearest to the farthest of them.
  ///
  /// - Source: M. Bădoiu, K. Clarkson, "Smaller core-sets for balls", SODA 2003: a step towards the farthest point, ever
  ///   smaller, finds the ball.
  private static func middle(of places: [Coordinate]) -> Coordinate {
    let step = max(1, places.count / 4_000)
    let sample = stride(from: 0, to: places.count, by: step).map { places[$0] }
    let points = sample.map(EarthPoint.init)
    func farthest(from point: EarthPoint) -> EarthPoint {
      var (found, distance) = (point, -1.0)
      for other in points {
        let own = point.squaredDistance(to: other)
        if own > distance { (found, distance) = (other, own) }
      }
      return found
    }
    var ball = points[0]
    for turn in 1...64 {
      let far = farthest(from: ball)
      let part = 1 / Double(turn + 1)
      ball = EarthPoint(
        x: ball.x + part * (far.x - ball.x), y: ball.y + part * (far.y - ball.y),
        z: ball.z + part * (far.z - ball.z))
    }
    var nearest = 0
    for index in points.indices
    where points[index].squaredDistance(to: ball) < points[nearest].squaredDistance(to: ball) {
      nearest = index
    }
    let own = points[nearest].squaredDistance(to: farthest(from: points[nearest]))
    guard own > local * local else { return sample[nearest] }
    var (best, distance) = (sample[nearest], own)
    for latitude in [90.0, -90, 0, 45, -45] {
      for longitude in stride(from: -180.0, to: abs(latitude) == 90 ? -179 : 180, by: 45) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let far = EarthPoint(place).squaredDistance(to: farthest(from: EarthPoint(place)))
        if far < distance { (best, distance) = (place, far) }
      }
    }
    return best
  }
}

/// The upright rectangle of the plane that holds some things, in metres.
struct PlaneExtent {
  private(set) var west = Double.infinity
  private(set) var east = -Double.infinity
  private(set) var south = Double.infinity
  private(set) var north = -Double.infinity
  /// Metres from the middle of the plane to the farthest thing.
  private(set) var farthest = 0.0

  init() {}

  /// Round a circle.
  init(round centre: PlanePoint, _ radius: Double) {
    (west, east) = (centre.east - radius, centre.east + radius)
    (south, north) = (centre.north - radius, centre.north + radius)
    farthest = centre.distance + radius
  }

  var width: Double { max(0, east - west) }
  var height: Double { max(0, north - south) }
  var size: Double { max(width, height) }
  var middle: (east: Double, north: Double) { ((west + east) / 2, (south + north) / 2) }

  mutating func add(_ point: PlanePoint) {
    add(PlaneExtent(round: point, 0))
  }

  mutating func add(_ other: PlaneExtent) {
    (west, east) = (min(west, other.west), max(east, other.east))
    (south, north) = (min(south, other.south), max(north, other.north))
    farthest = max(farthest, other.farthest)
  }

  /// Metres between this and another rectangle; 0 where they meet.
  func distance(to other: PlaneExtent) -> Double {
    let x = max(0, other.west - east, west - other.east)
    let y = max(0, other.south - north, south - other.north)
    return (x * x + y * y).squareRoot()
  }
}
