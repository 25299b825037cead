internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing

extension Drawing {
  /// Crossings of one kind and region that are so near to one another that they share a mark.
  struct Cluster {
    let kind: Crossing.Kind
    var point: Point
    /// Towards the middle of the region; downwards where that is not known.
    let inward: Point
    var marks: [MapContent.Mark]

    /// The device; nil where there are several.
    var device: String? {
      marks.allSatisfy { $0.device == marks[0].device } ? marks[0].device : nil
    }
  }

  /// Pixels within which crossings share a mark.
  private static let nearness = 10.0
  /// Clusters up to which each says what it is when it is pointed at, and crossings that one tells.
  private static let mostTitles = 800
  private static let mostTold = 12

  /// Finds the places of entries, exits and dwells.
  mutating func placeCrossings() {
    for track in content.tracks {
      for end in [track.pieces.first?.points.first, track.pieces.last?.points.last].compactMap(\.self) {
        signs.reserve(Box(centre: frame.place(end), width: 12, height: 12))
      }
    }
    clusters = clustered()
    for own in clusters where own.kind != .dwell {
      signs.reserve(Box(centre: Drawing.middle(own), width: 12, height: 12))
    }
    // A dwell has no place on a perimeter: it may stand beside what happened there.
    for index in clusters.indices where clusters[index].kind == .dwell {
      let point = clusters[index].point
      let places = LabelPlacer.Candidate.around(point, distance: 6.5, width: 12, height: 12)
      let candidates = [LabelPlacer.Candidate(centre: point)] + places.prefix(8)
      if let place = signs.place(width: 12, height: 12, at: candidates) {
        clusters[index].point = place.centre
      }
    }
  }

  /// Draws entries, exits and dwells.
  mutating func drawCrossings() {
    let isTold = clusters.count <= Drawing.mostTitles
    for cluster in clusters {
      let title = isTold ? "<title>\(describe(cluster).svgEscaped)</title>" : ""
      var path = SVGPath()
      path.add(Drawing.outline(cluster), closed: true)
      let ink = ink(of: cluster.device, or: Drawing.ink(cluster.kind))
      let paint =
        cluster.kind == .exit ? palette.stroke(ink, fill: .paper) : palette.stroke(.paper, fill: ink)
      let width = cluster.kind == .exit ? "1.8" : "1"
      marks += "<path d=\"\(path.data)\" \(paint) stroke-width=\"\(width)\""
      marks += title.isEmpty ? "/>\n" : ">\(title)</path>\n"
      placer.reserve(Box(centre: Drawing.middle(cluster), width: 12, height: 12))
    }
    for (kind, name) in [(Crossing.Kind.entry, "entry"), (.exit, "exit"), (.dwell, "dwell")]
    where clusters.contains(where: { $0.kind == kind }) {
      legend.append(Legend.Item(.crossing(kind, ink(of: nil, or: Drawing.ink(kind))), name))
    }
  }

  /// Places the times, those of the most crossings first.
  mutating func labelCrossings() {
    let order = clusters.indices.sorted {
      (clusters[$1].marks.count, clusters[$0].marks[0].at, $0) < (
        clusters[$0].marks.count, clusters[$1].marks[0].at, $1
      )
    }
    for index in order {
      let cluster = clusters[index]
      let more = cluster.marks.count > 1 ? " +\(digits(cluster.marks.count - 1))" : ""
      let point = Drawing.middle(cluster)
      let outward = Point(x: -cluster.inward.x, y: -cluster.inward.y)
      let ink = ink(of: cluster.device, or: Drawing.ink(cluster.kind))
      let isPlaced = label(times.short(cluster.marks[0].at) + more, size: 11, ink: ink, anchor: point) {
        LabelPlacer.Candidate.around(point, towards: outward, distance: 6, width: $0, height: $1)
      }
      if !isPlaced { omittedTimes += cluster.marks.count }
    }
    if clusters.contains(where: { $0.marks.count > 1 }) {
      notes.append("A number behind a time counts further crossings of that kind there.")
    }
  }

  private func clustered() -> [Cluster] {
    struct Key: Hashable {
      let region: String
      let kind: Crossing.Kind
    }
    var centres: [String: Point] = [:]
    for region in content.regions { centres[region.id] = frame.place(region.centre) }
    var result: [Cluster] = []
    var known: [Key: [Int]] = [:]
    for mark in content.crossings {
      let point = frame.place(mark.coordinate)
      let key = Key(region: mark.region, kind: mark.kind)
      if let near = known[key]?.first(where: {
        result[$0].point.squaredDistance(to: point) < Drawing.nearness * Drawing.nearness
      }) {
        result[near].marks.append(mark)
        continue
      }
      known[key, default: []].append(result.count)
      let inward = centres[mark.region].flatMap { point.direction(to: $0) }
      result.append(
        Cluster(kind: mark.kind, point: point, inward: inward ?? Point(x: 0, y: 1), marks: [mark]))
    }
    return result
  }

  private func describe(_ cluster: Cluster) -> String {
    let told = cluster.marks.prefix(Drawing.mostTold).map { mark in
      (deviceNumbers.count > 1 ? "\(mark.device): " : "")
        + "\(mark.kind.rawValue) \(mark.region) \(times.full(mark.at))"
    }
    let rest = cluster.marks.count - told.count
    return told.joined(separator: "; ") + (rest > 0 ? "; and \(digits(rest)) more" : "")
  }

  static func ink(_ kind: Crossing.Kind) -> Ink {
    switch kind {
    case .entry: .entry
    case .exit: .exit
    case .dwell: .dwell
    }
  }

  /// An entry's triangle stands outside the perimeter and points in, an exit's inside and points out: both may meet at one point.
  private static func outline(_ cluster: Cluster) -> [Point] {
    outline(cluster.kind, at: cluster.point, inward: cluster.inward)
  }

  /// The shape of a mark whose tip, or middle for a dwell, is at a point.
  static func outline(_ kind: Crossing.Kind, at point: Point, inward: Point) -> [Point] {
    let side = Point(x: -inward.y, y: inward.x)
    switch kind {
    case .entry:
      let tip = point.moved(inward, by: -0.5)
      let base = point.moved(inward, by: -10.5)
      return [tip, base.moved(side, by: 5), base.moved(side, by: -5)]
    case .exit:
      let base = point.moved(inward, by: 10)
      return [point, base.moved(side, by: 4.8), base.moved(side, by: -4.8)]
    case .dwell:
      return [(0.0, -6.0), (6, 0), (0, 6), (-6, 0)].map { Point(x: point.x + $0.0, y: point.y + $0.1) }
    }
  }

  private static func middle(_ cluster: Cluster) -> Point {
    switch cluster.kind {
    case .entry: cluster.point.moved(cluster.inward, by: -6)
    case .exit: cluster.point.moved(cluster.inward, by: 6)
    case .dwell: cluster.point
    }
  }
}
