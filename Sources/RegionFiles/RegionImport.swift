package import FencelineGeodesy
package import FencelineGeofencing

/// What a file of regions holds.
package struct RegionImport: Hashable, Sendable {
  /// One entry, good or bad.
  package struct Entry: Hashable, Sendable {
    /// The region; only to be used where there are no problems.
    package var region: Region
    /// Where it stands: `Line 12, feature 3 ('office')`.
    package var place: String
    /// Everything that is wrong with it, a sentence each.
    package var problems: [String]
  }

  /// In the order of the file.
  package private(set) var entries: [Entry] = []
  /// What was left out or will work less well, a sentence each.
  package private(set) var notes: [String] = []

  /// The regions of all entries.
  package var regions: [Region] { entries.map(\.region) }
  /// What is wrong with all entries, each sentence with the place.
  package var problems: [String] {
    entries.flatMap { entry in entry.problems.map { "\(entry.place): \($0)" } }
  }

  /// How many entries are named one by one where many have the same small fault.
  private static let most = 10
  /// Metres within which a place of the same name is the same place.
  private static let samePlace = 10.0

  /// Reads regions, whichever format they are in.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: Its name, for commands that convert it.
  ///   - radius: Metres, for entries that have none.
  ///   - taken: Regions whose identifiers entries without one of their own may not get, unless they are at the same place.
  ///   - progress: Told now and then which part of the work is done, 0 to 1.
  /// - Throws: ``RegionFileError`` where the file as a whole cannot be read.
  package init(
    _ bytes: [UInt8], name: String = "FILE", radius: Double, taken: [String: Coordinate] = [:],
    progress: @escaping (Double) -> Void = { _ in }
  ) throws(RegionFileError) {
    let (entries, notes) = try RegionFormat.read(bytes, name: name) {
      progress(Double($0) / Double(bytes.count) / 2)
    }
    self.notes = notes
    adopt(entries, radius: radius, taken: taken) { progress(0.5 + Double($0) / Double(entries.count) / 2) }
  }

  /// Gives every entry an identifier and checks it.
  private mutating func adopt(
    _ found: [RegionEntry], radius: Double, taken: [String: Coordinate], progress: (Int) -> Void
  ) {
    var found = found
    let rows = found.indices.filter { found[$0].hasRowNumber }
    for index in rows { found[index].hasOwnID = false }
    if !rows.isEmpty { notes.append("Ids that only number rows gave way to names: \(rows.count).") }
    let plain = found.count { !$0.hasOwnRadius && !$0.lacksPlace }
    if plain > 0 { notes.append("Entries without a radius got \(radius.trimmed(3)) m: \(plain).") }
    var lines: [String: Int] = [:]
    for entry in found where entry.hasOwnID {
      lines[entry.region.id] = lines[entry.region.id] ?? entry.line
    }
    var names = UniqueNames(used: Set(taken.keys).union(lines.keys))
    var seen: Set<String> = []
    var ignored = Ignored()
    var warnings: [String] = []
    for (number, entry) in found.enumerated() {
      if number.isMultiple(of: 1000) { progress(number) }
      var region = entry.region
      var wrong = entry.problems
      if !entry.hasOwnRadius { region.radius = radius }
      var other: String?
      if !entry.hasOwnID {
        let name = (entry.name ?? region.title ?? "").asIdentifier
        let isThere =
          !entry.lacksPlace
          && taken[name].map { $0.distance(to: region.centre) } ?? .infinity
            <= RegionImport.samePlace
        // What is imported once more is the same region, not a second one.
        region.id = isThere && seen.insert(name).inserted ? name : names.unique(name)
        if region.id != name, taken[name] != nil, entry.name ?? region.title != nil { other = name }
      } else if !seen.insert(region.id).inserted, let line = lines[region.id] {
        wrong.append("The id '\(region.id.shortened)' is also that of the entry in line \(line).")
      }
      // A name that the identifier says already is no title.
      if region.title == nil, entry.name != region.id { region.title = entry.name }
      // Where the place could not be read, its numbers mean nothing.
      wrong += region.problems().filter {
        !entry.lacksPlace || !["coordinates", "radius"].contains($0.property)
      }
      .map(\.message)
      let isNamed = entry.hasOwnID || entry.name != nil || region.title != nil
      let place = "Line \(entry.line), \(entry.place)\(isNamed ? " ('\(region.id.shortened)')" : "")"
      if wrong.isEmpty {
        warnings += region.warnings.map { "\(place): \($0)" }
        if let other {
          warnings.append(
            "\(place): There is a region '\(other.shortened)' elsewhere, so this one got another id; --update moves that one here."
          )
        }
      }
      ignored.add(entry.ignored)
      entries.append(Entry(region: region, place: place, problems: wrong))
    }
    if let note = ignored.note { notes.append(note) }
    notes += warnings.prefix(RegionImport.most)
    if warnings.count > RegionImport.most {
      notes.append("\(warnings.count - RegionImport.most) more regions have such a warning.")
    }
  }
}

/// Names that mean nothing here, counted.
private struct Ignored {
  private var names: [String] = []
  private var counts: [String: Int] = [:]
  private static let most = 10

  mutating func add(_ found: [String]) {
    for name in found {
      if counts[name] == nil { names.append(name) }
      counts[name, default: 0] += 1
    }
  }

  var note: String? {
    guard !names.isEmpty else { return nil }
    let listed = names.prefix(Ignored.most).map { name in
      "\(name.shortened) (\(counts[name] ?? 0))"
    }
    let rest = names.count > Ignored.most ? " and \(names.count - Ignored.most) more" : ""
    return
      "These properties mean nothing here and were left out, with the number of entries: \(listed.joined(separator: ", "))\(rest)."
  }
}

/// Gives out names that nobody has.
private struct UniqueNames {
  private var used: Set<String>
  /// The number to try next, so that many entries of one name do not each try all numbers again.
  private var next: [String: Int] = [:]

  init(used: Set<String>) {
    self.used = used
  }

  mutating func unique(_ name: String) -> String {
    var found = name
    var number = next[name] ?? 2
    while !used.insert(found).inserted {
      found = "\(name)-\(number)"
      number += 1
    }
    next[name] = number
    return found
  }
}

extension String {
  /// The text as an identifier: without what one may not begin or end with, on one line, and short enough to be made unique.
  fileprivate var asIdentifier: String {
    var text = String(printable.drop { $0 == "-" || $0.isWhitespace })
    while text.last?.isWhitespace == true || text.utf8.count > Region.Limits.name.upperBound - 20 {
      text.removeLast()
    }
    return text.isEmpty ? "region" : text
  }
}
