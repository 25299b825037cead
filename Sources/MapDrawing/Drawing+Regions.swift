internal import FencelineGeodesy
internal import FencelineGeofencing

extension Drawing {
  /// A region that can be seen, for its name and its crossings.
  struct SeenRegion {
    let region: Region
    /// Its middle and its radius with the band, in pixels.
    let centre: Point
    let reach: Double
    /// Points of the perimeter in the map, from which its name may hang; empty where it is a circle.
    let rim: [Point]
  }

  /// Pixels below which a circle is a dot, and a band is not drawn.
  private static let dot = 2.0
  private static let thinnestBand = 1.5
  /// Regions up to which each says what it is when it is pointed at.
  private static let mostTitles = 500
  /// The part of the map that names of regions in which nothing happened may take, and the radius in pixels up to which a region
  /// would vanish below a text.
  private static let shareOfNames = 0.16
  private static let smallestSeen = 7.0

  /// Draws perimeters and bands.
  mutating func drawRegions() {
    var (dots, greyDots) = (SVGPath(), SVGPath())
    var (bands, shapes, grey) = ("", "", "")
    var covering: [Region] = []
    var hasBand = false
    let sorted = content.regions.sorted { ($1.radius, $0.id) < ($0.radius, $1.id) }
    for region in sorted {
      let shape = CircleShape(region.centre, region.radius, in: frame)
      let margin = content.margin(of: region)
      let centre = frame.place(region.centre)
      var (reach, rim): (Double, [Point]) = ((region.radius + margin) * frame.scale, [])
      let title =
        content.regions.count > Drawing.mostTitles
        ? "" : "<title>\(describe(region, margin).svgEscaped)</title>"
      switch shape {
      case .elsewhere: continue
      case .everywhere:
        if region.isEnabled { covering.append(region) }
        continue
      case .round(let middle, let radius) where radius < Drawing.dot:
        if region.isEnabled { dots.add([middle]) } else { greyDots.add([middle]) }
        reach = 3
      case .round(let middle, let radius):
        let own = element(shape, title)
        if region.isEnabled { shapes += own } else { grey += own }
        if region.isEnabled, margin * frame.scale >= Drawing.thinnestBand {
          bands += element(CircleShape(region.centre, region.radius + margin, in: frame), "")
          hasBand = true
        }
        avoidCircle(middle, radius)
      case .line(let points):
        let own = element(shape, title)
        if region.isEnabled { shapes += own } else { grey += own }
        if region.isEnabled, margin * frame.scale >= Drawing.thinnestBand {
          bands += element(CircleShape(region.centre, region.radius + margin, in: frame), "")
          hasBand = true
        }
        for part in frame.area.clipped(line: points) {
          placer.avoid(part)
          rim += Drawing.spread(part, 8)
        }
      case .inverted(let parts):
        if region.isEnabled { shapes += element(shape, title) } else { grey += element(shape, title) }
        for part in parts.flatMap({ frame.area.clipped(line: $0) }) {
          placer.avoid(part)
          rim += Drawing.spread(part, 8)
        }
      }
      if reach < Drawing.smallestSeen {
        placer.reserve(Box(centre: centre, width: 2 * reach, height: 2 * reach))
      }
      seen.append(SeenRegion(region: region, centre: centre, reach: reach, rim: rim))
    }
    shownRegions = seen.count + covering.count
    if hasBand {
      regions +=
        "<g \(palette.stroke(.band, fill: .band)) fill-opacity=\".09\" stroke-opacity=\".75\" stroke-dasharray=\"1 3\">\(bands)</g>\n"
    }
    if !shapes.isEmpty {
      regions +=
        "<g \(palette.stroke(.region, fill: .fill)) fill-opacity=\".13\" stroke-width=\"1.4\">\(shapes)</g>\n"
    }
    if !grey.isEmpty {
      regions +=
        "<g \(palette.stroke(.disabled)) fill=\"none\" stroke-width=\"1.2\" stroke-dasharray=\"6 4\">\(grey)</g>\n"
    }
    for (path, ink) in [(dots, Ink.region), (greyDots, .disabled)] where !path.isEmpty {
      regions += "<path d=\"\(path.data)\" \(palette.stroke(ink)) fill=\"none\" stroke-width=\"4.5\"/>\n"
    }
    if !shapes.isEmpty || !dots.isEmpty { legend.append(Legend.Item(.region, "region")) }
    if hasBand { legend.append(Legend.Item(.band, "exit margin")) }
    if !grey.isEmpty || !greyDots.isEmpty { legend.append(Legend.Item(.disabled, "disabled region")) }
    noteCovering(covering)
  }

  /// Says in which regions all of the map lies.
  private mutating func noteCovering(_ covering: [Region]) {
    guard !covering.isEmpty else { return }
    let names = covering.prefix(3).map {
      "\(TextWidth.cut($0.name, to: 200, size: 12)) (radius \(lengthText($0.radius)))"
    }
    let rest = covering.count > 3 ? " and \(digits(covering.count - 3)) more" : ""
    notes.append("All of this map lies inside \(names.joined(separator: ", "))\(rest).")
  }

  private func describe(_ region: Region, _ margin: Double) -> String {
    let id = region.title == nil ? "" : " (\(region.id))"
    let state = region.isEnabled ? "" : ", disabled"
    return
      "\(region.name)\(id): radius \(lengthText(region.radius)), exit margin \(lengthText(margin))\(state)"
  }

