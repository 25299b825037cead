package import FencelineGeofencing

/// What a file of regions holds.
package struct RegionImport: Hashable, Sendable {
  /// The regions, in the order of the file; only to be used where there are no problems.
  package var regions: [Region] = []
  /// Everything that is wrong, a sentence each, with the line and the entry.
  package var problems: [String] = []
  /// What was left out or will work less well, a sentence each.
  package var notes: [String] = []

  /// Reads regions, whichever format they are in.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - radius: Metres, for entries that have none.
  ///   - taken: Identifiers that entries without one of their own may not get.
  /// - Throws: ``RegionFileError`` where the file as a whole cannot be read.
  package init(_ bytes: [UInt8], radius: Double, taken: Set<String> = []) throws(RegionFileError) {
    let entries = try GeoJSON.entries(in: bytes, radius: radius)
    adopt(entries, taken: taken)
  }

  /// Gives every entry an identifier and checks it.
  private mutating func adopt(_ entries: [RegionEntry], taken: Set<String>) {
    var lines: [String: Int] = [:]
    for entry in entries where entry.hasOwnID {
      lines[entry.region.id] = lines[entry.region.id] ?? entry.line
    }
    var used = taken.union(lines.keys)
    var seen: Set<String> = []
    for entry in entries {
      var region = entry.region
      var wrong = entry.problems
      if !entry.hasOwnID {
        region.id = RegionImport.unique(entry.region.title ?? "region", used)
        used.insert(region.id)
      } else if !seen.insert(region.id).inserted, let line = lines[region.id] {
        wrong.append("The id '\(region.id.printable)' is also that of the entry in line \(line).")
      }
      // Where the place could not be read, its numbers mean nothing.
      wrong += region.problems().filter { !entry.lacksPlace || $0.property != "coordinates" }.map(\.message)
      let name = entry.hasOwnID || region.title != nil ? " ('\(region.id.printable)')" : ""
      problems += wrong.map { "Line \(entry.line), \(entry.place)\(name): \($0)" }
      notes += (entry.notes + (wrong.isEmpty ? region.warnings : [])).map {
        "Line \(entry.line), \(entry.place)\(name): \($0)"
      }
      regions.append(region)
    }
  }

  private static func unique(_ name: String, _ used: Set<String>) -> String {
    guard used.contains(name) else { return name }
    var number = 2
    while used.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }
}

/// One entry of a file, before it is known whether it may stand.
struct RegionEntry {
  /// Where it begins, counted from 1.
  var line: Int
  /// What to call it: `feature 3`.
  var place: String
  /// What could be read.
  var region: Region
  var hasOwnID = false
  /// Whether the place could not be read, so that its values mean nothing.
  var lacksPlace = false
  var problems: [String] = []
  var notes: [String] = []
}
