import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineRegionFiles
import FencelineService

/// `fenceline region import`.
enum RegionImportCommand {
  private static let files = Positional<String>(
    "FILE", value: .file,
    help: "A file of regions: GeoJSON, GPX, KML, CSV, OwnTracks or Home Assistant; - is standard input.",
    repeatable: true)
  private static let update = Flag(
    "update", help: "Let regions with the same ids take the place of those that are there.")
  private static let radius = Option<Double>(
    "radius", value: .length, help: "The radius of entries that have none.", defaultText: "100 m")
  private static let skipBad = Flag("skip-bad", help: "Leave bad entries out instead of refusing everything.")
  private static let dryRun = Flag("dry-run", help: "Read and check the files, and change nothing.")

  static let `import` = Command(
    "import", "Register the regions of files: all of them, or none where an entry is bad.",
    discussion: """
      The format is found by content. GeoJSON: Points, and Polygons that are circles, with the properties that 'region export' \
      writes. GPX: way-points; the radius is Garmin's proximity distance. KML: placemarks of all folders, whose names become tags. \
      CSV: columns such as id,title,latitude,longitude,radius, or a shape as WKT. OwnTracks: way-points and .otrw files. Home \
      Assistant: zones in YAML.
      An entry without an id, or whose id only numbers rows, takes its name, made unique; one without a radius takes --radius.
      """,
    examples: [
      .init("fenceline region import regions.geojson", "Register the regions of a file."),
      .init("fenceline region import --update regions.geojson", "Replace those with the same ids."),
      .init("fenceline region import --radius 150m places.gpx", "Make circles of way-points."),
    ],
    positionals: [files], options: [update, radius, skipBad, dryRun], run: Session.running(read))

  private static func read(_ session: Session) throws -> Int32 {
    let arguments = session.arguments
    let (update, isDry) = (arguments[update], arguments[dryRun])
    let journal = try session.journal(isDry ? .read : .write)
    let known = Dictionary(
      try journal.regions().map { ($0.region.id, $0.region.centre) }, uniquingKeysWith: { first, _ in first })
    let progress = Progress("regions", session)
    defer { progress.clear() }
    var batch = Batch(known: update ? [:] : known)
    let paths = arguments[all: files]
    for (place, path) in paths.enumerated() {
      let name = session.name(of: path)
      do throws(RegionFileError) {
        let bytes = try RegionFile.contents(of: path)
        let found = try RegionImport(
          bytes, name: path == "-" ? "FILE" : path, radius: arguments[radius] ?? 100, taken: batch.taken
        ) { part in progress.show(nil, (Double(place) + part) / Double(paths.count) / 2) }
        batch.add(found, name)
      } catch {
        guard error.code == .content else { throw error }
        batch.unread.append("Cannot read regions from \(name): \(error.message)")
      }
    }
    let isComplete = batch.unread.isEmpty && batch.problems.isEmpty
    progress.clear()
    if !isComplete {
      (batch.unread + batch.problems).forEach(session.complain)
      guard arguments[skipBad], !batch.regions.isEmpty else {
        let count = counted(batch.unread.count + batch.problems.count, "problem")
        let advice = batch.regions.isEmpty ? "" : " --skip-bad imports the others."
        session.complain("\(count); no region was imported.\(advice)")
        return Status.unreadable
      }
    }
    let status = isComplete ? Status.done : Status.partial
    if isDry {
      batch.notes.forEach(session.warn)
      session.note("\(counted(batch.regions.count, "region")) could be imported; nothing was changed")
      return status
    }
    let change = try journal.store(batch.regions, update: update) { count in
      progress.show(count, 0.5 + Double(count) / Double(batch.regions.count) / 2)
    }
    progress.clear()
    // Another process may have been quicker.
    guard change.conflicts.isEmpty else {
      let some = change.conflicts.prefix(3).map { "'\(printable($0))'" }.joined(separator: ", ")
      session.complain(
        "Another program has added \(counted(change.conflicts.count, "region")) of these ids meanwhile, such as \(some); no region was imported. --update replaces them."
      )
      return Status.unreadable
    }
    batch.notes.forEach(session.warn)
    try tell(change, of: batch.regions.count, session)
    return status
  }

  private static func tell(_ change: RegionChange, of count: Int, _ session: Session) throws {
    if session.isJSON {
      let value: JSONValue = [
        "added": .integer(change.added.count), "updated": .integer(change.updated.count),
        "unchanged": .integer(change.unchanged.count),
      ]
      try session.output.writeLine(value.line)
    }
    let parts = [("added", change.added), ("updated", change.updated), ("unchanged", change.unchanged)]
    let told = parts.filter { !$0.1.isEmpty }.map { "\(grouped($0.1.count)) \($0.0)" }
    session.note(counted(count, "region") + (told.isEmpty ? "" : ": " + told.joined(separator: ", ")))
  }
}

/// The regions of several files, before any of them is stored.
private struct Batch {
  /// Regions that are there already and may not be replaced.
  private let known: [String: Coordinate]
  /// Identifiers that entries without one of their own may not get, and where those regions are.
  private(set) var taken: [String: Coordinate]
  /// Those of good entries.
  private(set) var regions: [Region] = []
  /// What is wrong with bad ones.
  private(set) var problems: [String] = []
  /// Files that are none of regions.
  var unread: [String] = []
  private(set) var notes: [String] = []
  /// Where each identifier stands: `'file': Line 3, feature 1 ('id')`.
  private var places: [String: String] = [:]

  init(known: [String: Coordinate]) {
    self.known = known
    taken = known
  }

  mutating func add(_ found: RegionImport, _ file: String) {
    notes += found.notes.map { "\(file): \($0)" }
    var own: [String: String] = [:]
    for entry in found.entries {
      let region = entry.region
      let place = "\(file): \(entry.place)"
      var wrong = entry.problems
      for window in region.active where !LocalTime.hasZone(window.zone) {
        wrong.append("There is no time zone '\(window.zone)'; one is called like Europe/Zurich.")
      }
      if let other = places[region.id] {
        wrong.append("The id is also that of \(other).")
      } else if known[region.id] != nil {
        wrong.append("There is a region of this id already: --update replaces it.")
      }
      problems += wrong.map { "\(place): \($0)" }
      if wrong.isEmpty {
        regions.append(region)
        taken[region.id] = region.centre
      }
      own[region.id] = own[region.id] ?? place
    }
    places.merge(own) { first, _ in first }
  }
}