  private func element(_ shape: CircleShape, _ title: String) -> String {
    var attributes = ""
    switch shape {
    case .elsewhere, .everywhere: return ""
    case .round(let middle, let radius):
      attributes = "circle cx=\"\(pixels(middle.x))\" cy=\"\(pixels(middle.y))\" r=\"\(pixels(radius))\""
    case .line(let points):
      var path = SVGPath()
      path.add(frame.area.expanded(by: 12).clipped(polygon: Array(points.dropLast())), closed: true)
      if path.isEmpty { return "" }
      attributes = "path d=\"\(path.data)\""
    case .inverted(let parts):
      var path = SVGPath()
      for part in parts.flatMap({ frame.area.expanded(by: 12).clipped(line: $0) }) { path.add(part) }
      attributes = "path fill=\"none\" d=\"\(path.data)\""
    }
    let name = attributes.prefix { $0 != " " }
    return title.isEmpty ? "<\(attributes)/>" : "<\(attributes)>\(title)</\(name)>"
  }

  private mutating func avoidCircle(_ centre: Point, _ radius: Double) {
    // Sixteen corners are near enough to the circle for cells of four pixels up to some hundred pixels.
    let points = CompassRose.sixteen.map { centre.moved($0, by: radius) }
    placer.avoid(points + [points[0]])
  }

  /// Some points of a line, evenly by their number.
  private static func spread(_ line: [Point], _ count: Int) -> [Point] {
    let step = max(1, line.count / count)
    return stride(from: step / 2, to: line.count, by: step).map { line[$0] }
  }
}

/// Directions in the picture.
enum CompassRose {
  /// Unit vectors, clockwise from the right.
  static let sixteen: [Point] = {
    // cos and sin of 22.5 degrees from those of 45: no function of the C library is needed.
    let half = 0.5.squareRoot()
    let (c, s) = (((1 + half) / 2).squareRoot(), ((1 - half) / 2).squareRoot())
    let quarter = [Point(x: 1, y: 0), Point(x: c, y: s), Point(x: half, y: half), Point(x: s, y: c)]
    var all: [Point] = []
    for turn in 0..<4 {
      for point in quarter {
        switch turn {
        case 0: all.append(point)
        case 1: all.append(Point(x: -point.y, y: point.x))
        case 2: all.append(Point(x: -point.x, y: -point.y))
        default: all.append(Point(x: point.y, y: -point.x))
        }
      }
    }
    return all
  }()
}

extension Drawing {
  /// Places the names of regions in which something happened, or of the others.
  mutating func labelRegions(crossed: Bool) {
    var counts: [String: Int] = [:]
    for mark in content.crossings { counts[mark.region, default: 0] += 1 }
    let chosen = seen.filter { scene.crossed.contains($0.region.id) == crossed }.sorted {
      let (a, b) = ($0.region, $1.region)
      return (b.priority, counts[b.id] ?? 0, b.radius, a.id) < (a.priority, counts[a.id] ?? 0, a.radius, b.id)
    }
    // So many names that nothing else is seen help nobody.
    var room = Drawing.shareOfNames * frame.area.width * frame.area.height
    for own in chosen {
      var isPlaced = false
      if crossed || room > 0 {
        let text = TextWidth.cut(own.region.name, to: 210, size: 12, isBold: crossed)
        // A name of no consequence does not hide a track.
        isPlaced = label(
          text, size: 12, isBold: crossed, ink: own.region.isEnabled ? .region : .disabled,
          anchor: own.centre, isImportant: crossed
        ) { Drawing.places(for: own, $0, $1) }
        if isPlaced { room -= TextWidth.of(text, size: 12) * 16 }
      }
      if !isPlaced { omittedNames += 1 }
    }
  }

  private static func places(for own: SeenRegion, _ width: Double, _ height: Double) -> [LabelPlacer
    .Candidate]
  {
    let (c, r) = (own.centre, own.reach)
    var centres: [Point] = []
    if own.rim.isEmpty {
      if r > 0.62 * width { centres.append(c) }
      let (above, below) = (c.y - r - height / 2 - 1, c.y + r + height / 2 + 1)
      centres += [Point(x: c.x, y: above), Point(x: c.x, y: below)]
      centres += [Point(x: c.x + r + width / 2 + 1, y: c.y), Point(x: c.x - r - width / 2 - 1, y: c.y)]
      for number in [14, 10, 2, 6] {
        let direction = CompassRose.sixteen[number]
        let rim = c.moved(direction, by: r + 2)
        centres.append(
          Point(
            x: rim.x + (direction.x > 0 ? width / 2 : -width / 2),
            y: rim.y + (direction.y > 0 ? height / 2 : -height / 2)))
      }
      if r > 0.62 * width {
        centres += [Point(x: c.x, y: c.y - r * 0.55), Point(x: c.x, y: c.y + r * 0.55)]
      }
    } else {
      // Inside the perimeter, so that it is clear whose it is.
      for point in own.rim {
        guard let inward = point.direction(to: own.centre) else { continue }
        for distance in [5.0, 18] {
          centres.append(
            Point(
              x: point.x + inward.x * (distance + width / 2), y: point.y + inward.y * (distance + height / 2))
          )
        }
      }
    }
    return centres.map { LabelPlacer.Candidate(centre: $0) }
  }
}
