internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

extension Drawing {
  /// Pixels between two arrows, and how much of a line one looks at to find its direction.
  private static let arrowDistance = 130.0
  private static let arrowReach = 7.0

  /// Draws tracks, gaps, arrows, starts and ends.
  mutating func drawTracks() {
    let seen = frame.area.expanded(by: 8)
    var hasGap = false
    var ends: [(point: Point, text: String, ink: Ink)] = []
    for (number, track) in content.tracks.enumerated() {
      var (line, gaps, lone, arrows) = (SVGPath(), SVGPath(), SVGPath(), SVGPath())
      var before: Coordinate?
      for piece in track.pieces {
        if piece.followsGap, let before {
          for part in frame.lines([before, piece.points[0]]) {
            placer.avoid(part)
            for visible in seen.clipped(line: part) where Drawing.length(visible) > 3 {
              gaps.add(visible)
              hasGap = true
            }
          }
        }
        for part in frame.lines(piece.points) {
          placer.avoid(part)
          if Drawing.length(part) < 0.5 {
            lone.add([part[0]])
            continue
          }
          for visible in seen.clipped(line: part) { line.add(visible) }
          for arrow in Drawing.arrows(on: part) where frame.area.contains(arrow[0]) {
            arrows.add(arrow, closed: true)
          }
        }
        before = piece.points.last
      }
      let ink = Ink.device(number)
      let name = content.tracks.count > 1 ? "<title>\(track.device.xmlEscaped)</title>" : ""
      tracks += "<g \(palette.stroke(ink)) fill=\"none\">\(name)"
      if !gaps.isEmpty {
        tracks += "<path d=\"\(gaps.data)\" stroke-width=\"1.2\" stroke-dasharray=\"2 5\"/>"
      }
      if !line.isEmpty { tracks += "<path d=\"\(line.data)\" stroke-width=\"2.2\"/>" }
      if !lone.isEmpty { tracks += "<path d=\"\(lone.data)\" stroke-width=\"4\"/>" }
      tracks += "</g>\n"
      if !arrows.isEmpty {
        tracks += "<path d=\"\(arrows.data)\" \(palette.stroke(.halo, fill: ink)) stroke-width=\".8\"/>\n"
      }
      legend.append(
        Legend.Item(
          .line(ink),
          content.tracks.count > 1
            ? track.device : track.device == Fix.defaultDevice ? "track" : "track of \(track.device)"))
      if let first = track.pieces.first, let last = track.pieces.last, let end = last.points.last {
        let prefix = content.tracks.count > 1 ? track.device + ", " : ""
        let place = frame.place(first.points[0])
        let (began, ended) = (times.short(first.began), times.short(last.ended))
        ends.append((place, "\(prefix)start \(began)", ink))
        marks +=
          "<circle cx=\"\(pixels(place.x))\" cy=\"\(pixels(place.y))\" r=\"5\" \(palette.stroke(ink, fill: .paper)) stroke-width=\"2.4\"/>\n"
        let goal = frame.place(end)
        ends.append((goal, "\(prefix)end \(ended)", ink))
        marks +=
          "<rect x=\"\(pixels(goal.x - 4.5))\" y=\"\(pixels(goal.y - 4.5))\" width=\"9\" height=\"9\" \(palette.stroke(.paper, fill: ink)) stroke-width=\"1.2\"/>\n"
      }
    }
    if content.tracks.count > Legend.mostDevices {
      legend.removeLast(content.tracks.count - Legend.mostDevices)
      legend.append(
        Legend.Item(.none, "and \(digits(content.tracks.count - Legend.mostDevices)) devices more"))
    }
    if hasGap { legend.append(Legend.Item(.gap, "no fixes")) }
    if !content.tracks.isEmpty { legend += [Legend.Item(.start, "start"), Legend.Item(.end, "end")] }
    for end in ends { placer.reserve(Box(centre: end.point, width: 13, height: 13)) }
    self.ends = ends
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
  private static func arrows(on line: [Point]) -> [[Point]] {
    var result: [[Point]] = []
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
        result.append([
          tip, back.moved(side, by: 4.5), a.moved(direction, by: at - 2), back.moved(side, by: -4.5),
        ])
        rest += arrowDistance
      }
      rest = max(0, rest - length)
    }
    return result
  }
}
