internal import FencelineGeodesy

/// The part of a chart that a circle may touch.
struct Footprint {
  /// The circle's centre.
  var place: GridPlace
  /// How far it reaches either way, in units.
  var halfU: UInt32
  var halfV: UInt32
  /// A point that lies (du, dv) away from the centre is outside if weightU du² + weightV dv² exceeds this.
  private var limit: Float
  private var weightU: Float
  private var weightV: Float

  /// The circle in the band of latitudes.
  ///
  /// With geodetic latitudes and longitudes taken as on a sphere, the circle is within the angle σ = r / smallest radius. There
  /// hav σ = hav Δφ + cos φ₁ cos φ₂ hav Δλ, x² (1 - x²/12) <= 4 hav x <= x², and |Δλ| <= asin(sin σ / cos φ₁).
  init(band centre: Coordinate, angle: Double, sine: Double, cosine: Double) {
    place = GridPlace(band: centre)
    let q = angle / cosine
    // Larger than the arc sine, and by little where circles are small. Towards the poles all longitudes.
    let isAll = !(q < 0.9)
    let east = isAll ? 4 : q < 0.1 ? q * (1 + q * q) : q / (1 - q * q).squareRoot()
    let least = max(0, cosine * (1 - angle * angle / 2) - abs(sine) * angle)
    halfU = UInt32(east * GridPlace.unitsPerRadian) + 3
    halfV = UInt32(angle * GridPlace.unitsPerRadian) + 3
    limit = Float(halfV) * Float(halfV)
    weightU = isAll ? 0 : Float(cosine * least * (1 - east * east / 12) * (1 - 1e-6))
    // 11 for the 12 above is on the safe side.
    weightV = Float((1 - angle * angle / 11) * (1 - 1e-6))
  }

  /// The circle in a cap: a straight distance, seen from above, is never longer.
  init(cap record: Record, _ point: EarthPoint) {
    place = GridPlace(cap: point)
    halfU = UInt32(record.radius * GridPlace.unitsPerMetre) + 3
    halfV = halfU
    limit = Float(halfV) * Float(halfV)
    weightU = 1 - 1e-6
    weightV = 1 - 1e-6
  }

  /// A rectangle, for looking circles up; half sides in units.
  init(around place: GridPlace, halfU: Double, halfV: Double) {
    self.place = place
    self.halfU = UInt32(halfU) + 3
    self.halfV = UInt32(halfV) + 3
    (limit, weightU, weightV) = (0, 0, 0)
  }

  /// Whether the circle goes on into the children of a node with this shift: they must be no smaller than half of it.
  @inline(__always)
  func fits(below shift: UInt32) -> Bool {
    max(halfU, halfV) <= 1 << (shift - 2)
  }

  /// Calls `body` with each root cell that the circle may touch.
  @inline(__always)
  func forEachRoot(of chart: Chart, _ body: (Cell) -> Void) {
    let shift = Chart.rootShift
    let (u, v) = (Int64(Int32(bitPattern: place.u)), Int64(Int32(bitPattern: place.v)))
    let rows =
      max(
        0, (v - Int64(halfV)) >> Int64(shift))...max(
        0, min(chart.rows - 1, (v + Int64(halfV)) >> Int64(shift)))
    var columns = (u - Int64(halfU)) >> Int64(shift)...(u + Int64(halfU)) >> Int64(shift)
    if chart == .band {
      // Longitudes go round.
      columns = columns.lowerBound...min(columns.upperBound, columns.lowerBound + chart.columns - 1)
    } else {
      columns = columns.clamped(to: 0...chart.columns - 1)
    }
    for row in rows {
      for column in columns {
        let column = column & (chart.columns - 1)
        let cell = Cell(
          node: chart.root(column: column, row: row), u: UInt32(column) << shift, v: UInt32(row) << shift,
          shift: shift)
        if (rows.count == 1 && columns.count == 1) || meets(cell) { body(cell) }
      }
    }
  }

  /// The child of a cell that holds all that the circle may touch; nil where there is no such one.
  @inline(__always)
  func onlyChild(of cell: Cell) -> Int? {
    let (du, dv) = (place.u &- cell.u, place.v &- cell.v)
    let shift = cell.shift &- 2
    // What begins before the cell wraps to a large number, and so does not begin in one of its children.
    let (column, row) = ((du &- halfU) &>> shift, (dv &- halfV) &>> shift)
    guard column < 4, row < 4, column == (du &+ halfU) &>> shift, row == (dv &+ halfV) &>> shift else {
      return nil
    }
    return Int(row &<< 2 | column)
  }

  /// Calls `body` with each child, 0 to 15, of a cell that the circle may touch.
  @inline(__always)
  func forEachChild(of cell: Cell, _ body: (Int) -> Void) {
    let shift = Int64(cell.shift - 2)
    let (firstRow, lastRow) = Footprint.span(place.v, halfV, from: cell.v, shift, last: 3)
    let (firstColumn, lastColumn) = Footprint.span(place.u, halfU, from: cell.u, shift, last: 3)
    guard firstRow <= lastRow, firstColumn <= lastColumn else { return }
    let hasCorners = firstRow < lastRow && firstColumn < lastColumn
    for row in firstRow...lastRow {
      for column in firstColumn...lastColumn {
        let child = Int(row << 2 | column)
        if !hasCorners || meets(cell.child(child)) { body(child) }
      }
    }
  }

  /// The circle's surroundings within a cell.
  @inline(__always)
  func box(in cell: Cell) -> CellBox {
    let shift = Int64(cell.shift) - 7
    let (firstRow, lastRow) = Footprint.span(place.v, halfV, from: cell.v, shift, last: 127)
    let (firstColumn, lastColumn) = Footprint.span(place.u, halfU, from: cell.u, shift, last: 127)
    return CellBox(columns: (firstColumn, lastColumn), rows: (firstRow, lastRow))
  }

  /// Which of a row of neighbours, each `1 << shift` units wide and the first one starting at `start`, lie within `half` of a centre;
  /// the last is before the first if none does.
  @inline(__always)
  private static func span(
    _ centre: UInt32, _ half: UInt32, from start: UInt32, _ shift: Int64, last: Int64
  ) -> (Int64, Int64) {
    let into = Int64(Int32(bitPattern: centre &- start))
    return (max(0, (into - Int64(half)) >> shift), min(last, (into + Int64(half)) >> shift))
  }

  /// Whether the circle may reach into a cell.
  private func meets(_ cell: Cell) -> Bool {
    let du = Footprint.gap(place.u, cell.u, 1 << cell.shift)
    let dv = Footprint.gap(place.v, cell.v, 1 << cell.shift)
    return du * du * weightU + dv * dv * weightV <= limit
  }

  /// How far a centre is from a span of units, whichever way round; two units are off for the roundings of centre and place.
  private static func gap(_ centre: UInt32, _ start: UInt32, _ side: UInt32) -> Float {
    let into = centre &- start
    guard into >= side else { return 0 }
    return max(0, Float(min(start &- centre, into &- (side - 1))) - 2)
  }
}
