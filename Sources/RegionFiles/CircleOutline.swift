internal import FencelineGeodesy
internal import FencelineGeofencing

/// The perimeter of a circle as polygons in longitude and latitude, for maps that know no circles.
///
/// The corners lie on the perimeter; between them a straight line on a map in degrees departs from it by less than 0.1 % of the
/// radius. An outline is cut where it crosses the antimeridian, and goes along the map's edge where it holds a pole.
///
/// - Source: RFC 7946, 3.1.6 (counterclockwise, closed) and 3.1.9 (cut at the antimeridian).
struct CircleOutline {
  /// Closed rings, each with the circle's inside on its left; one, or two where the antimeridian cuts it.
  let rings: [[Coordinate]]

  /// Degrees of azimuth between corners where the map's distortion asks for no more.
  private static let step = 4.0
  /// How far from the perimeter a line may be, as a part of the radius.
  private static let tolerance = 0.001

  init(_ region: Region) {
    var tracer = Tracer(centre: region.centre, radius: region.radius)
    let places = tracer.trace(step: CircleOutline.step, tolerance: CircleOutline.tolerance)
    let turn = places[places.count - 1].longitude - places[0].longitude
    if abs(turn) > 180 {
      rings = [CircleOutline.roundPole(places, isNorth: turn > 0)]
    } else if let edge = [-180.0, 180].first(where: { edge in
      places.contains { $0.longitude < edge } && places.contains { $0.longitude > edge }
    }) {
      rings = [true, false].compactMap { below in
        let part = CircleOutline.clip(places, at: edge, below: below)
        let shift = below == (edge > 0) ? 0 : edge > 0 ? -360.0 : 360
        return part.count < 4 ? nil : CircleOutline.ring(part, shift: shift)
      }
    } else {
      let shift =
        places.contains { $0.longitude > 180 } ? -360.0 : places.contains { $0.longitude < -180 } ? 360 : 0
      rings = [CircleOutline.ring(places, shift: shift)]
    }
  }

  /// A place whose longitude goes on beyond 180 degrees rather than jumping.
  fileprivate struct Place {
    var longitude: Double
    var latitude: Double
  }

  private static func ring(_ places: [Place], shift: Double) -> [Coordinate] {
    var ring = places.map { place in
      Coordinate(
        latitude: rounded(place.latitude), longitude: min(180, max(-180, rounded(place.longitude + shift))))
    }
    if let first = ring.first, ring.last != first {
      // The ends of a traced circle are the same point but for rounding.
      if let last = ring.last, abs(last.latitude - first.latitude) < 1e-8,
        abs(last.longitude - first.longitude) < 1e-8
      {
        ring.removeLast()
      }
      ring.append(first)
    }
    return ring
  }

  /// A tenth of a millimetre, as files write it.
  private static func rounded(_ degrees: Double) -> Double {
    (degrees * 1e9).rounded() / 1e9
  }

  /// The part of a ring on one side of a meridian.
  private static func clip(_ places: [Place], at edge: Double, below: Bool) -> [Place] {
    var kept: [Place] = []
    for (place, next) in zip(places, places.dropFirst() + places.prefix(1)) {
      let isKept = below ? place.longitude <= edge : place.longitude >= edge
      if isKept { kept.append(place) }
      let crosses = (place.longitude - edge) * (next.longitude - edge) < 0
      if crosses { kept.append(Place(longitude: edge, latitude: latitude(at: edge, from: place, to: next))) }
    }
    return kept
  }

  private static func latitude(at edge: Double, from place: Place, to next: Place) -> Double {
    let part = (edge - place.longitude) / (next.longitude - place.longitude)
    return place.latitude + part * (next.latitude - place.latitude)
  }

  /// The ring of a circle that holds a pole: along its perimeter from one edge of the map to the other, and back along the pole.
  private static func roundPole(_ places: [Place], isNorth: Bool) -> [Coordinate] {
    // Seen from the pole the perimeter lies once in each direction, so the longitudes order it.
    let around = places.dropLast().map { Place(longitude: $0.longitude.asLongitude, latitude: $0.latitude) }
      .sorted { $0.longitude < $1.longitude }
    let west = around[0]
    let edge = latitude(
      at: 180, from: around[around.count - 1],
      to: Place(longitude: west.longitude + 360, latitude: west.latitude))
    let pole = isNorth ? 90.0 : -90
    var ring = [Coordinate(latitude: rounded(edge), longitude: -180)]
    for place in around where abs(rounded(place.longitude)) < 180 {
      ring.append(Coordinate(latitude: rounded(place.latitude), longitude: rounded(place.longitude)))
    }
    ring.append(Coordinate(latitude: rounded(edge), longitude: 180))
    ring.append(Coordinate(latitude: pole, longitude: 180))
    ring.append(Coordinate(latitude: pole, longitude: -180))
    ring.append(ring[0])
    return isNorth ? ring : ring.reversed()
  }
}

extension Double {
  /// A longitude of any number of turns as one in -180..<180.
  fileprivate var asLongitude: Double {
    let rest = (self + 180).truncatingRemainder(dividingBy: 360)
    return (rest < 0 ? rest + 360 : rest) - 180
  }
}

/// Goes round a circle.
private struct Tracer {
  let centre: Coordinate
  /// Metres.
  let radius: Double
  private var places: [CircleOutline.Place] = []

  init(centre: Coordinate, radius: Double) {
    self.centre = centre
    self.radius = radius
  }

  /// Corners counterclockwise from the north, and the first again, with longitudes that do not jump.
  mutating func trace(step: Double, tolerance: Double) -> [CircleOutline.Place] {
    var azimuth = 360.0
    places = [place(azimuth, after: centre.longitude)]
    while azimuth > 0 {
      refine(from: azimuth, to: max(0, azimuth - step), tolerance, depth: 0)
      azimuth -= step
    }
    return places
  }

  private func place(_ azimuth: Double, after longitude: Double) -> CircleOutline.Place {
    let point = centre.destination(azimuth: azimuth, distance: radius)
    var onward = point.longitude
    while onward - longitude > 180 { onward -= 360 }
    while onward - longitude < -180 { onward += 360 }
    return CircleOutline.Place(longitude: onward, latitude: point.latitude)
  }

  private mutating func refine(from start: Double, to end: Double, _ tolerance: Double, depth: Int) {
    let last = places[places.count - 1]
    let next = place(end, after: last.longitude)
    let middle = Coordinate(
      latitude: (last.latitude + next.latitude) / 2,
      longitude: ((last.longitude + next.longitude) / 2).asLongitude)
    let isWide = abs(next.longitude - last.longitude) > 45
    let isOff = abs(centre.distance(to: middle) - radius) > tolerance * radius
    // A perimeter that meets a pole jumps there, however closely one looks.
    guard isWide || isOff, depth < 30 else {
      places.append(next)
      return
    }
    let half = (start + end) / 2
    refine(from: start, to: half, tolerance, depth: depth + 1)
    refine(from: half, to: end, tolerance, depth: depth + 1)
  }
}
