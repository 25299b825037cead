public import FencelineGeodesy

extension SplitMix64 {
  /// A point anywhere on Earth, evenly distributed by longitude and latitude; poles and the antimeridian come up often.
  public mutating func coordinate() -> Coordinate {
    let latitude = chance(0.1) ? 90 : chance(0.1) ? -90 : uniform(-90...90)
    let longitude = chance(0.1) ? 180 : chance(0.1) ? -180 : chance(0.1) ? 0 : uniform(-180...180)
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A point within so many metres of another one, evenly distributed by direction and distance.
  public mutating func coordinate(within metres: Double, of centre: Coordinate) -> Coordinate {
    centre.destination(azimuth: uniform(0...360), distance: uniform(0...metres))
  }

  /// A length between two others, evenly distributed by order of magnitude.
  public mutating func length(_ range: ClosedRange<Double>) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    while high > 10 * low {
      if chance(0.5) { high = (low * high).squareRoot() } else { low = (low * high).squareRoot() }
    }
    return uniform(low...high)
  }
}
