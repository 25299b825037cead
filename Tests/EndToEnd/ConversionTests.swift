import Foundation
import Testing

/// The commands that are printed for files that are no logs: run as they are, they make logs.
@Suite("Conversions") struct ConversionTests {
  /// A file that is refused, and what becomes of it by the printed commands.
  struct Kind: CustomTestStringConvertible, Sendable {
    var name: String
    /// Makes the file `$1`, by the shell.
    var recipe: String
    /// How many fixes the log made of it has; nil for as many as the track of `walk.gpx`.
    var fixes: Int?
    var testDescription: String { name }

    init(_ name: String, _ recipe: String, fixes: Int? = nil) {
      (self.name, self.recipe, self.fixes) = (name, recipe, fixes)
    }
  }

  private static func gpsbabel(_ format: String) -> String {
    "gpsbabel -t -i gpx -f \"$DATA/walk.gpx\" -o \(format) -F \"$1\""
  }

  /// Thirty fixes of a walk to the east from 13:05 on, as lines for printf: `%s` is the second, `%d` a growing number.
  private static func lines(_ head: String, _ line: String, _ tail: String) -> String {
    "{ printf '\(head)'; for i in $(seq 30); do printf '\(line)' $((9 + i)) $((1000 + i * 10)); done; printf '\(tail)'; } > \"$1\""
  }

  static let kinds = [
    Kind("ride.fit", gpsbabel("garmin_fit")),
    Kind("it's \"my\" $HOME `ride`!.fit", gpsbabel("garmin_fit")),
    Kind("-x \\ new\nline\u{202E}\u{1B}[31m.fit", gpsbabel("garmin_fit")),
    Kind("Zürich, 21. März.tcx", gpsbabel("gtrnctr")),
    Kind("ride.tcx.gz", gpsbabel("gtrnctr") + "; gzip < \"$1\" > packed; mv packed \"$1\""),
    Kind("track of points.kml", gpsbabel("kml")),
    Kind("gx track.kml", gpsbabel("kml,track=1,points=0")),
    Kind(
      "ride.kmz",
      gpsbabel("kml,track=1,points=0") + "; mv \"$1\" doc.kml; zip -q \"./$1\" doc.kml; rm doc.kml"),
    Kind("ride.igc", gpsbabel("igc")),
    Kind("my ride.gdb", gpsbabel("gdb")),
    Kind("ride.plt", gpsbabel("ozi") + "; [ -e \"$1\" ] || mv \"$1.plt\" \"$1\""),
    Kind("magellan", gpsbabel("magellan")),
    Kind("garmin.txt", gpsbabel("garmin_txt")),
    Kind("my points.gpkg", "ogr2ogr -f GPKG \"$1\" \"$DATA/walk.gpx\" track_points"),
    Kind("points.geojson", "ogr2ogr -f GeoJSON \"$1\" \"$DATA/walk.gpx\" track_points"),
    Kind(
      "line.geojson",
      "jq -nc '{type: \"FeatureCollection\", features: [{type: \"Feature\", properties: {coordTimes: [range(10; 40) | \"2026-03-21T13:05:\\(.)Z\"]}, geometry: {type: \"LineString\", coordinates: [range(30) | [8.5 + . / 1000, 47.5, 400]]}}]}' > \"$1\"",
      fixes: 30),
    Kind(
      "list.json",
      "jq -nc '{count: 30, data: [range(30) | {_type: \"location\", tst: (1774098310 + .), lat: 47.5, lon: (8.5 + . / 1000), acc: 5}]}' > \"$1\"",
      fixes: 30),
    Kind(
      "wide.csv",
      lines("time,latitude,longitude\\n", "2026-03-21T13:05:%sZ,47.5,8.%s\\n", "")
        + "; iconv -t UTF-32 < \"$1\" > wide; mv wide \"$1\"", fixes: 30),
    Kind("packed", "xz -c \"$DATA/walk.gpx\" > \"$1\""),
    Kind("walk.gpx.bz2", "bzip2 -c \"$DATA/walk.gpx\" > \"$1\""),
    Kind("walk.gpx.zst", "zstd -qc \"$DATA/walk.gpx\" > \"$1\""),
    Kind("drive", "zstd -qc \"$DATA/walk.gpx\" > \"$1\""),
    Kind("walk.tar", "cp \"$DATA/walk.gpx\" .; tar -cf \"$1\" walk.gpx; rm walk.gpx"),
    Kind("walk.zip", "cp \"$DATA/walk.gpx\" .; zip -q \"$1\" walk.gpx; rm walk.gpx"),
    Kind("sky.ubx", "cp \"$PROJECT/Tests/EndToEnd/Logs/walk.ubx\" \"$1\"", fixes: 60),
    Kind("sky.sirf", "cp \"$PROJECT/Tests/EndToEnd/Logs/walk.sirf\" \"$1\"", fixes: 60),
  ]

