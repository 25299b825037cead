internal import FencelineGeodesy

/// A circle with what its places on the charts follow from.
struct Placement {
  let record: Record
  let point: EarthPoint
  private let sine: Double
  private let cosine: Double
  /// Radians that the radius is at most, seen from the Earth's centre.
  private let angle: Double

  init(_ record: Record) {
    self.record = record
    let (sines, cosines) = sinesAndCosines(degrees: SIMD2(record.centre.latitude, record.centre.longitude))
    (sine, cosine) = (sines.x, cosines.x)
    point = EarthPoint(sines: sines, cosines: cosines)
    angle = record.radius * (1 / Ellipsoid.smallestRadius)
  }

  func candidate(_ slot: CircleIndex.Slot) -> Candidate { Candidate(slot, record, point, sine: sine) }

  /// Whether some of the circle may be on a chart.
  func touches(_ chart: Chart) -> Bool {
    // A decimetre more, for the roundings.
    let degrees = angle * (180 / Double.pi) + 1e-6
    return switch chart {
    case .band: abs(record.centre.latitude) - degrees <= Chart.edge
    case .north: record.centre.latitude + degrees >= Chart.edge
    case .south: record.centre.latitude - degrees <= -Chart.edge
    }
  }

  func footprint(on chart: Chart) -> Footprint {
    chart == .band
      ? Footprint(band: record.centre, angle: angle, sine: sine, cosine: cosine)
      : Footprint(cap: record, point)
  }
}
