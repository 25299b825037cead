internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

extension Drawing {
  /// Pixels between two arrows, and how much of a line one looks at to find its direction.
  private static let arrowDistance = 130.0
  private static let arrowReach = 7.0

  /// Pixels of track from which its line is thinner, so that it remains one.
  private static let longest = 15_000.0

  /// The lines of one track in the map.
  struct TrackLines {
    var pieces: [[Point]] = []
    var gaps: [[Point]] = []
    /// Fixes that stand alone.
    var dots: [Point] = []
  }

  /// Draws tracks, gaps, arrows, starts and ends.
  mutating func drawTracks() {
    let all = content.tracks.map { lines(of: $0) }
    for line in all.flatMap({ $0.pieces + $0.gaps }) { placer.avoid(line, weight: 3) }
    let length = all.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + Drawing.length($1) } }
    let width = length > Drawing.longest ? 1.2 : 2.2
    for (number, lines) in all.enumerated() {
      let ink = Ink.device(number)
      let track = content.tracks[number]
      tracks += "<g \(palette.stroke(ink)) fill=\"none\">"
      if all.count > 1 { tracks += "<title>\(track.device.svgEscaped)</title>" }
      let (gaps, whole) = (SVGPath(lines.gaps), SVGPath(lines.pieces))
      if !gaps.isEmpty {
        tracks += "<path d=\"\(gaps.data)\" stroke-width=\"1.2\" stroke-dasharray=\"2 5\"/>"
      }
      if !whole.isEmpty { tracks += "<path d=\"\(whole.data)\" stroke-width=\"\(pixels(width))\"/>" }
      if !lines.dots.isEmpty {
        tracks += "<path d=\"\(SVGPath(lines.dots.map { [$0] }).data)\" stroke-width=\"4\"/>"
      }
      tracks += "</g>\n"
      // Where there are more devices than colours, a second line tells those of one colour apart.
      if number / Ink.deviceCount % 2 == 1, !whole.isEmpty {
        tracks += "<path d=\"\(whole.data)\" \(palette.stroke(.paper)) fill=\"none\" stroke-width=\".8\"/>\n"
      }
      var arrows = SVGPath()
      for (middle, arrow) in lines.pieces.flatMap({ Drawing.arrows(on: $0) }) {
        let box = Box(centre: middle, width: 14, height: 14)
        // Among many lines an arrow tells nothing.
        guard signs.isFree(box), placer.covered(box.expanded(by: 7)).sum <= 3 * 11 else { continue }
        signs.reserve(box)
        arrows.add(arrow, closed: true)
      }
      if !arrows.isEmpty {
        tracks += "<path d=\"\(arrows.data)\" \(palette.stroke(.halo, fill: ink)) stroke-width=\".8\"/>\n"
      }
      drawEnds(of: track, ink)
    }
    explainTracks(hasGap: all.contains { !$0.gaps.isEmpty })
  }

  /// What of a track can be seen; gaps too short to see are none.
  private func lines(of track: Track) -> TrackLines {
    let seen = frame.area.expanded(by: 8)
    var lines = TrackLines()
    var before: Coordinate?
    for piece in track.pieces {
      if piece.followsGap, let before {
        for part in frame.lines([before, piece.points[0]]) {
          lines.gaps += seen.clipped(line: part).filter { Drawing.length($0) > 3 }
        }
      }
      for part in frame.lines(piece.points) {
        if Drawing.length(part) < 0.5 {
          lines.dots.append(part[0])
        } else {
          lines.pieces += seen.clipped(line: part)
        }
      }
      before = piece.points.last
    }
    return lines
  }

  private mutating func drawEnds(of track: Track, _ ink: Ink) {
    guard let first = track.pieces.first, let last = track.pieces.last, let end = last.points.last else {
      return
    }
    let prefix = content.tracks.count > 1 ? track.device + ", " : ""
    let (a, b) = (frame.place(first.points[0]), frame.place(end))
    ends.append((a, "\(prefix)start \(times.short(first.began))", ink))
    ends.append((b, "\(prefix)end \(times.short(last.ended))", ink))
    marks +=
      "<circle cx=\"\(pixels(a.x))\" cy=\"\(pixels(a.y))\" r=\"6\" \(palette.stroke(ink, fill: .paper)) stroke-width=\"2.4\"/>\n"
    marks +=
      "<rect x=\"\(pixels(b.x - 4))\" y=\"\(pixels(b.y - 4))\" width=\"8\" height=\"8\" \(palette.stroke(.paper, fill: ink)) stroke-width=\"1.2\"/>\n"
    for point in [a, b] { placer.reserve(Box(centre: point, width: 14, height: 14)) }
  }

  private mutating func explainTracks(hasGap: Bool) {
    for (number, track) in content.tracks.enumerated().prefix(Legend.mostDevices) {
      let isNamed = content.tracks.count > 1 || track.device != Fix.defaultDevice
      legend.append(Legend.Item(.track(number), isNamed ? track.device : "track"))
    }
    let rest = content.tracks.count - Legend.mostDevices
    if rest > 0 { legend.append(Legend.Item(.none, "and \(counted(rest, "other device"))")) }
    if hasGap { legend.append(Legend.Item(.gap, "no fixes")) }
    if !content.tracks.isEmpty { legend += [Legend.Item(.start, "start"), Legend.Item(.end, "end")] }
  }

  /// Places the texts of starts and ends.
  mutating func labelEnds() {
    for end in ends {
      let text = TextWidth.cut(end.text, to: 200, size: 11.5, isBold: true)
      let isPlaced = label(text, size: 11.5, isBold: true, ink: end.ink, anchor: end.point) {
        LabelPlacer.Candidate.around(end.point, distance: 9, width: $0, height: $1)
      }
      if !isPlaced { omittedTimes += 1 }
    }
  }

  private static func length(_ line: [Point]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.squaredDistance(to: $1.1).squareRoot() }
  }

  /// Small triangles that say which way a line goes, none where it winds.
  private static func arrows(on line: [Point]) -> [(middle: Point, outline: [Point])] {
    var result: [(middle: Point, outline: [Point])] = []
    var rest = arrowDistance / 2
    for (a, b) in zip(line, line.dropFirst()) {
      let length = a.squaredDistance(to: b).squareRoot()
      guard let direction = a.direction(to: b) else { continue }
      // A stretch that is straight for less than an arrow has no direction to tell.
      while rest < length, length > 2 * arrowReach {
        let at = min(max(rest, arrowReach), length - arrowReach)
        let tip = a.moved(direction, by: at + 5.5)
        let back = a.moved(direction, by: at - 4)
        let side = Point(x: -direction.y, y: direction.x)
        let outline = [
          tip, back.moved(side, by: 4.5), a.moved(direction, by: at - 2), back.moved(side, by: -4.5),
        ]
        result.append((a.moved(direction, by: at), outline))
        rest += arrowDistance
      }
      rest = max(0, rest - length)
    }
    return result
  }
}
