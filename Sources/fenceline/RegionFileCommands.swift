import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeofencing
import FencelineJSONText
import FencelineRegionFiles
import FencelineService

/// `fenceline region import` and `export`.
enum RegionFileCommands {
  private enum Format: String, Sendable, CaseIterable { case geojson }

  private static let files = Positional<String>(
    "FILE", value: .file, help: "A GeoJSON file of Points; - is standard input.", repeatable: true)
  private static let update = Flag(
    "update", help: "Let regions with the same ids take the place of those that are there.")
  private static let radius = Option<Double>(
    "radius", value: .length, help: "The radius of entries that have none.", defaultText: "100 m")
  private static let format = Option<Format>(
    "format", value: .choice(name: "FORMAT"), help: "What to write.", defaultText: "geojson")
  private static let file = Option<String>(
    "output", short: "o", value: .file, help: "Write to this file.", defaultText: "standard output")

  static let importing = Command(
    "import", "Register the regions of files: all of them, or none where an entry is bad.",
    discussion: """
      The properties of a GeoJSON Point are those that 'fenceline region export' writes. An entry without an id takes its name, made \
      unique; one without a radius takes --radius.
      """,
    examples: [
      .init("fenceline region import regions.geojson", "Register the regions of a file."),
      .init("fenceline region import --update regions.geojson", "Replace those with the same ids."),
    ],
    positionals: [files], options: [update, radius], run: Session.running(importFiles))

  static let exporting = Command(
    "export", "Write all regions to a file that 'region import' reads.",
    examples: [.init("fenceline region export --output regions.geojson", "Keep the regions in a file.")],
    options: [format, file],
    run: Session.running { session in
      let regions = try session.journal(.read).regions().map(\.region)
      let text = GeoJSON.text(regions)
      guard let path = session.arguments[file], path != "-" else {
        try session.output.write(text)
        return Status.done
      }
      try RegionFile.write(text, to: path)
      session.note("\(counted(regions.count, "region")) written to '\(printable(path))'")
      return Status.done
    })

  private static func importFiles(_ session: Session) throws -> Int32 {
    let paths = session.arguments[all: files]
    let update = session.arguments[update]
    let journal = try session.journal(.write)
    var taken = update ? [] : Set(try journal.regions().map(\.region.id))
    var regions: [Region] = []
    var problems: [String] = []
    var notes: [String] = []
    for path in paths {
      let name = session.name(of: path)
      do throws(RegionFileError) {
        let bytes = try RegionFile.contents(of: path)
        let read = try RegionImport(bytes, radius: session.arguments[radius] ?? 100, taken: taken)
        problems += (read.problems + read.regions.flatMap(zoneProblems)).map { "\(name): \($0)" }
        notes += read.notes.map { "\(name): \($0)" }
        let earlier = Set(regions.map(\.id))
        problems += read.regions.filter { earlier.contains($0.id) }.map {
          "\(name): The id '\(printable($0.id))' is also in a file before it."
        }
        regions += read.regions
        taken.formUnion(read.regions.map(\.id))
      } catch {
        guard error.code == .content else { throw error }
        problems.append("Cannot read regions from \(name): \(error.message)")
      }
    }
    guard problems.isEmpty else { return refuse(session, problems) }
    let change = try journal.store(regions, update: update)
    guard change.conflicts.isEmpty else {
      let list = change.conflicts.map {
        "There is a region '\(printable($0))' already: --update replaces it."
      }
      return refuse(session, list)
    }
    notes.forEach(session.warn)
    if session.isJSON {
      let value: JSONValue = [
        "added": .integer(change.added.count), "updated": .integer(change.updated.count),
        "unchanged": .integer(change.unchanged.count),
      ]
      try session.output.writeLine(value.line)
    }
    let parts = [("added", change.added), ("updated", change.updated), ("unchanged", change.unchanged)]
    let told = parts.filter { !$0.1.isEmpty }.map { "\(grouped($0.1.count)) \($0.0)" }
    session.note(counted(regions.count, "region") + (told.isEmpty ? "" : ": " + told.joined(separator: ", ")))
    return Status.done
  }

  private static func refuse(_ session: Session, _ problems: [String]) -> Int32 {
    problems.forEach(session.complain)
    session.complain("\(counted(problems.count, "problem")); no region was imported.")
    return Status.unreadable
  }

  private static func zoneProblems(_ region: Region) -> [String] {
    region.active.filter { !LocalTime.hasZone($0.zone) }.map {
      "Region '\(printable(region.id))': there is no time zone '\($0.zone)'; one is called like Europe/Zurich."
    }
  }
}
