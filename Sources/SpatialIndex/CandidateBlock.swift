/// Four candidates, tested at once. Unused lanes hold the Earth's centre with reach 0, which is near to no place, and slot -1.
struct CandidateBlock {
  /// Units of ``FinePoint``.
  var x = SIMD4<Int32>.zero
  var y = SIMD4<Int32>.zero
  var z = SIMD4<Int32>.zero
  var reach = SIMD4<Int32>.zero
  var slots = SIMD4<Int32>(repeating: -1)

  subscript(lane: Int) -> Candidate {
    get {
      Candidate(slot: slots[lane], centre: FinePoint(x: x[lane], y: y[lane], z: z[lane]), reach: reach[lane])
    }
    set {
      (x[lane], y[lane], z[lane]) = (newValue.centre.x, newValue.centre.y, newValue.centre.z)
      (reach[lane], slots[lane]) = (newValue.reach, newValue.slot)
    }
  }

  /// How far the four centres are from a point: squares of units, within 4e-7 of themselves.
  @inline(__always)
  func squaredDistances(to point: FinePoint) -> SIMD4<Float> {
    // Differences wrap where a centre is on the other side of the Earth, and are still too long.
    let dx = SIMD4<Float>(x &- SIMD4(repeating: point.x))
    let dy = SIMD4<Float>(y &- SIMD4(repeating: point.y))
    let dz = SIMD4<Float>(z &- SIMD4(repeating: point.z))
    return dx * dx + dy * dy + dz * dz
  }

  /// Which of the four balls hold a point.
  @inline(__always)
  func near(_ point: FinePoint) -> SIMDMask<SIMD4<Int32>> {
    let reach = SIMD4<Float>(reach)
    return squaredDistances(to: point) .<= reach * reach
  }
}
