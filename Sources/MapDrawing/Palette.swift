/// What is drawn in a colour of its own.
///
/// Text has a contrast of at least 4.5 and lines that carry meaning one of at least 3 against what they stand on (WCAG 2.1, AA); the devices'
/// colours, after M. Okabe and K. Ito's for all kinds of colour vision, also differ in lightness.
enum Ink: Hashable {
  case paper, ground, edge, text, quiet, halo, graticule
  case region, fill, band, disabled
  case entry, exit, dwell
  /// The colour of a device, by its number.
  case device(Int)

  /// How many devices have colours of their own.
  static let deviceCount = light.count

  private static let light = ["#0064a8", "#b24a00", "#00775a", "#9c3f7d", "#6d5d00", "#3c3c46"]
  private static let dark = ["#5cb4f0", "#ff9a52", "#2fc79c", "#eb95cb", "#d9c54a", "#d2d2da"]

  var colours: (light: String, dark: String) {
    switch self {
    case .paper: ("#ffffff", "#14171c")
    case .ground: ("#f6f7f9", "#1b1f26")
    case .edge: ("#c3c8d0", "#48505c")
    case .text: ("#1c2128", "#e8ebef")
    case .quiet: ("#59636e", "#a3adb9")
    case .halo: ("#f6f7f9", "#1b1f26")
    case .graticule: ("#d3d8df", "#343b46")
    case .region: ("#5b5bb0", "#a9a7f5")
    case .fill: ("#6a6ad0", "#8f8df0")
    case .band: ("#6a6ad0", "#8f8df0")
    case .disabled: ("#767d87", "#8b939e")
    case .entry: ("#00775a", "#2fc79c")
    case .exit: ("#b24a00", "#ff9a52")
    case .dwell: ("#9c3f7d", "#eb95cb")
    case .device(let number): (Ink.light[number % Ink.deviceCount], Ink.dark[number % Ink.deviceCount])
    }
  }

  var name: String {
    switch self {
    case .device(let number): "device\(number % Ink.deviceCount)"
    default: "\(self)"
    }
  }
}

/// Gives elements their colours.
///
/// Colours are attributes, which every renderer understands; only for `auto` a style sheet replaces them in the dark. Its selectors are written so that
/// renderers which know nothing of media queries find no match in them.
struct Palette {
  let theme: MapStyle.Theme
  private var used: Set<Ink> = []

  init(_ theme: MapStyle.Theme) {
    self.theme = theme
  }

  /// `fill="#fff"`, and its class where that is needed.
  mutating func fill(_ ink: Ink) -> String { paint("fill", ink) }

  /// `stroke="#fff"`, likewise; with a fill of another ink for one element.
  mutating func stroke(_ ink: Ink, fill: Ink? = nil) -> String {
    guard let fill else { return paint("stroke", ink) }
    used.formUnion([ink, fill])
    guard theme == .auto else { return paint("stroke", ink) + " " + paint("fill", fill) }
    return
      "class=\"s-\(ink.name) f-\(fill.name)\" stroke=\"\(ink.colours.light)\" fill=\"\(fill.colours.light)\""
  }

  private mutating func paint(_ attribute: String, _ ink: Ink) -> String {
    used.insert(ink)
    let colours = ink.colours
    return switch theme {
    case .light: "\(attribute)=\"\(colours.light)\""
    case .dark: "\(attribute)=\"\(colours.dark)\""
    case .auto: "class=\"\(attribute.prefix(1))-\(ink.name)\" \(attribute)=\"\(colours.light)\""
    }
  }

  /// The style sheet for what was used; empty where none is needed.
  var style: String {
    guard theme == .auto else { return "" }
    var rules = ""
    for ink in used.sorted(by: { $0.name < $1.name }) {
      rules += ":is(.f-\(ink.name)){fill:\(ink.colours.dark)}:is(.s-\(ink.name)){stroke:\(ink.colours.dark)}"
    }
    return "<style>@media (prefers-color-scheme:dark){\(rules)}</style>\n"
  }
}
