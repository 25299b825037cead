/// A rectangle within a cell, to 1/128 of its sides: what tells most places from most circles without trigonometry.
///
/// The four bytes are the first column and row, and how far the last ones are from 127. A place has its own column and row and
/// their distances from 127, each with the top bit set; less the box's bytes, all four top bits stay exactly where the place is
/// in the box, as no byte borrows from the next.
struct CellBox {
  let bytes: UInt32

  /// No place is in it.
  static let nowhere = CellBox(bytes: 0x7f7f_7f7f)
  static let topBits: UInt32 = 0x8080_8080

  init(bytes: UInt32) {
    self.bytes = bytes
  }

  /// The box from the first to the last column and row, each 0 to 127.
  @inline(__always)
  init(columns: (first: Int64, last: Int64), rows: (first: Int64, last: Int64)) {
    bytes = UInt32(
      truncatingIfNeeded: columns.first | rows.first << 8 | (127 - columns.last) << 16 | (127 - rows.last)
        << 24)
  }

  /// What a place in a cell with this shift is compared as.
  @inline(__always)
  static func probe(_ place: GridPlace, _ shift: UInt32) -> UInt32 {
    let corner = (place.u >> (shift &- 7) & 127) | (place.v >> (shift &- 7) & 127) << 8
    return topBits + corner + (0x7f7f &- corner) << 16
  }

  /// Whether a place is in any of four boxes.
  @inline(__always)
  static func isAny(_ boxes: SIMD4<UInt32>, around probe: SIMD4<UInt32>) -> Bool {
    any((probe &- boxes) & SIMD4(repeating: topBits) .== SIMD4(repeating: topBits))
  }
}
