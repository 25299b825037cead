/// Finds places for texts where they hide nothing: greedily, so that what comes first is placed best.
///
/// Texts never overlap one another, nor what was reserved, nor leave the picture. Lines they may cover, for they have a halo, but they
/// prefer not to.
struct LabelPlacer {
  /// Where a text could stand.
  struct Candidate {
    /// The middle of the text.
    var centre: Point
    /// Whether it stands so far away that a line must lead to it.
    var needsLeader = false
  }

  /// How much a place further down the list, and a leader, count against covered cells of lines.
  private static let rankCost = 0.6
  private static let leaderCost = 5.0
  /// The sides of the cells in pixels: of those that know lines, and of those that know boxes.
  private static let lineCell = 4.0
  private static let boxCell = 48.0

  private let bounds: Box
  private let lineColumns: Int
  private var lines: [UInt8]
  private let boxColumns: Int
  private var boxes: [[Box]]

  /// - Parameter bounds: What texts may not leave.
  init(bounds: Box) {
    self.bounds = bounds
    lineColumns = Int(bounds.width / LabelPlacer.lineCell) + 1
    lines = [UInt8](repeating: 0, count: lineColumns * (Int(bounds.height / LabelPlacer.lineCell) + 1))
    boxColumns = Int(bounds.width / LabelPlacer.boxCell) + 1
    boxes = [[Box]](repeating: [], count: boxColumns * (Int(bounds.height / LabelPlacer.boxCell) + 1))
  }

  /// Keeps texts out of a box.
  mutating func reserve(_ box: Box) {
    forEachCell(of: box) { boxes[$0].append(box) }
  }

  /// Lets texts prefer not to cover a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - weight: How much a covered cell counts; 3 or more for what only important texts may cover.
  mutating func avoid(_ line: [Point], weight: UInt8 = 1) {
    for (a, b) in zip(line, line.dropFirst()) {
      let length = a.squaredDistance(to: b).squareRoot()
      let count = max(1, Int(length / 3))
      for step in 0...count {
        let u = Double(step) / Double(count)
        avoid(Point(x: a.x + u * (b.x - a.x), y: a.y + u * (b.y - a.y)), weight)
      }
    }
  }

  private mutating func avoid(_ point: Point, _ weight: UInt8) {
    guard bounds.contains(point) else { return }
    let x = Int((point.x - bounds.left) / LabelPlacer.lineCell)
    let y = Int((point.y - bounds.top) / LabelPlacer.lineCell)
    lines[y * lineColumns + x] = max(lines[y * lineColumns + x], weight)
  }

  /// Reserves the best free place.
  ///
  /// - Parameters:
  ///   - width: The text's width in pixels.
  ///   - height: The text's height in pixels.
  ///   - candidates: Where it could stand, the better places first.
  ///   - isImportant: Whether it may cover lines of a weight of 3 or more.
  /// - Returns: The place; nil where none is free.
  mutating func place(
    width: Double, height: Double, at candidates: [Candidate], isImportant: Bool = true
  ) -> Candidate? {
    var best: (candidate: Candidate, cost: Double)?
    for (rank, candidate) in candidates.enumerated() {
      let box = Box(centre: candidate.centre, width: width, height: height)
      var cost = Double(rank) * LabelPlacer.rankCost + (candidate.needsLeader ? LabelPlacer.leaderCost : 0)
      guard cost < best?.cost ?? .infinity, isFree(box) else { continue }
      let (sum, heaviest) = covered(box)
      guard isImportant || heaviest < 3 else { continue }
      cost += Double(sum)
      if cost < best?.cost ?? .infinity { best = (candidate, cost) }
    }
    guard let best else { return nil }
    reserve(Box(centre: best.candidate.centre, width: width, height: height))
    return best.candidate
  }

  func isFree(_ box: Box) -> Bool {
    guard bounds.contains(box) else { return false }
    var isFree = true
    forEachCell(of: box) { cell in
      if isFree, boxes[cell].contains(where: box.intersects) { isFree = false }
    }
    return isFree
  }

  /// The weights of the lines in a box: their sum, and the largest.
  func covered(_ box: Box) -> (sum: Int, heaviest: UInt8) {
    let columns = range(box.left - bounds.left, box.right - bounds.left, LabelPlacer.lineCell, lineColumns)
    let rows = range(
      box.top - bounds.top, box.bottom - bounds.top, LabelPlacer.lineCell, lines.count / lineColumns)
    var (sum, heaviest): (Int, UInt8) = (0, 0)
    for row in rows {
      for column in columns {
        let weight = lines[row * lineColumns + column]
        sum += Int(weight)
        heaviest = max(heaviest, weight)
      }
    }
    return (sum, heaviest)
  }

  private func forEachCell(of box: Box, _ body: (Int) -> Void) {
    let columns = range(box.left - bounds.left, box.right - bounds.left, LabelPlacer.boxCell, boxColumns)
    let rows = range(
      box.top - bounds.top, box.bottom - bounds.top, LabelPlacer.boxCell, boxes.count / boxColumns)
    for row in rows {
      for column in columns { body(row * boxColumns + column) }
    }
  }

  private func range(_ from: Double, _ to: Double, _ size: Double, _ count: Int) -> Range<Int> {
    guard to >= 0, from < Double(count) * size else { return 0..<0 }
    let last = to / size < Double(count) ? Int(to / size) : count - 1
    return Int(max(0, from) / size)..<last + 1
  }
}

extension LabelPlacer.Candidate {
  private static let compass: [Point] = {
    let half = 0.5.squareRoot()
    return [
      Point(x: 1, y: 0), Point(x: half, y: -half), Point(x: half, y: half), Point(x: -1, y: 0),
      Point(x: -half, y: -half), Point(x: -half, y: half), Point(x: 0, y: -1), Point(x: 0, y: 1),
    ]
  }()

  /// The places round a mark: near ones, then two rings of such with leaders.
  ///
  /// - Parameters:
  ///   - point: The middle of the mark.
  ///   - direction: Where the text should rather be; nil for the right.
  ///   - distance: Pixels from the middle of the mark to the text.
  ///   - width: The text's width in pixels.
  ///   - height: The text's height in pixels.
  /// - Returns: The better places first.
  static func around(
    _ point: Point, towards direction: Point? = nil, distance: Double, width: Double, height: Double
  ) -> [Self] {
    var directions = compass
    if let direction {
      directions.sort { $0.x * direction.x + $0.y * direction.y > $1.x * direction.x + $1.y * direction.y }
    }
    var result: [Self] = []
    for ring in [0.0, 14, 30] {
      for own in directions {
        let far = distance + ring
        let x = point.x + own.x * far + (own.x == 0 ? 0 : own.x > 0 ? width / 2 : -width / 2)
        let y = point.y + own.y * far + (own.y == 0 ? 0 : own.y > 0 ? height / 2 : -height / 2)
        result.append(Self(centre: Point(x: x, y: y), needsLeader: ring > 0))
      }
    }
    return result
  }
}
