import FencelineGeodesy
import FencelineSpatialIndex
import FencelineTestSupport

typealias Slot = CircleIndex.Slot

/// Circles in a plain list, each compared by the geodesic: what the index must agree with.
struct LinearScan {
  private(set) var circles: [Slot: (centre: Coordinate, radius: Double)] = [:]

  /// No circles.
  init() {}

  /// So many circles of a country, of at most its spread, or of what `largest` says.
  init(
    _ count: Int, in country: Country, _ random: inout SplitMix64,
    largest: (inout SplitMix64) -> Double? = { _ in nil }
  ) {
    for slot in 0..<Slot(count) {
      let largest = largest(&random) ?? country.spread
      self[slot] = (country.place(&random), random.length(1...max(2, largest)))
    }
  }

  subscript(slot: Slot) -> (centre: Coordinate, radius: Double)? {
    get { circles[slot] }
    set { circles[slot] = newValue }
  }

  var slots: [Slot] { circles.keys.sorted() }

  func circles(holding place: Coordinate) -> [Slot] {
    circles.filter { $0.value.centre.distance(to: place) <= $0.value.radius }.keys.sorted()
  }

  func circles(within reach: Double, of place: Coordinate) -> [Slot] {
    circles.filter { $0.value.centre.distance(to: place) <= $0.value.radius + reach }.keys.sorted()
  }

  /// Metres to the nearest perimeter.
  func distanceToPerimeter(from place: Coordinate) -> Double {
    circles.values.map { abs($0.centre.distance(to: place) - $0.radius) }.min() ?? .infinity
  }

  func nearest(_ count: Int, to place: Coordinate, where isWanted: (Slot) -> Bool) -> [Slot] {
    let ranked = circles.filter { isWanted($0.key) }
      .map { (abs($0.value.centre.distance(to: place) - $0.value.radius), $0.key) }
      .sorted { $0 < $1 }
    return ranked.prefix(count).map(\.1)
  }

  var index: CircleIndex {
    CircleIndex(circles.map { (slot: $0.key, centre: $0.value.centre, radius: $0.value.radius) })
  }
}

/// Where circles and places lie: in clusters, so that they meet.
struct Country {
  let clusters: [Coordinate]
  let spread: Double

  /// Corners of the charts, poles and the antimeridian come up often.
  init(_ random: inout SplitMix64) {
    let corners: [(Double, Double)] = [
      (0, 0), (0, 90), (0, -90), (35.264389682754654, 45), (67.5, 0), (67.5, 180), (-67.5, -11.25),
      (67.499999, 11.25), (90, 12), (-90, 0), (89.9, -60), (0, 180), (-45, -179.9999), (45, 179.9999),
      (11.25, 11.25), (-22.5, 33.75), (75, 45),
    ]
    clusters = (0..<3).map { _ in
      guard random.chance(0.6), let corner = corners.randomElement(using: &random) else {
        return random.coordinate()
      }
      return Coordinate(latitude: corner.0, longitude: corner.1)
    }
    spread = random.length(10...1_000_000)
  }

  func place(_ random: inout SplitMix64) -> Coordinate {
    guard random.chance(0.95), let cluster = clusters.randomElement(using: &random) else {
      return random.coordinate()
    }
    return random.coordinate(within: spread, of: cluster)
  }
}
