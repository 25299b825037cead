internal import FencelineGeodesy

/// One of the flat maps on which the cells of the trie are laid out.
///
/// Latitudes and longitudes up to 67.5° are a map that needs no trigonometry to look a place up; round the poles, where
/// longitudes crowd, the two caps are seen from above their poles.
enum Chart: CaseIterable {
  case band, north, south

  /// Degrees of latitude where the caps begin: a multiple of a root cell's side.
  static let edge = 67.5
  /// A root cell's side is 2²⁷ units: 11.25° in the band, 1,049 km in the caps.
  static let rootShift: UInt32 = 27
  /// How many root cells there are in all charts.
  static let rootCount = 32 * 16 + 2 * 8 * 8

  /// Root cells side by side, a power of two.
  var columns: Int64 { self == .band ? 32 : 8 }
  var rows: Int64 { self == .band ? 16 : 8 }
  var firstRoot: Int {
    switch self {
    case .band: 0
    case .north: 32 * 16
    case .south: 32 * 16 + 8 * 8
    }
  }

  func root(column: Int64, row: Int64) -> Int { firstRoot + Int(row * columns + column) }
}

/// A place on a chart, in units of 9.3 mm or less.
struct GridPlace {
  /// In the band: longitude, 2³² units round the Earth, from the antimeridian. In a cap: x, 128 units a metre, from 2²⁹.
  var u: UInt32
  /// Likewise latitude, from the south pole, and y.
  var v: UInt32

  /// Units of the band in a degree.
  static let unitsPerDegree = 0x1p32 / 360.0
  /// Units of the band in a radian.
  static let unitsPerRadian = 0x1p31 / Double.pi
  /// Units of the caps in a metre.
  static let unitsPerMetre = 128.0

  init(u: UInt32, v: UInt32) {
    self.u = u
    self.v = v
  }

  /// A place in the band; any finite longitude.
  @inline(__always)
  init(band place: Coordinate) {
    // 1.5 * 2⁵² leaves the nearest integer in the low bits, modulo 2³².
    u = UInt32(
      truncatingIfNeeded: (place.longitude * GridPlace.unitsPerDegree + (0x1.8p52 + 0x1p31)).bitPattern)
    v = UInt32(
      truncatingIfNeeded: (place.latitude * GridPlace.unitsPerDegree + (0x1.8p52 + 0x1p30)).bitPattern)
  }

  /// A place in a cap.
  @inline(__always)
  init(cap point: EarthPoint) {
    u = UInt32(truncatingIfNeeded: (point.x * GridPlace.unitsPerMetre + (0x1.8p52 + 0x1p29)).bitPattern)
    v = UInt32(truncatingIfNeeded: (point.y * GridPlace.unitsPerMetre + (0x1.8p52 + 0x1p29)).bitPattern)
  }
}

/// A place in space in units of 1/256 m: what candidates are tested with.
struct FinePoint: Equatable {
  var x: Int32
  var y: Int32
  var z: Int32

  static let unitsPerMetre = 256.0
}

extension FinePoint {
  /// The nearest units; the Earth spans 1.64e9 of them.
  @inline(__always)
  init(_ point: EarthPoint) {
    x = FinePoint.units(point.x)
    y = FinePoint.units(point.y)
    z = FinePoint.units(point.z)
  }

  @inline(__always)
  private static func units(_ metres: Double) -> Int32 {
    Int32(truncatingIfNeeded: (metres * unitsPerMetre + 0x1.8p52).bitPattern)
  }
}
