internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing

/// A picture of a map that is being drawn, layer by layer.
struct Drawing {
  let content: MapContent
  let scene: Scene
  let frame: Frame
  let times: TimeText
  var palette: Palette
  var placer: LabelPlacer
  /// Where marks are: arrows and dwells give way to them.
  var signs: LabelPlacer
  /// The layers of the map, from the lowest to the highest.
  var graticule = ""
  var regions = ""
  var tracks = ""
  var leaders = SVGPath()
  var marks = ""
  var labels: [Label] = []
  /// What occurs, for the legend.
  var legend: [Legend.Item] = []
  /// Sentences below it.
  var notes: [String] = []
  /// What the texts belong to.
  var ends: [(point: Point, text: String, ink: Ink)] = []
  var seen: [SeenRegion] = []
  var clusters: [Cluster] = []
  /// Regions that can be seen, or that all that is seen lies in.
  var shownRegions = 0
  /// What was left out for want of room.
  var omittedTimes = 0
  var omittedNames = 0

  /// A text of the map.
  struct Label {
    var text: String
    var centre: Point
    var size: Double
    var isBold: Bool
    var ink: Ink
  }

  /// Places a text, with a leader to `anchor` where it stands far from it.
  ///
  /// - Returns: Whether there was room.
  mutating func label(
    _ text: String, size: Double, isBold: Bool = false, ink: Ink, anchor: Point, isImportant: Bool = true,
    _ candidates: (_ width: Double, _ height: Double) -> [LabelPlacer.Candidate]
  ) -> Bool {
    let width = TextWidth.of(text, size: size, isBold: isBold) + 6
    let height = size * 1.3
    guard
      let place = placer.place(
        width: width, height: height, at: candidates(width, height), isImportant: isImportant)
    else {
      return false
    }
    labels.append(Label(text: text, centre: place.centre, size: size, isBold: isBold, ink: ink))
    if place.needsLeader {
      leaders.add([
        anchor, Box(centre: place.centre, width: width - 4, height: height - 4).nearest(to: anchor),
      ])
    }
    return true
  }

  /// The colour of what a device does: its own where there are several, else that of the thing.
  func ink(of device: String?, or ink: Ink) -> Ink {
    guard deviceNumbers.count > 1 else { return ink }
    return device.flatMap { deviceNumbers[$0] }.map(Ink.device) ?? .text
  }

  /// The devices by their order; those beyond the number of colours share them.
  let deviceNumbers: [String: Int]

  init(_ content: MapContent, _ scene: Scene, _ frame: Frame, _ style: MapStyle) {
    self.content = content
    self.scene = scene
    self.frame = frame
    palette = Palette(style.theme)
    placer = LabelPlacer(bounds: frame.area.expanded(by: -3))
    signs = LabelPlacer(bounds: frame.area)
    times = TimeText(style.localTime, content.times)
    var numbers: [String: Int] = [:]
    for device in content.tracks.map(\.device) + content.crossings.map(\.device) where numbers[device] == nil
    {
      numbers[device] = numbers.count
    }
    deviceNumbers = numbers
  }
}

extension MapContent {
  /// All times that are shown.
  var times: [Timestamp] {
    tracks.flatMap { $0.pieces.flatMap { [$0.began, $0.ended] } } + crossings.map(\.at)
  }
}
