internal import FencelineXMLText

extension String {
  /// The text as a picture may show it, in content and between double quotes: on one line, and without what turns the direction of other
  /// text round or drives a terminal.
  var svgEscaped: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: shown.append(" ")
      case 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown).xmlEscaped
  }
}

/// Pixels to a tenth, as short as SVG allows: `12.5`, `-.3`, `7`.
func pixels(_ value: Double) -> String {
  SVGPath.text(tenths: SVGPath.tenths(value))
}

/// The data of a path, in relative steps of tenths of a pixel.
struct SVGPath {
  private(set) var data = ""
  /// Where the pen is, in tenths; what is rounded never adds up.
  private var pen = (x: 0, y: 0)

  var isEmpty: Bool { data.isEmpty }

  /// The path of some lines.
  init(_ lines: [[Point]] = []) {
    for line in lines { add(line) }
  }

  /// Adds a line; one of a single point is drawn as a dot where line ends are round.
  mutating func add(_ points: some Sequence<Point>, closed: Bool = false) {
    var isFirst = true
    var steps = 0
    for point in points {
      let (x, y) = (SVGPath.tenths(point.x), SVGPath.tenths(point.y))
      if isFirst {
        data += "M" + SVGPath.pair(x, y)
      } else if x != pen.x || y != pen.y {
        let step = SVGPath.pair(x - pen.x, y - pen.y)
        data += steps == 0 ? "l" + step : step.hasPrefix("-") ? step : " " + step
        steps += 1
      }
      isFirst = false
      pen = (x, y)
    }
    if isFirst { return }
    if closed { data += "z" } else if steps == 0 { data += "h.1" }
    if !closed, steps == 0 { pen.x += 1 }
  }

  private static func pair(_ x: Int, _ y: Int) -> String {
    y < 0 ? text(tenths: x) + text(tenths: y) : text(tenths: x) + " " + text(tenths: y)
  }

  static func tenths(_ value: Double) -> Int {
    Int((min(1e7, max(-1e7, value)) * 10).rounded())
  }

  static func text(tenths: Int) -> String {
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    if rest == 0 { return sign + String(whole) }
    return sign + (whole == 0 ? "" : String(whole)) + "." + String(rest)
  }
}
