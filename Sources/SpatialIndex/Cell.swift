/// Where on its chart a node is.
struct Cell {
  var node: Int
  var u: UInt32
  var v: UInt32
  /// The side is `1 << shift` units.
  var shift: UInt32

  /// One of the sixteen cells in it, still without its node.
  @inline(__always)
  func child(_ child: Int, node: Int = 0) -> Cell {
    let side = shift - 2
    return Cell(
      node: node, u: u &+ UInt32(truncatingIfNeeded: child & 3) << side,
      v: v &+ UInt32(truncatingIfNeeded: child >> 2) << side, shift: side)
  }
}
