/// How many points are looked at together: it bounds the time on lines that wind without end.
private let block = 2_000

/// The indices of those points of a line that it needs to keep its shape, by Douglas and Peucker.
///
/// - Parameters:
///   - points: The line.
///   - tolerance: How far from the simpler line a point that is left out may lie, in the unit of the distances.
///   - squared: The square of a point's distance from the segment between two others.
/// - Returns: Indices in ascending order, the first and the last point's among them.
/// - Complexity: O(n log n) as a rule, O(2,000 n) at worst: long lines are simplified in blocks, whose ends stay.
/// - Source: D. Douglas, T. Peucker, "Algorithms for the reduction of the number of points required to represent a digitized
///   line or its caricature", The Canadian Cartographer 10 (2), 1973.
func simplified<Point>(
  _ points: [Point], within tolerance: Double, _ squared: (Point, Point, Point) -> Double
) -> [Int] {
  guard points.count > 2 else { return Array(points.indices) }
  let limit = tolerance * tolerance
  var isKept = [Bool](repeating: false, count: points.count)
  var open: [(first: Int, last: Int)] = []
  var start = 0
  while start < points.count - 1 {
    let end = min(start + block, points.count - 1)
    isKept[start] = true
    isKept[end] = true
    open.append((start, end))
    start = end
  }
  while let (first, last) = open.popLast() {
    var (farthest, distance) = (first, limit)
    for index in stride(from: first + 1, to: last, by: 1) {
      let own = squared(points[index], points[first], points[last])
      if own > distance { (farthest, distance) = (index, own) }
    }
    guard farthest > first else { continue }
    isKept[farthest] = true
    open.append((first, farthest))
    open.append((farthest, last))
  }
  return isKept.indices.filter { isKept[$0] }
}
