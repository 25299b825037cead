internal import FencelineGeodesy
internal import FencelineGeofencing

/// What stands below the map: scale, north and what the signs mean.
struct Legend {
  /// A sign and its meaning.
  struct Item {
    enum Sign {
      case track(Int), gap, start, end, region, band, disabled, none
      case crossing(Crossing.Kind, Ink)
    }

    let sign: Sign
    let text: String

    init(_ sign: Sign, _ text: String) {
      self.sign = sign
      self.text = text
    }
  }

  /// Devices that are named.
  static let mostDevices = 12
  private static let size = 12.0
  private static let rowHeight = 22.0
  private static let signWidth = 28.0

  private(set) var svg = ""
  /// Where it ends, in pixels.
  private(set) var bottom: Double
  private var x: Double
  private let left: Double
  private let right: Double

  /// - Parameters:
  ///   - drawing: What the picture holds.
  ///   - palette: The colours.
  init(_ drawing: Drawing, _ palette: inout Palette) {
    let area = drawing.frame.area
    (left, right, x) = (area.left, area.right, area.left)
    bottom = area.bottom + 12 + Legend.rowHeight
    addScale(drawing.frame, &palette)
    addNorth(&palette)
    for item in drawing.legend { add(item, &palette) }
    bottom += 4
    for note in drawing.notes {
      for line in wrapped(note, to: right - left, size: Legend.size, lines: 3) {
        bottom += 17
        svg +=
          "<text x=\"\(pixels(left))\" y=\"\(pixels(bottom - 8))\" \(palette.fill(.quiet))>\(line.svgEscaped)</text>\n"
      }
    }
  }

  /// Room for something so wide, in this row or the next; its left end.
  private mutating func room(for width: Double) -> Double {
    if x > left, x + width > right {
      x = left
      bottom += Legend.rowHeight
    }
    defer { x += width + 18 }
    return x
  }

  private var middle: Double { bottom - Legend.rowHeight / 2 }

  private mutating func write(_ text: String, at x: Double, _ palette: inout Palette) {
    svg +=
      "<text x=\"\(pixels(x))\" y=\"\(pixels(middle + 4))\" \(palette.fill(.text))>\(text.svgEscaped)</text>\n"
  }

  /// A bar of 1, 2 or 5 times a power of ten metres, at most a fifth of the map.
  private mutating func addScale(_ frame: Frame, _ palette: inout Palette) {
    let most = frame.area.width / 5 / frame.scale
    var length = 1e-3
    search: while true {
      for factor in [2.0, 2.5, 2.0] {
        if length * factor > most { break search }
        length *= factor
      }
    }
    let width = length * frame.scale
    let note = frame.reach > 1_500_000 ? " (towards and from the middle)" : ""
    let text = lengthText(length) + note
    let start = room(for: width + 8 + TextWidth.of(text, size: Legend.size))
    let y = middle
    svg +=
      "<path d=\"M\(pixels(start + 0.5)) \(pixels(y - 4))v8m0-4h\(pixels(width))m0-4v8\" \(palette.stroke(.text)) fill=\"none\" stroke-width=\"1.5\"/>\n"
    write(text, at: start + width + 8, &palette)
  }

  private mutating func addNorth(_ palette: inout Palette) {
    let start = room(for: 26)
    let y = middle
    svg += "<path d=\"M\(pixels(start + 5)) \(pixels(y - 8))l5 15l-5-3.5l-5 3.5z\" \(palette.fill(.text))/>\n"
    write("N", at: start + 14, &palette)
  }

  private mutating func add(_ item: Item, _ palette: inout Palette) {
    let text = TextWidth.cut(item.text, to: right - left - Legend.signWidth - 6, size: Legend.size)
    let hasSign = if case .none = item.sign { false } else { true }
    let space = hasSign ? Legend.signWidth + 6 : 0
    let start = room(for: space + TextWidth.of(text, size: Legend.size))
    draw(item.sign, Point(x: start + Legend.signWidth / 2, y: middle), &palette)
    write(text, at: start + space, &palette)
  }

  private mutating func draw(_ sign: Item.Sign, _ c: Point, _ palette: inout Palette) {
    let line = "M\(pixels(c.x - 13)) \(pixels(c.y))h26"
    func box(_ height: Double) -> String {
      "<rect x=\"\(pixels(c.x - 13))\" y=\"\(pixels(c.y - height / 2))\" width=\"26\" height=\"\(pixels(height))\" rx=\"3\""
    }
    switch sign {
    case .none: break
    case .track(let number):
      svg += "<path d=\"\(line)\" \(palette.stroke(.device(number))) stroke-width=\"2.2\"/>\n"
      if number / Ink.deviceCount % 2 == 1 {
        svg += "<path d=\"\(line)\" \(palette.stroke(.paper)) stroke-width=\".8\"/>\n"
      }
    case .gap:
      svg += "<path d=\"\(line)\" \(palette.stroke(.text)) stroke-width=\"1.2\" stroke-dasharray=\"2 5\"/>\n"
    case .start:
      svg +=
        "<circle cx=\"\(pixels(c.x))\" cy=\"\(pixels(c.y))\" r=\"6\" \(palette.stroke(.text, fill: .paper)) stroke-width=\"2.4\"/>\n"
    case .end:
      svg +=
        "<rect x=\"\(pixels(c.x - 4.5))\" y=\"\(pixels(c.y - 4.5))\" width=\"9\" height=\"9\" \(palette.fill(.text))/>\n"
    case .region:
      svg +=
        box(13) + " \(palette.stroke(.region, fill: .fill)) fill-opacity=\".16\" stroke-width=\"1.4\"/>\n"
    case .band:
      svg +=
        box(13)
        + " \(palette.stroke(.band, fill: .band)) fill-opacity=\".09\" stroke-opacity=\".75\" stroke-dasharray=\"1 3\"/>\n"
    case .disabled:
      svg +=
        box(13)
        + " \(palette.stroke(.disabled)) fill=\"none\" stroke-width=\"1.2\" stroke-dasharray=\"6 4\"/>\n"
    case .crossing(let kind, let ink):
      let tip = Point(x: c.x, y: kind == .dwell ? c.y : c.y + (kind == .entry ? 5 : -5))
      var path = SVGPath()
      path.add(Drawing.outline(kind, at: tip, inward: Point(x: 0, y: 1)), closed: true)
      let paint =
        kind == .exit ? palette.stroke(ink, fill: .paper) + " stroke-width=\"1.8\"" : palette.fill(ink)
      svg += "<path d=\"\(path.data)\" \(paint)/>\n"
    }
  }
}
