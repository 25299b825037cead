import Glibc
import Testing

@testable import FencelineTrackLogs

@Suite("Refused logs")
struct RefusalTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var content: [UInt8]
    var message: String
    var testDescription: String { name }

    init(_ name: String, _ content: [UInt8], _ message: String) {
      self.name = name
      self.content = content
      self.message = message
    }
    init(_ name: String, _ text: String, _ message: String) {
      self.init(name, Array(text.utf8), message)
    }
  }

  private static let kinds =
    "NMEA 0183, GPX, gpsd JSON, OwnTracks .rec, Google's location history, CSV with named columns"
  private static func noLog(_ what: String) -> String {
    "it is \(what), not a GPS log. Name a log of one of these kinds: \(kinds)."
  }
  private static func convert(_ what: String, _ format: String, _ name: String) -> String {
    "it is \(what). Convert it: gpsbabel -t -i \(format) -f @/\(name) -o gpx -F @/\(name).gpx"
  }

  private static let nmea2000 =
    "it is a recording of NMEA 2000, which is not read. Record NMEA 0183 at the gateway, or turn it into that with canboat."

  static let cases: [Case] = [
    Case("empty", "", "it is empty. Check that the recording has worked."),
    Case(
      "zeros", [UInt8](repeating: 0, count: 200_000),
      "it holds nothing but zeros, as after a copy that went wrong. Copy it again from its source."),
    Case("ride.pdf", "%PDF-1.7\n", noLog("a PDF document")),
    Case("ride.png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0], noLog("a PNG image")),
    Case("ride.jpg", [0xff, 0xd8, 0xff, 0xe0], noLog("a JPEG image")),
    Case("ride.gif", "GIF89a", noLog("a GIF image")),
    Case("ride.db", "SQLite format 3\0", noLog("an SQLite database")),
    Case("ride.exe", [0x7f, 0x45, 0x4c, 0x46, 2], noLog("a program")),
    Case("ride.rar", "Rar!\u{1a}", noLog("a RAR archive")),
    Case("ride.7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0], noLog("a 7-Zip archive")),
    Case(
      "ride.kmz",
      Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [7, 0, 0, 0] + Array("doc.kml".utf8),
      "it is a KMZ file, a packed KML. Unpack it: unzip -p @/ride.kmz '*.kml' > @/ride.kmz.kml"),
    Case("ride.zip", "PK\u{3}\u{4}rest", "it is a ZIP archive. Unpack it: unzip @/ride.zip"),
    Case(
      "ride.xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 1],
      "it is packed with xz. Unpack it: xz -dk @/ride.xz"),
    Case(
      "ride.zst", [0x28, 0xb5, 0x2f, 0xfd, 1],
      "it is packed with Zstandard. Unpack it: zstd -d @/ride.zst"),
    Case(
      "ride.bz2", Array("BZh9".utf8) + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
      "it is packed with bzip2. Unpack it: bzip2 -dk @/ride.bz2"),
    Case(
      "ride.bin", Array("BZh9".utf8) + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
      "it is packed with bzip2. Unpack it: bzip2 -dc < @/ride.bin > @/ride.bin.log"),
    Case(
      "ride.tar", [UInt8](repeating: 65, count: 257) + Array("ustar".utf8),
      "it is a tar archive. Unpack it: tar -xf @/ride.tar"),
    Case("ride.gdb", "MsRcf\u{0}", convert("a Garmin GDB file", "gdb", "ride.gdb")),
    Case(
      "ride.mps", "MsRcd\u{0}",
      "it is a Garmin MPS file, which few programs read. Open it in MapSource or BaseCamp and export GPX."),
    Case(
      "ride.shp", [0, 0, 0x27, 0x0a, 0, 0, 0, 0],
      "it is a shapefile, whose dates have no time of day. Where a column holds times as text, named 'time', it can be read. "
        + "Convert it: ogr2ogr -f CSV -t_srs EPSG:4326 -lco GEOMETRY=AS_XY @/ride.shp.csv @/ride.shp"),
    Case(
      "ride.hrm", "[Params]\nVersion=106\n",
      "it is a Polar HRM file, which holds heart rates and no positions. Export the training as GPX."),
    Case(
      "ride.26o", "     3.04           OBSERVATION DATA    M                   RINEX VERSION / TYPE\n",
      "it is a RINEX file, which holds raw measurements and no positions. Compute them first, "
        + "for instance with rnx2rtkp of RTKLIB, whose option -n writes NMEA 0183."),
    Case("candump", "(1697000000.123456) can0 09F8027F#00FC1234FFFFFFFF\n", nmea2000),
    Case("canboat", "2026-03-01-12:00:00.000,2,129025,1,255,8,a0,5f,3d,1c,70,0e,18,05\n", nmea2000),
    Case(
      "ride.sml", "<?xml version='1.0'?><sml xmlns='x'>",
      "it is a Suunto SML file. Export the training as GPX or FIT."),
    Case(
      "ride.fit", [14, 16, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0],
      convert("a FIT file", "garmin_fit", "ride.fit")),
    Case(
      "ride.tcx", "<?xml version='1.0'?><TrainingCenterDatabase>",
      convert("a TCX file", "gtrnctr", "ride.tcx")),
    Case("ride.kml", "\u{feff}<!-- x --><kml:kml><gx:Track>", convert("a KML file", "kml", "ride.kml")),
    Case(
      "ride.osm", "<osm version='0.6'>",
      "it is an OpenStreetMap file, which has no times. Name a log of one of these kinds: \(kinds)."),
    Case("page", "<!DOCTYPE html><html>", "it is a web page, not a GPS log. Download the log itself."),
    Case(
      "svg", "<svg xmlns='x'>",
      "it is an XML document of the type 'svg', not a GPS log. Export it as GPX from the program that wrote it."
    ),
    Case(
      "areas", "{\"type\":\"FeatureCollection\",\"features\":[]}",
      "it is GeoJSON, which has no times. 'fenceline region import' reads regions from it."),
    Case(
      "other", "[1,2,3]",
      "it is JSON, but neither from gpsd nor from OwnTracks or Google. Export GPX from the program that wrote it."
    ),
    Case(
      "text", "Dear diary,\nnothing of note.\n",
      "it is none of the logs that Fenceline reads (\(kinds)). "
        + "CSV needs a first line with names such as time,latitude,longitude; gpsbabel converts many other formats to GPX."
    ),
    Case(
      "untimed", "lat,lon\n1,2\n",
      "its columns hold positions but no time. Add a column named 'time' with the time of each position."),
    Case("bomb", "<?xml version='1.0'?><!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", ForeignContent.documentType),
    Case(
      "late bomb", "<!--" + String(repeating: "x", count: 70_000) + "--><!DOCTYPE gpx><gpx/>",
      ForeignContent.documentType),
    Case(
      "late root", "<!--" + String(repeating: "x", count: 70_000) + "--><kml/>",
      "it is an XML document of the type 'kml', not a GPS log."),
    Case(
      "not XML", "<?xml version='1.0'?>" + String(repeating: " ", count: 70_000) + "<<",
      "it begins like XML but is not well-formed at line 1 (not well-formed (invalid token))."),
  ]

  @Test("Every foreign file is named, with what can be done", arguments: cases)
  func refuses(_ test: Case) throws {
    let file = try ScratchFile(test.content, name: test.name)
    let folder = String(file.path.dropLast(test.name.count + 1))
    let error = #expect(throws: TrackLogError.self) { try readAll(file) }
    let wanted = "Cannot read the log '\(file.path)': \(test.message)".split(separator: "@").joined(
      separator: folder)
    #expect(error?.message == wanted)
    #expect(error?.code == (test.name.hasSuffix("bomb") ? .refused : .unrecognised))
  }

  @Test("A file that is one hole is refused at once")
  func hollow() throws {
    let file = try ScratchFile("")
    #expect(unsafe truncate(file.path, 3 << 30) == 0)
    let error = #expect(throws: TrackLogError.self) { try readAll(file) }
    #expect(error?.message.contains("nothing but zeros") == true)
  }

  @Test("What the system refuses is said in its words")
  func systemErrors() throws {
    let missing = #expect(throws: TrackLogError.self) { try readAll("/nonexistent/ride.gpx") }
    #expect(missing?.code == .cannotRead)
    #expect(
      missing?.message
        == "Cannot read the log '/nonexistent/ride.gpx': there is no such file. Check the path.")
    let folder = #expect(throws: TrackLogError.self) { try readAll("/tmp") }
    #expect(folder?.code == .cannotRead)
    #expect(folder?.message == "Cannot read the log '/tmp': it is a directory. Name the files in it.")
    let mad = #expect(throws: TrackLogError.self) { try readAll("/proc/self/mem") }
    #expect(mad?.code == .cannotRead)
    #expect(
      mad?.message
        == "Cannot read the log '/proc/self/mem': input/output error. Check the disk or device it is on.")
    let forbidden = ByteSource.failure(EACCES, LogName(path: "x"))
    #expect(forbidden.code == .notPermitted)
    #expect(
      forbidden.message
        == "Cannot read the log 'x': you are not allowed to. Change its permissions or run as its owner.")
    #expect("\(forbidden)" == forbidden.message)
  }

  @Test("Gzip of nothing, and gzip that is damaged from the start, are refused")
  func emptyGzip() throws {
    let empty = try ScratchFile(gzip([]))
    #expect(
      #expect(throws: TrackLogError.self) { try readAll(empty) }?.message.hasSuffix(ForeignContent.empty)
        == true)
    let broken = try ScratchFile([0x1f, 0x8b, 8, 0, 0, 0])
    #expect(#expect(throws: TrackLogError.self) { try readAll(broken) }?.code == .damaged)
  }

  @Test("Every reason and format has a name")
  func names() {
    #expect(Set(LogOmission.allCases.map(\.name)).count == LogOmission.allCases.count)
    #expect(Set(LogFormat.allCases.map(\.displayName)).count == LogFormat.allCases.count)
  }
}
