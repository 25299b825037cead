import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeofencing
import FencelineRegionFiles

/// `fenceline region export`.
enum RegionExportCommand {
  private static let format = Option<RegionFormat>(
    "format", value: .choice(name: "FORMAT"), help: "What to write.",
    defaultText: "by the ending of --output, else geojson")
  private static let drawing = Option<RegionDrawing>(
    "as", value: .choice(name: "SHAPES"),
    help: "Circles as points with a radius, or as polygons that maps draw; for geojson, kml and csv.",
    defaultText: "points")
  private static let region = Option<String>(
    "region", value: .regionGlob, help: "Only regions whose id matches.", repeatable: true)
  private static let tag = Option<String>(
    "tag", value: .text, help: "Only regions with this tag.", repeatable: true)
  private static let file = Option<String>(
    "output", short: "o", value: .file, help: "Write to this file.", defaultText: "standard output")

  static let export = Command(
    "export", "Write regions to a file that 'region import' reads.",
    discussion: """
      GeoJSON, GPX, KML and CSV hold every property; OwnTracks and Home Assistant hold name, place and radius, and what is left out is \
      said. Polygons go along the true perimeter on the ground, in more corners where the map's distortion asks for them, and are cut \
      at the antimeridian.
      """,
    examples: [
      .init("fenceline region export --output regions.geojson", "Keep the regions in a file."),
      .init("fenceline region export --as polygons -o regions.kml", "Draw them in QGIS or Google Earth."),
      .init("fenceline region export --format owntracks --tag home -o home.otrw", "Take some to a phone."),
    ],
    options: [format, drawing, region, tag, file], run: Session.running(write))

  /// What follows the last dot of a file's name.
  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.dropFirst().lastIndex(of: "."), !path.hasPrefix("/dev/") else { return nil }
    return String(name[name.index(after: dot)...])
  }

  private static func write(_ session: Session) throws -> Int32 {
    let arguments = session.arguments
    let path = arguments[file].flatMap { $0 == "-" ? nil : $0 }
    let format = arguments[format] ?? path.flatMap(RegionFormat.init(ending:)) ?? .geojson
    if let path, arguments[Self.format] == nil, RegionFormat(ending: path) == nil,
      let ending = ending(of: path)
    {
      throw UsageError("The ending '.\(ending)' of '\(path)' is that of no format: name one with --format.")
    }
    let drawing = arguments[drawing] ?? .points
    guard drawing == .points || format.drawsPolygons else {
      throw UsageError(
        "Files for \(format.name) hold no polygons: --as polygons goes with geojson, kml and csv.")
    }
    let globs = arguments[all: region].map(Glob.init)
    let tags = arguments[all: tag]
    let regions = try session.journal(.read).regions().map(\.region).filter { region in
      tags.allSatisfy(region.tags.contains) && (globs.isEmpty || globs.contains { $0.matches(region.id) })
    }
    if regions.isEmpty, !tags.isEmpty || !globs.isEmpty {
      session.warn("There is no such region; the file holds none.")
    }
    let text = format.text(regions, as: drawing)
    let losses = format.losses(of: regions).map { "\($0.property) (\(counted($0.regions, "region")))" }
    if !losses.isEmpty {
      session.warn(
        "\(format.name) has no place for these, which were left out: \(losses.joined(separator: ", ")).")
    }
    guard let path else {
      try session.output.write(text)
      return Status.done
    }
    try RegionFile.write(text, to: path)
    session.note("\(counted(regions.count, "region")) written to '\(printable(path))'")
    return Status.done
  }
}
