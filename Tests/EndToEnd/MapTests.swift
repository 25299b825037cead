import Foundation
import Testing

@Suite("map") struct MapTests {
  /// What a real renderer and a real XML parser say to a picture.
  private func check(_ picture: String, _ scratch: Scratch, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let script = """
      python3 -c 'import sys, xml.dom.minidom as m; assert m.parse(sys.argv[1]).documentElement.tagName == "svg"' "$1" &&
      rsvg-convert --format png --output "$1.png" "$1" && rsvg-convert --format png --width 40 --height 40 --output "$1.small.png" "$1"
      """
    let run = try scratch.shell(script, picture)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)", sourceLocation: location)
    // A blank picture of this size packs into two kilobytes; one with text and lines does not.
    let size = try FileManager.default.attributesOfItem(atPath: picture + ".png")[.size] as? Int ?? 0
    #expect(size > 8_000, sourceLocation: location)
  }

  @Test(arguments: Project.logs) func everySampleLogGivesAPicture(_ log: String) throws {
    let scratch = try Scratch.withRegions()
    let before = try scratch.contents()
    let run = try scratch.fenceline("map", Project.data(log), "--output", "map.svg")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.error)")
    #expect(run.error.contains(" drawn to 'map.svg'"))
    try check(scratch.path("map.svg"), scratch)
    let again = try scratch.fenceline("map", Project.data(log))
    #expect(try again.output == scratch.text("map.svg"))
    #expect(again.error.isEmpty)
    #expect(again.output.utf8.count < 60_000)
    // As many crossings as a replay tells, and nothing is recorded.
    let dry = try scratch.fenceline("replay", "--dry-run", "--json", Project.data(log))
    #expect(again.output.contains(" \(dry.lines.count) crossings, "))
    #expect(try scratch.contents() == before)
  }

  /// The picture in the README is what these commands make, on machines whose last bits differ too.
  @Test func thePictureOfTheDriveIsWhatTheCommandMakes() throws {
    let scratch = try Scratch()
    let run = try scratch.shell(
      """
      export TZ=Europe/Zurich
      "$FENCELINE" region import --quiet --db drive.db "$DATA/regions.geojson" &&
      "$FENCELINE" map --quiet --db drive.db "$DATA/drive.nmea" --title 'A delivery round in Zürich' --output drive.svg
      """)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    let committed = Project.folder.appending(path: "docs/drive.svg")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try scratch.text("drive.svg").write(to: committed, atomically: true, encoding: .utf8)
    }
    let (made, kept) = (
      Numbered(try scratch.text("drive.svg")), Numbered(try String(contentsOf: committed, encoding: .utf8))
    )
    #expect(made.text == kept.text)
    #expect(made.numbers.count == kept.numbers.count)
    #expect(zip(made.numbers, kept.numbers).allSatisfy { abs($0 - $1) < 0.11 })
  }

  @Test func recordedCrossingsAreDrawnWithoutATrack() throws {
    let scratch = try Scratch.withRegions()
    for log in ["drive.nmea", "walk.gpx"] {
      #expect(try scratch.fenceline("replay", "--quiet", Project.data(log)).status == 0)
    }
    let last = try scratch.fenceline("map", "--run", "last", "--output", "last.svg")
    #expect(last.status == 0)
    try check(scratch.path("last.svg"), scratch)
    let text = try scratch.text("last.svg")
    #expect(text.contains("Crossings of run 2") && text.contains("8 crossings of run 2, "))
    #expect(text.contains("Positions are not kept, so there is no track."))
    #expect(!text.contains(">track</text>"))
    #expect(try scratch.fenceline("map").output.contains("21 crossings of all runs, "))
    let some = try scratch.fenceline("map", "--region", "lind*", "--until", "2026-03-21T13:15:00Z")
    #expect(some.output.contains("1 crossing of all runs, 1 region."))
  }

  @Test func regionsAloneAreDrawn() throws {
    let scratch = try Scratch.withRegions()
    let run = try scratch.fenceline("map", "--region", "*station", "--output", "map.svg")
    #expect(run.status == 0)
    try check(scratch.path("map.svg"), scratch)
    #expect(try scratch.text("map.svg").contains("No crossings, 2 regions."))
  }

  @Test func timeAndDeviceNarrowWhatALogShows() throws {
    let scratch = try Scratch.withRegions()
    let log = Project.data("bus.csv")
    let all = try scratch.fenceline("map", log).output
    #expect(all.contains("(698 fixes from 2 devices)"))
    let one = try scratch.fenceline("map", log, "--device", "bus-12").output
    #expect(!one.contains("bus-31") && one.contains(">bus-12</text>"))
    let late = try scratch.fenceline("map", log, "--since", "2026-03-26T15:30:00Z")
    #expect(late.output.contains("2026-03-26 15:30:00 to 15:40:45"))
    let none = try scratch.fenceline("map", log, "--until", "2020-01-01")
    #expect(none.status == 65 && none.output.isEmpty)
    #expect(none.errors.count == 1)
  }

  @Test(arguments: ["auto", "light", "dark"]) func themesAreRendered(_ theme: String) throws {
    let scratch = try Scratch.withRegions()
    let run = try scratch.fenceline(
      "map", Project.data("walk.gpx"), "--theme", theme, "--width", "500", "--output", "map.svg")
    #expect(run.status == 0)
    try check(scratch.path("map.svg"), scratch)
    let text = try scratch.text("map.svg")
    #expect(text.contains("width=\"500\"") && text.contains("<style>") == (theme == "auto"))
  }

  @Test func namesOfAllKindsAreRendered() throws {
    let scratch = try Scratch()
    let title = "<b>\"Zoo\" & 'Söhne' 東京 🚉 שלום"
    let added = try scratch.fenceline("region", "add", "a&b<c>", "47.4", "8.5", "200", "--title", title)
    #expect(added.status == 0, "\(added.error)")
    let run = try scratch.fenceline("map", "--title", "\u{1}<&>", "--output", "map.svg")
    #expect(run.status == 0, "\(run.error)")
    try check(scratch.path("map.svg"), scratch)
  }

  @Test func thereIsNoEmptyPicture() throws {
    let scratch = try Scratch()
    let run = try scratch.fenceline("map", "--output", "map.svg")
    #expect(run.status == 65 && run.errors.count == 1)
    #expect(run.errors.first?.contains("There is nothing to draw") == true)
    #expect(try !scratch.names.contains("map.svg"))
    // A track is something to draw; that no region was crossed is said.
    let track = try scratch.fenceline("map", Project.data("walk.gpx"), "--output", "map.svg")
    #expect(track.status == 0 && track.error.contains("There is no such region to cross"))
    try check(scratch.path("map.svg"), scratch)
  }

  @Test func aPictureIsWrittenWholeOrNotAtAll() throws {
    let scratch = try Scratch.withRegions()
    try scratch.write("map.svg", "before")
    let missing = try scratch.fenceline("map", "missing.nmea", "--output", "map.svg")
    #expect(missing.status == 74 && missing.errors.count == 1)
    #expect(try scratch.text("map.svg") == "before")
    let nowhere = try scratch.fenceline("map", "--output", "no/such/folder/map.svg")
    #expect(
      nowhere.status == 73 && nowhere.errors.first?.contains("Cannot write 'no/such/folder/map.svg'") == true)
    // One of two logs is enough for a picture, and the status says that it is not whole.
    let partly = try scratch.fenceline("map", "missing.nmea", Project.data("walk.gpx"), "--output", "map.svg")
    #expect(partly.status == 3 && partly.errors.count == 1)
    try check(scratch.path("map.svg"), scratch)
  }

  @Test func whatDoesNotGoTogetherIsMisuse() throws {
    let scratch = try Scratch.withRegions()
    #expect(try scratch.fenceline("map", Project.data("walk.gpx"), "--run", "last").status == 64)
    #expect(try scratch.fenceline("map", "--max-speed", "100").status == 64)
    #expect(try scratch.fenceline("map", "--width", "10").status == 64)
    #expect(try scratch.fenceline("map", "--theme", "pink").error.contains("auto, light or dark"))
  }
}

/// A text, and the numbers apart from it; the ids, which are derived from all of it, are left out.
private struct Numbered {
  let text: String
  let numbers: [Double]

  init(_ document: String) {
    let number = /-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)/
    let plain = document.replacing(/map-[0-9a-f]{8}/, with: "map")
    text = plain.replacing(number, with: "#")
    numbers = plain.matches(of: number).compactMap { Double($0.output) }
  }
}
