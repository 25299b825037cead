public import FencelineGeodesy

/// Circles on the Earth, found by where they are.
///
/// ```swift
/// var index = CircleIndex()
/// index.insert(0, centre: Coordinate(latitude: 47.3769, longitude: 8.5417), radius: 250)
/// var found: [CircleIndex.Slot] = []
/// index.circles(within: 0, of: EarthPoint(here), into: &found)
/// ```
///
/// Queries are conservative: none of the circles that meet the place asked for is missed, a few that lie just beyond
/// may come with them, and the caller's geodesic decides. It is so since a straight line through the Earth is never longer
/// than the way along the ground; nothing special happens at the poles, at the antimeridian or for the largest circles.
///
/// Inside is a tree of balls: each node knows a ball that holds the centres below it and the largest radius among them, so a
/// query descends only where `distance to the ball's centre <= its radius + the largest circle`. New circles wait in a list
/// until they are an eighth of the tree, then it is built again, so an insertion costs O(log n) on average; a removal looks
/// through all circles.
public struct CircleIndex: Sendable {
  /// The caller's number for a circle, 0 or more.
  public typealias Slot = Int32

  /// The tree's circles in its own order, those of one leaf side by side; a removed one has the slot -1.
  private var circles: [Circle] = []
  private var nodes: [Node] = []
  private var removedFromTree = 0
  /// Circles that came after the tree was built.
  private var recent: [Circle] = []
  /// Every circle as it was given.
  private(set) var records: [Slot: (centre: Coordinate, radius: Double)] = [:]

  /// An index of no circles.
  public init() {}

  /// An index of many circles at once, built in one go.
  ///
  /// - Parameter circles: Their slots, all different, centres and radii, as for ``insert(_:centre:radius:)``.
  public init(_ circles: some Sequence<(slot: Slot, centre: Coordinate, radius: Double)>) {
    for circle in circles {
      records[circle.slot] = (circle.centre, circle.radius)
      recent.append(Circle(slot: circle.slot, centre: EarthPoint(circle.centre), radius: circle.radius))
    }
    precondition(records.count == recent.count, "a slot is used twice")
    rebuild()
  }

  /// How many circles it holds.
  public var count: Int { records.count }

  /// Adds a circle.
  ///
  /// - Parameters:
  ///   - slot: The caller's number for it, not in use.
  ///   - centre: A valid coordinate.
  ///   - radius: Metres, 0 or more and finite.
  /// - Precondition: `slot` is not held yet.
  public mutating func insert(_ slot: Slot, centre: Coordinate, radius: Double) {
    precondition(records.updateValue((centre, radius), forKey: slot) == nil, "slot \(slot) is in use")
    recent.append(Circle(slot: slot, centre: EarthPoint(centre), radius: radius))
    if recent.count > max(32, circles.count / 8) { rebuild() }
  }

  /// Takes a circle out.
  ///
  /// - Parameter slot: Its number; one that is not held changes nothing.
  public mutating func remove(_ slot: Slot) {
    guard records.removeValue(forKey: slot) != nil else { return }
    if let place = recent.firstIndex(where: { $0.slot == slot }) {
      recent.swapAt(place, recent.count - 1)
      recent.removeLast()
      return
    }
    if let place = circles.firstIndex(where: { $0.slot == slot }) {
      circles[place].slot = -1
      removedFromTree += 1
    }
    if removedFromTree > circles.count / 2 { rebuild() }
  }

  /// Moves or resizes a circle.
  ///
  /// - Parameters: As for ``insert(_:centre:radius:)``; a slot that is not held is put in.
  public mutating func update(_ slot: Slot, centre: Coordinate, radius: Double) {
    remove(slot)
    insert(slot, centre: centre, radius: radius)
  }

  /// Finds the circles that come within `reach` metres of a point.
  ///
  /// - Parameters:
  ///   - reach: Metres from the circle's perimeter, or less; 0 asks which circles hold the point.
  ///   - point: Where.
  ///   - found: Gets their slots in ascending order; what it held before is dropped, its storage is used again.
  public func circles(within reach: Double, of point: EarthPoint, into found: inout [Slot]) {
    circles(within: reach, ofSegmentFrom: point, to: point, into: &found)
  }

