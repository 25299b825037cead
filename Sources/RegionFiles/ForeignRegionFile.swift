internal import FencelineGeofencing
internal import FencelineXMLText

/// What people hand over that is no file of regions, and what they can do about it; and texts in other encodings.
enum ForeignRegionFile {
  static let unknown =
    "It is none of the files that regions are read from: GeoJSON, GPX or KML way-points, CSV with columns such as id,latitude,longitude,radius, "
    + "OwnTracks way-points, Home Assistant zones. ogr2ogr and gpsbabel convert most others."

  /// Knows binary files by their first bytes; nil for what may be a text.
  static func binary(_ bytes: [UInt8], _ name: String) -> String? {
    let file = quoted(name)
    if bytes.starts(with: [0x1f, 0x8b]) {
      return "It is packed with gzip. Unpack it: gunzip -c \(file) | fenceline region import -"
    }
    if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
      return
        "It is a ZIP archive, as KMZ files are. Unpack it: unzip -p \(file) '*.kml' | fenceline region import -"
    }
    let isShape = bytes.starts(with: [0, 0, 0x27, 0x0a])
    if isShape || bytes.starts(with: "SQLite format 3\0".utf8) || bytes.starts(with: "fgb\u{3}fgb".utf8) {
      let kind =
        isShape
        ? "a shapefile"
        : bytes.first == 0x66 ? "a FlatGeobuf file" : "an SQLite database, such as a GeoPackage"
      return "It is \(kind). Convert it: \(toKML(name))"
    }
    let isUTF16 = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    return !isUTF16 && bytes.prefix(1000).contains(0) ? unknown : nil
  }

  /// Names the type of an XML document.
  static func xml(root: String, _ name: String) -> String {
    switch root.lowercased() {
    case "featurecollection":
      return "It is GML. Convert it: \(toKML(name))"
    case "osm":
      return
        "It is an OpenStreetMap file. Convert it: ogr2ogr -f GeoJSON regions.geojson \(quoted(name)) points"
    case "loc":
      return "It is a geocaching file. Convert it: gpsbabel -i geo -f \(quoted(name)) -o gpx -F regions.gpx"
    case "trainingcenterdatabase":
      return
        "It is a TCX file, which holds tracks. Convert it for 'fenceline replay': gpsbabel -t -i gtrnctr -f \(quoted(name)) -o gpx -F track.gpx"
    case "html": return "It is a web page. Download the file itself."
    default: return "It is an XML document of the type '\(root.printable)'. \(unknown)"
    }
  }

  /// Knows logs, which hold a way rather than places.
  static func log(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(4000), as: UTF8.self)
    let lines = head.split(whereSeparator: \.isNewline)
    let isNMEA = lines.prefix(20).contains { line in
      ["$GP", "$GN", "$GL", "$GA", "$GB", "!AI"].contains { line.hasPrefix($0) }
    }
    let isGPSD = head.contains("\"class\":\"TPV\"") || head.contains("\"class\":\"VERSION\"")
    let isCSVLog =
      lines.first.map { line in
        let names = line.split { ",;\t".contains($0) }.map { RegionProperty.plain(String($0)) }
        return !names.contains { ["id", "name", "radius", "title"].contains($0) }
          && names.contains { ["time", "timestamp", "datetime", "fixtime"].contains($0) }
      } ?? false
    guard isNMEA || isGPSD || isCSVLog else { return nil }
    return "It is a log of positions, which 'fenceline replay' evaluates; regions are places."
  }

  /// Whether a text without control characters may be a list in YAML rather than anything at all.
  static func mayBeYAML(_ bytes: [UInt8]) -> Bool {
    let isText = !bytes.prefix(4000).contains { $0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0) }
    let text = String(decoding: bytes, as: UTF8.self)
    return isText && (text.contains("latitude") || text.contains("zone: !include"))
  }

  /// The text as UTF-8 without a byte order mark: UTF-16 is converted, and what is no UTF-8 is Windows-1252.
  static func unified(_ bytes: [UInt8]) throws(RegionFileError) -> [UInt8] {
    // Sequences of JSON texts (RFC 8142) have a mark before each.
    if bytes.first == 0x1e { return bytes.filter { $0 != 0x1e } }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    if isLittle || bytes.starts(with: [0xfe, 0xff]) {
      var units: [UInt16] = []
      var place = 2
      while place + 1 < bytes.count {
        let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        units.append(isLittle ? one | other << 8 : one << 8 | other)
        place += 2
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    // An XML document names its encoding itself.
    let isMarkup = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == 0x3c
    if isMarkup || String(validating: bytes, as: UTF8.self) != nil { return bytes }
    // Where most of what is not ASCII is UTF-8, the rest is damage rather than another encoding.
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let broken = scalars.count { $0 == "\u{fffd}" }
    if scalars.count(where: { !$0.isASCII }) > 2 * broken, let place = scalars.firstIndex(of: "\u{fffd}") {
      let line = scalars[..<place].count { $0 == "\n" } + 1
      throw RegionFileError(.content, "It is not valid UTF-8 in line \(line).")
    }
    return Array(Windows1252.text(bytes).utf8)
  }

  /// The command that makes KML of whatever GDAL reads: in degrees of WGS 84, and with all layers of a file that has several.
  static func toKML(_ name: String) -> String {
    "ogr2ogr -f LIBKML \(quoted(name == "FILE" ? "regions.kml" : name + ".kml")) \(quoted(name))"
  }

  /// Says which columns of a table are missing; nil for what is no table.
  static func table(_ bytes: [UInt8]) -> String? {
    let line = bytes.prefix(2000).prefix { $0 != 0x0a && $0 != 0x0d }
    let text = String(decoding: line, as: UTF8.self)
    for delimiter in [",", ";", "\t"] as [Character] where text.split(separator: delimiter).count > 2 {
      return
        "Its first line names no columns 'latitude' and 'longitude' (or 'wkt'), as a CSV file of regions needs: '\(text.shortened)'."
    }
    return nil
  }

  /// A name as a shell takes it.
  private static func quoted(_ name: String) -> String {
    // A name that begins with a dash would be an option.
    (name.hasPrefix("-") ? "./" : "") + "'"
      + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
