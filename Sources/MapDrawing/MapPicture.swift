internal import FencelineGeodesy
internal import FencelineGeofencing

/// A map as an SVG document: regions with their margins, tracks with gaps, crossings with times.
package struct MapPicture {
  /// The document. The same content and style give the same text.
  package let svg: String
  /// How many of the regions can be seen in it.
  package let regions: Int

  private static let margin = 16.0
  private static let titleSize = 18.0
  private static let lineSize = 12.0

  /// Draws a picture; nil where there is no place to show.
  ///
  /// - Parameters:
  ///   - content: What to show.
  ///   - style: How to show it.
  package init?(_ content: MapContent, _ style: MapStyle) {
    guard let scene = Scene(content) else { return nil }
    let width = Double(max(240, style.width))
    let room = width - 2 * MapPicture.margin
    let times = TimeText(style.localTime, content.times)
    let span = times.spanned.map { "\($0), times in \(style.zone)." }
    // How many regions can be seen is known when they are drawn: there is room for the longest way to say it.
    let drafts = [content.regions.count, max(0, content.regions.count - 1)].map {
      MapPicture.lines(content, span, $0, room).count
    }
    let top = 34 + Double(max(drafts[0], drafts[1])) * 17 + 6
    let frame = Frame(scene.view, left: MapPicture.margin, top: top, width: room)
    var drawing = Drawing(content, scene, frame, style)
    drawing.drawGraticule()
    drawing.placeCrossings()
    drawing.drawTracks()
    drawing.drawRegions()
    drawing.drawCrossings()
    drawing.labelEnds()
    drawing.labelRegions(crossed: true)
    drawing.labelCrossings()
    drawing.labelRegions(crossed: false)
    drawing.noteOmissions()
    let lines = MapPicture.lines(content, span, drawing.shownRegions, room)
    svg = MapPicture.document(drawing, lines, width, style)
    regions = drawing.shownRegions
  }

  /// The lines below the heading: when, and what.
  private static func lines(_ content: MapContent, _ span: String?, _ shown: Int, _ room: Double) -> [String]
  {
    var parts: [String] = []
    if !content.tracks.isEmpty {
      let devices = content.tracks.count > 1 ? " from \(digits(content.tracks.count)) devices" : ""
      parts.append("track of \(content.source) (\(counted(content.fixes, "fix", "fixes"))\(devices))")
    }
    if !content.crossings.isEmpty {
      let source = content.tracks.isEmpty ? " of \(content.source)" : ""
      parts.append(counted(content.crossings.count, "crossing") + source)
    } else {
      parts.append("no crossings")
    }
    if shown == content.regions.count {
      parts.append(counted(shown, "region"))
    } else {
      parts.append("\(digits(shown)) of \(counted(content.regions.count, "region")) in view")
    }
    let text = parts.joined(separator: ", ")
    let missing =
      content.tracks.isEmpty && !content.crossings.isEmpty
      ? " Positions are not kept, so there is no track." : ""
    let what = text.prefix(1).uppercased() + text.dropFirst() + "." + missing
    return [span, what].compactMap { $0 }.flatMap { wrapped($0, to: room, size: lineSize, lines: 3) }
  }

  private static func document(_ drawing: Drawing, _ lines: [String], _ width: Double, _ style: MapStyle)
    -> String
  {
    var palette = drawing.palette
    let area = drawing.frame.area
    var body = ""
    let title = TextWidth.cut(drawing.content.title, to: area.width, size: titleSize, isBold: true)
    body +=
      "<text x=\"\(pixels(margin))\" y=\"30\" font-size=\"\(pixels(titleSize))\" font-weight=\"bold\" \(palette.fill(.text))>\(title.svgEscaped)</text>\n"
    for (number, line) in lines.enumerated() {
      body +=
        "<text x=\"\(pixels(margin))\" y=\"\(pixels(50 + 17 * Double(number)))\" \(palette.fill(.quiet))>\(line.svgEscaped)</text>\n"
    }
    let rect =
      "x=\"\(pixels(area.left))\" y=\"\(pixels(area.top))\" width=\"\(pixels(area.width))\" height=\"\(pixels(area.height))\""
    let map = map(drawing, &palette)
    let legend = Legend(drawing, &palette)
    let height = (legend.bottom + 12).rounded(.up)
    let paper = "<rect width=\"\(pixels(width))\" height=\"\(pixels(height))\" \(palette.fill(.paper))/>\n"
    let ground = "<rect \(rect) \(palette.fill(.ground))/>\n"
    let edge = "<rect \(rect) fill=\"none\" \(palette.stroke(.edge))/>\n"
    // Several pictures may stand in one page: their ids differ.
    let id = "map-" + fingerprint(map + body)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(pixels(width))" height="\(pixels(height))" \
      viewBox="0 0 \(pixels(width)) \(pixels(height))" role="img" aria-labelledby="\(id)-title \(id)-text" \
      font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="\(pixels(lineSize))">
      <title id="\(id)-title">\(drawing.content.title.svgEscaped)</title>
      <desc id="\(id)-text">\((lines + drawing.notes).joined(separator: " ").svgEscaped)</desc>
      \(palette.style)<clipPath id="\(id)-edge"><rect \(rect)/></clipPath>
      \(paper)\(body)\(ground)<g clip-path="url(#\(id)-edge)" stroke-linecap="round" stroke-linejoin="round">
      \(map)</g>
      \(edge)\(legend.svg)</svg>

      """
  }

  /// The layers, and the texts twice: first as halos, for not all renderers can draw an outline beneath the letters.
  private static func map(_ drawing: Drawing, _ palette: inout Palette) -> String {
    var text = drawing.graticule + drawing.regions + drawing.tracks
    if !drawing.leaders.isEmpty {
      text +=
        "<path d=\"\(drawing.leaders.data)\" \(palette.stroke(.quiet)) fill=\"none\" stroke-width=\".8\"/>\n"
    }
    text += drawing.marks
    guard !drawing.labels.isEmpty else { return text }
    func element(_ label: Drawing.Label, _ paint: String) -> String {
      let weight = label.isBold ? " font-weight=\"bold\"" : ""
      let place = "x=\"\(pixels(label.centre.x))\" y=\"\(pixels(label.centre.y + 0.36 * label.size))\""
      return
        "<text \(place) font-size=\"\(pixels(label.size))\"\(weight)\(paint)>\(label.text.svgEscaped)</text>\n"
    }
    text +=
      "<g text-anchor=\"middle\">\n<g aria-hidden=\"true\" \(palette.stroke(.halo, fill: .halo)) stroke-width=\"4\" stroke-opacity=\".92\">\n"
    for label in drawing.labels { text += element(label, "") }
    text += "</g>\n"
    for label in drawing.labels { text += element(label, " " + palette.fill(label.ink)) }
    return text + "</g>\n"
  }

  /// Eight hexadecimal digits that hardly another text has.
  ///
  /// - Source: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a, RFC 9923.
  private static func fingerprint(_ text: String) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension Drawing {
  /// Says what was left out for want of room.
  mutating func noteOmissions() {
    var parts: [String] = []
    if omittedTimes > 0 { parts.append(counted(omittedTimes, "time")) }
    if omittedNames > 0 { parts.append(counted(omittedNames, "region name")) }
    if !parts.isEmpty { notes.append("Left out for want of room: \(parts.joined(separator: ", ")).") }
  }
}
