package import FencelineGeofencing

/// What a file of regions holds.
package struct RegionImport: Hashable, Sendable {
  /// The regions, in the order of the file; only to be used where there are no problems.
  package var regions: [Region] = []
  /// Where each region stands: `Line 12, feature 3 ('office')`.
  package var places: [String] = []
  /// Everything that is wrong, a sentence each, with the line and the entry.
  package var problems: [String] = []
  /// What was left out or will work less well, a sentence each.
  package var notes: [String] = []

  /// How many entries are named one by one where many have the same small fault.
  private static let most = 10

  /// Reads regions, whichever format they are in.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: Its name, for commands that convert it.
  ///   - radius: Metres, for entries that have none.
  ///   - taken: Identifiers that entries without one of their own may not get.
  ///   - progress: Told now and then which part of the work is done, 0 to 1.
  /// - Throws: ``RegionFileError`` where the file as a whole cannot be read.
  package init(
    _ bytes: [UInt8], name: String = "FILE", radius: Double, taken: Set<String> = [],
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
    _ entries: [RegionEntry], radius: Double, taken: Set<String>, progress: (Int) -> Void
  ) {
    var lines: [String: Int] = [:]
    for entry in entries where entry.hasOwnID {
      lines[entry.region.id] = lines[entry.region.id] ?? entry.line
    }
    var names = UniqueNames(used: taken.union(lines.keys))
    var seen: Set<String> = []
    var ignored = Ignored()
    var warnings: [String] = []
    for (number, entry) in entries.enumerated() {
      if number.isMultiple(of: 1000) { progress(number) }
      var region = entry.region
      var wrong = entry.problems
      if !entry.hasOwnRadius { region.radius = radius }
      if !entry.hasOwnID {
        region.id = names.unique((entry.name ?? region.title ?? "").asIdentifier)
      } else if !seen.insert(region.id).inserted, let line = lines[region.id] {
        wrong.append("The id '\(region.id.printable)' is also that of the entry in line \(line).")
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
      problems += wrong.map { "\(place): \($0)" }
      notes += entry.notes.map { "\(place): \($0)" }
      if wrong.isEmpty { warnings += region.warnings.map { "\(place): \($0)" } }
      ignored.add(entry.ignored)
      regions.append(region)
      places.append(place)
    }
    if let note = ignored.note { notes.append(note) }
    notes += warnings.prefix(RegionImport.most)
    if warnings.count > RegionImport.most {
      notes.append(
        "\(warnings.count - RegionImport.most) more regions are as small or smaller than GPS can tell.")
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
