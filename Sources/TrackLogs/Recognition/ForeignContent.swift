/// What people hand to the program that is no log it reads, and what they can do about it.
///
/// Every text completes "Cannot read the log '…':".
enum ForeignContent: Sendable {
  /// Knows binary files by their first bytes; nil for what may be a log.
  static func binary(_ head: [UInt8], _ name: LogName) -> String? {
    let file = quoted(name.inCommands)
    if head.dropFirst(8).starts(with: ".FIT".utf8), let length = head.first, length == 12 || length == 14 {
      return "it is a FIT file. Convert it: \(gpsbabel("garmin_fit", name))"
    }
    if head.starts(with: "PK\u{3}\u{4}".utf8) || head.starts(with: "PK\u{5}\u{6}".utf8) {
      return "it is a ZIP archive (KMZ files are too). Unpack it: unzip \(file)"
    }
    if head.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) {
      return "it is packed with xz. Unpack it: xz -dk \(file)"
    }
    if head.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
      return "it is packed with Zstandard. Unpack it: zstd -d \(file)"
    }
    if head.starts(with: "BZh".utf8), head.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
      return "it is packed with bzip2. Unpack it: bzip2 -dk \(file)"
    }
    if head.dropFirst(257).starts(with: "ustar".utf8) {
      return "it is a tar archive. Unpack it: tar -xf \(file)"
    }
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

  /// Names the type of an XML document.
  static func xml(root: String, _ name: LogName) -> String {
    switch root.lowercased() {
    case "kml": "it is a KML file. Convert it: \(gpsbabel("kml", name))"
    case "trainingcenterdatabase": "it is a TCX file. Convert it: \(gpsbabel("gtrnctr", name))"
    case "html": "it is a web page, not a GPS log. Download the log itself."
    case "osm": "it is an OpenStreetMap file. Convert it: \(gpsbabel("osm", name))"
    default: "it is an XML document of the type '\(root)', not a GPS log. Convert it to GPX with gpsbabel."
    }
  }

  /// Names the kind of a JSON document.
  static func json(_ text: ArraySlice<UInt8>, _ name: LogName) -> String {
    for key in ["latitudeE7", "timelineObjects", "semanticSegments", "timelinePath", "timestampMs"]
    where text.containsText("\"\(key)\"") {
      return "it is a Google location history. Convert it: \(gpsbabel("googletakeout", name))"
    }
    if text.containsText("\"FeatureCollection\"") || text.containsText("\"Feature\"") {
      return "it is GeoJSON, which has no times. 'fenceline region import' reads regions from it."
    }
    return "it is JSON, but neither from gpsd nor from OwnTracks. Convert it to GPX with gpsbabel."
  }

  /// An XML document that could do harm.
  static let documentType =
    "it has a document type declaration, which no GPX file needs and some use for attacks. Remove the DOCTYPE line."

  /// A file in which nothing was found.
  static let unknown =
    "it is none of the logs that Fenceline reads (\(formats)). CSV needs a first line with names such as time,latitude,longitude; gpsbabel converts many other formats to GPX."

  /// A file of zeros.
  static let zeros =
    "it holds nothing but zeros, as after a copy that went wrong. Copy it again from its source."

  /// A file of no bytes.
  static let empty = "it is empty. Check that the recording has worked."

  private static let formats = "NMEA 0183, GPX, gpsd JSON, OwnTracks .rec, CSV with named columns"

  private static func gpsbabel(_ format: String, _ name: LogName) -> String {
    let output = quoted(name.replacingExtension(with: "gpx"))
    return "gpsbabel -t -i \(format) -f \(quoted(name.inCommands)) -o gpx -F \(output)"
  }

  /// A name as a shell takes it.
  private static func quoted(_ name: String) -> String {
    var text = ""
    for character in name {
      if "\"\\$`".contains(character) { text.append("\\") }
      text.append(character)
    }
    return "\"\(text)\""
  }
}
