/// What people hand to the program that is no log it reads, and what they can do about it.
///
/// Every text completes "Cannot read the log '…':". The commands were run on real files of their kind.
enum ForeignContent: Sendable {
  /// Knows binary files by their first bytes; nil for what may be a log.
  static func binary(_ head: [UInt8], _ name: LogName) -> String? {
    if head.dropFirst(8).starts(with: ".FIT".utf8), let length = head.first, length == 12 || length == 14 {
      return "it is a FIT file. \(Conversion(name, "fit").gpsbabel("garmin_fit"))"
    }
    if head.starts(with: "MsRcf".utf8) {
      return "it is a Garmin GDB file. \(Conversion(name, "gdb").gpsbabel("gdb"))"
    }
    if head.starts(with: "MsRcd".utf8) {
      return
        "it is a Garmin MPS file, which few programs read. Open it in MapSource or BaseCamp and export GPX."
    }
    if head.starts(with: [0x00, 0x00, 0x27, 0x0a]) {
      return "it is a shapefile, whose dates have no time of day. Where a column holds times as text, "
        + "named 'time', it can be read. \(Conversion(name, "shp").ogr2ogr())"
    }
    if head.starts(with: "SQLite format 3\0".utf8), head.dropFirst(68).starts(with: "GP".utf8) {
      return "it is a GeoPackage; where it has several layers, name that of the points at the end. "
        + Conversion(name, "gpkg").ogr2ogr()
    }
    return archive(head, name) ?? other(head)
  }

  private static func archive(_ head: [UInt8], _ name: LogName) -> String? {
    if head.starts(with: "PK\u{3}\u{4}".utf8) || head.starts(with: "PK\u{5}\u{6}".utf8) {
      let conversion = Conversion(name, "zip")
      let file = shellWord(conversion.file)
      // The name of the first file in it begins at byte 30; its length stands at 26.
      let length = head.count > 30 ? Int(head[26]) | Int(head[27]) << 8 : 0
      guard head.dropFirst(30).prefix(length).lowercasedText.hasSuffix(".kml") else {
        return "it is a ZIP archive. \(conversion.unpack("unzip \(file)"))"
      }
      let kml = shellWord(conversion.file + ".kml")
      return "it is a KMZ file, a packed KML. \(conversion.unpack("unzip -p \(file) '*.kml' > \(kml)"))"
    }
    let packers: [(kind: String, start: [UInt8], command: String, ending: String, filter: String)] = [
      ("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "xz -dk", ".xz", "xz -dc"),
      ("Zstandard", [0x28, 0xb5, 0x2f, 0xfd], "zstd -d", ".zst", "zstd -dc"),
      ("bzip2", Array("BZh".utf8), "bzip2 -dk", ".bz2", "bzip2 -dc"),
    ]
    for packer in packers where head.starts(with: packer.start) {
      // Three letters are not much: the first block of bzip2 begins with the digits of pi.
      if packer.kind == "bzip2", !head.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
        continue
      }
      let command = Conversion(name, String(packer.ending.dropFirst()))
        .unpack(packer.command, ending: packer.ending, otherwise: packer.filter)
      return "it is packed with \(packer.kind). \(command)"
    }
    if head.starts(with: [0x1f, 0x8b]) {
      return "it is packed with gzip twice. \(Conversion(name, "log").unpack())"
    }
    guard head.dropFirst(257).starts(with: "ustar".utf8) else { return nil }
    let conversion = Conversion(name, "tar")
    return "it is a tar archive. \(conversion.unpack("tar -xf \(shellWord(conversion.file))"))"
  }