  /// Finds the circles that come within `reach` metres of the straight way between two points.
  ///
  /// - Parameters:
  ///   - reach: Metres from the circle's perimeter, or less. The way runs through the Earth: for ground distances add
  ///     the depth of the chord, at most L² / (8 · 6,335,439 m) for a way of L metres.
  ///   - start: Where the way starts.
  ///   - end: Where it ends.
  ///   - found: As for ``circles(within:of:into:)``.
  public func circles(
    within reach: Double, ofSegmentFrom start: EarthPoint, to end: EarthPoint, into found: inout [Slot]
  ) {
    found.removeAll(keepingCapacity: true)
    for circle in recent where circle.comes(within: reach, ofSegmentFrom: start, to: end) {
      found.append(circle.slot)
    }
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      guard node.ball.comes(within: reach, ofSegmentFrom: start, to: end) else {
        next = node.skip
        continue
      }
      for place in node.leaf
      where circles[place].slot >= 0 && circles[place].comes(within: reach, ofSegmentFrom: start, to: end) {
        found.append(circles[place].slot)
      }
      next += 1
    }
    found.sort()
  }

  private mutating func rebuild() {
    circles.removeAll { $0.slot < 0 }
    circles += recent
    recent.removeAll()
    removedFromTree = 0
    nodes.removeAll(keepingCapacity: true)
    if !circles.isEmpty { build(circles.indices) }
  }

  /// Lays the nodes for a range of circles, parents before children, and puts the circles into their order.
  private mutating func build(_ range: Range<Int>) {
    let (ball, axis) = enclose(circles[range])
    let place = nodes.count
    let isLeaf = range.count <= Node.leafSize
    nodes.append(Node(ball: ball, leaf: isLeaf ? range : 0..<0, skip: 0))
    if !isLeaf {
      // Three loops rather than one over a key path, which is ten times slower.
      switch axis {
      case .x: circles[range].sort { ($0.centre.x, $0.slot) < ($1.centre.x, $1.slot) }
      case .y: circles[range].sort { ($0.centre.y, $0.slot) < ($1.centre.y, $1.slot) }
      case .z: circles[range].sort { ($0.centre.z, $0.slot) < ($1.centre.z, $1.slot) }
      }
      let middle = range.lowerBound + range.count / 2
      build(range.lowerBound..<middle)
      build(middle..<range.upperBound)
    }
    nodes[place].skip = nodes.count
  }

  /// A ball that holds every circle's centre, blown up by the largest radius, and the axis along which they spread most.
  private func enclose(_ members: ArraySlice<Circle>) -> (Circle, Axis) {
    var low = EarthPoint(x: .infinity, y: .infinity, z: .infinity)
    var high = EarthPoint(x: -.infinity, y: -.infinity, z: -.infinity)
    var largest = 0.0
    for member in members {
      low = EarthPoint(
        x: min(low.x, member.centre.x), y: min(low.y, member.centre.y), z: min(low.z, member.centre.z))
      high = EarthPoint(
        x: max(high.x, member.centre.x), y: max(high.y, member.centre.y), z: max(high.z, member.centre.z))
      largest = max(largest, member.radius)
    }
    let centre = EarthPoint(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, z: (low.z + high.z) / 2)
    var spread2 = 0.0
    for member in members { spread2 = max(spread2, centre.squaredDistance(to: member.centre)) }
    let (x, y, z) = (high.x - low.x, high.y - low.y, high.z - low.z)
    let axis: Axis = x >= y && x >= z ? .x : y >= z ? .y : .z
    return (Circle(slot: -1, centre: centre, radius: spread2.squareRoot() + largest), axis)
  }
}

/// A circle on the ground, or the ball in space that stands for it.
private struct Circle {
  var slot: CircleIndex.Slot
  var centre: EarthPoint
  /// Metres.
  var radius: Double

  func comes(within reach: Double, ofSegmentFrom start: EarthPoint, to end: EarthPoint) -> Bool {
    // A micrometre covers the rounding of coordinates of 6,400 km.
    let limit = radius + reach + 1e-6
    return limit >= 0 && centre.squaredDistance(toSegmentFrom: start, to: end) <= limit * limit
  }
}

private enum Axis {
  case x, y, z
}

/// One node of the tree; its first child follows it, the next subtree begins at `skip`.
private struct Node {
  static let leafSize = 8

  var ball: Circle
  /// The circles of a leaf; empty for an inner node.
  var leaf: Range<Int>
  var skip: Int
}
