internal import FencelineGeodesy

/// A circle with what its places on the charts follow from.
struct Placement {
  let record: Record
  let point: EarthPoint
  private let sine: Double
  private let cosine: Double

  init(_ record: Record) {
    self.record = record
    (sine, cosine) = sineAndCosine(degrees: record.centre.latitude)
    point = EarthPoint(record.centre)
  }

  func candidate(_ slot: CircleIndex.Slot) -> Candidate { Candidate(slot, record, point, sine: sine) }

  /// Whether some of the circle may be on a chart.
  func touches(_ chart: Chart) -> Bool {
    let angle = record.radius / Ellipsoid.smallestRadius * (180 / Double.pi) + 1e-6
    return switch chart {
    case .band: abs(record.centre.latitude) - angle <= Chart.edge
    case .north: record.centre.latitude + angle >= Chart.edge
    case .south: record.centre.latitude - angle <= -Chart.edge
    }
  }

  func footprint(on chart: Chart) -> Footprint {
    chart == .band
      ? Footprint(band: record, sine: sine, cosine: cosine) : Footprint(cap: record, point)
  }
}