  private static func other(_ head: [UInt8]) -> String? {
    let kinds: [(start: [UInt8], kind: String)] = [
      (Array("%PDF-".utf8), "a PDF document"),
      ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "a PNG image"),
      ([0xff, 0xd8, 0xff], "a JPEG image"),
      (Array("GIF8".utf8), "a GIF image"),
      (Array("SQLite format 3\0".utf8), "an SQLite database"),
      ([0x7f, 0x45, 0x4c, 0x46], "a program"),
      (Array("Rar!".utf8), "a RAR archive"),
      ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "a 7-Zip archive"),
    ]
    for kind in kinds where head.starts(with: kind.start) {
      return "it is \(kind.kind), not a GPS log. Name a log of one of these kinds: \(formats)."
    }
    return nil
  }

  /// Knows files of lines; nil for what may be a log.
  static func text(_ text: ArraySlice<UInt8>, _ name: LogName) -> String? {
    if text.starts(with: "$PMGNTRK".utf8), !text.containsText("GGA,"), !text.containsText("RMC,") {
      return "it is a Magellan log. \(Conversion(name, "log").gpsbabel("magellan"))"
    }
    if text.first == UInt8(ascii: "A"), text.containsText("HFDTE") {
      return "it is an IGC file. \(Conversion(name, "igc").gpsbabel("igc"))"
    }
    if text.starts(with: "OziExplorer Track".utf8) {
      return "it is an OziExplorer track. \(Conversion(name, "plt").gpsbabel("ozi"))"
    }
    if text.starts(with: "Grid\t".utf8), text.containsText("Datum\t") {
      return "it is a Garmin text file. \(Conversion(name, "txt").gpsbabel("garmin_txt"))"
    }
    if text.starts(with: "[Params]".utf8) {
      return "it is a Polar HRM file, which holds heart rates and no positions. Export the training as GPX."
    }
    if text.prefix(82).containsText("RINEX VERSION / TYPE") {
      return "it is a RINEX file, which holds raw measurements and no positions. "
        + "Compute them first, for instance with rnx2rtkp of RTKLIB, whose option -n writes NMEA 0183."
    }
    if isNMEA2000(text) {
      return
        "it is a recording of NMEA 2000, which is not read. Record NMEA 0183 at the gateway, or turn it into that with "
        + "canboat."
    }
    return nil
  }

  /// What a file is in which no log was found to its end.
  ///
  /// Binary messages of receivers are told only here: NMEA sentences may stand between them.
  static func unknown(_ head: [UInt8], _ name: LogName) -> String {
    if head.starts(with: [0xb5, 0x62]) {
      return "it holds u-blox messages (UBX). \(Conversion(name, "ubx").filter("gpsdecode", ".json"))"
    }
    if head.starts(with: [0xa0, 0xa2]) {
      return "it holds SiRF messages. \(Conversion(name, "sirf").filter("gpsdecode", ".json"))"
    }
    return
      "it is none of the logs that Fenceline reads (\(formats)). CSV needs a first line with names such as time,latitude,longitude; gpsbabel converts many other formats to GPX."
  }

  /// Lines of candump (`(1697…) can0 09F8027F#…`) and of canboat (`2026-03-01-12:00:00.000,2,129025,…`).
  private static func isNMEA2000(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix { $0 != 0x0a && $0 != 0x0d }
    let words = line.split(separator: 0x20)
    if line.first == UInt8(ascii: "("), words.count == 3, words[2].contains(UInt8(ascii: "#")) { return true }
    let fields = line.split(separator: UInt8(ascii: ","))
    return fields.count > 6 && fields[2].count >= 5 && fields[..<6].allSatisfy { $0.contains(where: isDigit) }
      && fields[1...5].allSatisfy { $0.allSatisfy(isDigit) } && fields[0].contains(UInt8(ascii: ":"))
  }

  /// Names the type of an XML document.
  static func xml(root: String, _ text: ArraySlice<UInt8>, _ name: LogName) -> String {
    switch root.lowercased() {
    case "kml": kml(text, Conversion(name, "kml"))
    case "trainingcenterdatabase": "it is a TCX file. \(Conversion(name, "tcx").gpsbabel("gtrnctr"))"
    case "html": "it is a web page, not a GPS log. Download the log itself."
    case "osm":
      "it is an OpenStreetMap file, which has no times. Name a log of one of these kinds: \(formats)."
    case "sml": "it is a Suunto SML file. Export the training as GPX or FIT."
    default:
      "it is an XML document of the type '\(root)', not a GPS log. Export it as GPX from the program that wrote it."
    }
  }

  /// gpsbabel gives times to the points of a gx:Track and to places that have one, but never to those of a line.
  private static func kml(_ text: ArraySlice<UInt8>, _ conversion: Conversion) -> String {
    if text.containsText(":Track") { return "it is a KML file. \(conversion.gpsbabel("kml"))" }
    guard text.containsText("<when>") else {
      return "it is a KML file, in which lines have no times: only a gx:Track becomes a log. "
        + conversion.gpsbabel("kml")
    }
    let filters = " -x nuketypes,tracks,routes -x transform,trk=wpt,del"
    return "it is a KML file. \(conversion.gpsbabel("kml", filters))"
  }

  /// Names the kind of a JSON document.
  static func json(_ text: ArraySlice<UInt8>, _ name: LogName) -> String {
    if text.containsText("\"FeatureCollection\"") || text.containsText("\"Feature\"") {
      return geoJSON(text, Conversion(name, "geojson"))
    }
    if text.containsText("\"_type\"") {
      let command = Conversion(name, "json").filter("jq -c '.data? // . | .[]'", ".rec")
      return "it holds OwnTracks records as one list. \(command)"
    }
    return
      "it is JSON, but neither from gpsd nor from OwnTracks or Google. Export GPX from the program that wrote it."
  }

  private static func geoJSON(_ text: ArraySlice<UInt8>, _ conversion: Conversion) -> String {
    for (key, path) in [
      ("coordTimes", ".coordTimes"), ("coordinateProperties", ".coordinateProperties.times"),
    ]
    where text.containsText("\"\(key)\"") {
      let rows =
        "(.features // [.])[] | select(.geometry.type == \"LineString\") | "
        + "[.properties\(path), .geometry.coordinates] | transpose[] | [.[0], .[1][1], .[1][0]]"
      let command = "jq -r '[\"time\", \"latitude\", \"longitude\"], (\(rows)) | @csv'"
      return "it is GeoJSON. \(conversion.filter(command, ".csv"))"
    }
    for key in ["time", "timestamp", "datetime"] where text.containsText("\"\(key)\"") {
      return "it is GeoJSON. \(conversion.ogr2ogr())"
    }
    return "it is GeoJSON, which has no times. 'fenceline region import' reads regions from it."
  }

  /// A text of four bytes a character, which nothing writes on purpose; nil for any other.
  static func wideText(_ head: ArraySlice<UInt8>, _ name: LogName) -> String? {
    let start = Array(head.prefix(64))
    var encoding: String?
    if start.starts(with: [0xff, 0xfe, 0, 0]) || start.starts(with: [0, 0, 0xfe, 0xff]) {
      encoding = "UTF-32"
    } else if start.count >= 8 {
      let used = Set(start.indices.filter { start[$0] != 0 }.map { $0 % 4 })
      let isFull = start.count { $0 != 0 } == start.count / 4
      if isFull, used == [0] || used == [3] { encoding = used == [0] ? "UTF-32LE" : "UTF-32BE" }
    }
    return encoding.map {
      "it is text in UTF-32. \(Conversion(name, "txt").filter("iconv -f \($0) -t UTF-8", ".utf8"))"
    }
  }

  /// An XML document that could do harm.
  static let documentType =
    "it has a document type declaration, which no GPX file needs and some use for attacks. Remove the DOCTYPE line."

  /// A file of zeros.
  static let zeros =
    "it holds nothing but zeros, as after a copy that went wrong. Copy it again from its source."

  /// A file of no bytes.
  static let empty = "it is empty. Check that the recording has worked."

  private static let formats =
    "NMEA 0183, GPX, gpsd JSON, OwnTracks .rec, Google's location history, CSV with named columns"
}