  /// The command behind the last colon of a sentence; nil where it gives none.
  private func printedCommand(in sentence: String) -> String? {
    for mark in [" it: ", " that: "] {
      if let range = sentence.firstRange(of: mark) {
        return String(sentence[range.upperBound...].prefix { !$0.isNewline })
      }
    }
    return nil
  }

  @Test(arguments: kinds) func thePrintedCommandMakesALog(_ kind: Kind) throws {
    let scratch = try Scratch()
    let made = try scratch.shell(
      "set -e; set -- \"./$1\"; " + kind.recipe, kind.name, with: ["PROJECT": Project.folder.path])
    try #require(made.status == 0, "\(made.error)")
    var file = kind.name
    var rounds = 0
    var run = try scratch.fenceline("fixes", "--json", "--", file)
    while run.status == 65, rounds < 3 {
      rounds += 1
      #expect(run.messages.count == 1, "\(run.error)")
      let command = try #require(printedCommand(in: run.error), "\(run.error)")
      let before = Set(try scratch.names)
      let conversion = try RunningProgram(
        ["/bin/bash", "-c", command], environment: scratch.environment(), in: scratch.folder
      ).result()
      try #require(conversion.status == 0, "\(command)\n\(conversion.error)")
      let new = try scratch.names.filter { !before.contains($0) }
      file = try #require(new.last, "\(command)")
      run = try scratch.fenceline("fixes", "--json", "--", file)
    }
    #expect(run.status == 0 && rounds > 0, "\(run.error)")
    let times = try run.decoded(TimedLine.self).map(\.time)
    if let fixes = kind.fixes {
      #expect(times.count == fixes)
      #expect(times.allSatisfy { $0.hasPrefix("2026-03-21T13:05:") }, "\(times)")
    } else {
      let track = try scratch.fenceline("fixes", "--json", Project.data("walk.gpx")).decoded(TimedLine.self)
      #expect(times.count == track.count)
      // The day numbers of OziExplorer are rounded to some tenths of a second.
      #expect(zip(times, track).allSatisfy { abs(seconds($0) - seconds($1.time)) < 0.6 })
    }
  }

  private struct TimedLine: Decodable { var time: String }

  @Test func aLineWithoutTimesIsSaidToBecomeNoLog() throws {
    let scratch = try Scratch()
    #expect(try scratch.shell(Self.gpsbabel("kml,points=0") + "", "line.kml").status == 0)
    let run = try scratch.fenceline("replay", "line.kml")
    #expect(run.error.contains("lines have no times: only a gx:Track becomes a log"))
    let command = try #require(printedCommand(in: run.error))
    #expect(try scratch.shell(command).status == 0)
    let replay = try scratch.fenceline("replay", "line.kml.gpx")
    #expect(replay.error.contains("None of the track's points has a time"))
  }

  @Test func standardInputIsToBeSavedFirst() throws {
    let scratch = try Scratch()
    #expect(try scratch.shell(Self.gpsbabel("garmin_fit"), "ride.fit").status == 0)
    for (pipe, saved) in [("cat", "log.fit"), ("gzip -c", "log.fit.gz")] {
      let run = try scratch.shell("\(pipe) ride.fit | \"$FENCELINE\" fixes -")
      #expect(run.status == 65)
      #expect(run.error.contains("it is a FIT file. Save it in a file, say \(saved), and convert that: "))
      let command = try #require(printedCommand(in: run.error))
      let converted = try scratch.shell("\(pipe) ride.fit > \(saved); \(command)")
      #expect(converted.status == 0, "\(converted.error)")
      #expect(
        try scratch.fenceline("fixes", "--json", "log.fit.gpx").lines.count == 1194 || saved.hasSuffix("gz"))
    }
    #expect(try scratch.fenceline("fixes", "--json", "log.fit.gz.fit.gpx").lines.count == 1194)
  }
}
