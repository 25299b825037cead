import FencelineGeodesy
import FencelineGeofencing
import Testing

@testable import FencelineRegionFiles

/// Files as other programs and people write them.
struct ForeignFormatTests {
  private func read(_ text: String, radius: Double = 100) throws -> RegionImport {
    try RegionImport(Array(text.utf8), radius: radius)
  }

  private func summary(_ regions: [Region]) -> [String] {
    regions.map { region in
      let place = "\(region.centre.latitude) \(region.centre.longitude) \(region.radius)"
      return "\(region.id)|\(region.title ?? "")|\(place)" + (region.tags.isEmpty ? "" : "|\(region.tags)")
    }
  }

  @Test func waypointsOfGarminKeepTheirProximity() throws {
    let found = try read(
      """
      <?xml version="1.0"?>
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="x" xmlns:wptx1="y">
      <wpt lat="47.1" lon="8.1"><ele>400</ele><name>Reef</name><desc>Shallow</desc><sym>Flag</sym>
      <extensions><gpxx:WaypointExtension><gpxx:Proximity>250.5</gpxx:Proximity></gpxx:WaypointExtension></extensions></wpt>
      <wpt lat="47.2" lon="8.2"><name>Reef</name><extensions><wptx1:WaypointExtension><wptx1:Proximity>50</wptx1:Proximity>
      </wptx1:WaypointExtension></extensions></wpt>
      <wpt lat="47.3" lon="8.3"/>
      <trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk><rte/><rte/>
      </gpx>
      """)
    #expect(found.problems == [])
    #expect(
      summary(found.regions) == [
        "Reef||47.1 8.1 250.5", "Reef-2|Reef|47.2 8.2 50.0", "region||47.3 8.3 100.0",
      ])
    #expect(
      found.notes == [
        "Only way-points can be regions; left out: one track, 2 routes.",
        "Entries without a radius got 100 m: 1.",
        "These properties mean nothing here and were left out, with the number of entries: desc (1).",
      ])
  }

  @Test func placemarksOfAllFoldersAreRead() throws {
    let circle = (0...36).map { step -> String in
      let corner = Coordinate(latitude: 47, longitude: 8).destination(
        azimuth: Double(10 * step), distance: 300)
      return "\(corner.longitude),\(corner.latitude),0"
    }.joined(separator: "\n ")
    let found = try read(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Mine</name>
      <Folder><name>Customers</name><Folder><name>North</name>
      <Placemark><name>Miller</name><description>By the &lt;b&gt;river</description><Point><coordinates> 8.5,47.5,410 </coordinates></Point></Placemark>
      </Folder>
      <Placemark id="x"><name>Yard</name><ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="Radius">75</SimpleData>
        <SimpleData name="fid">3</SimpleData></SchemaData></ExtendedData>
        <MultiGeometry><Point><coordinates>8.6,47.6</coordinates></Point></MultiGeometry></Placemark>
      </Folder>
      <Placemark><name>Round</name><Polygon><outerBoundaryIs><LinearRing><coordinates>\(circle)</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
      <Placemark><name>Line</name><MultiGeometry><Point><coordinates>8,47</coordinates></Point><LineString><coordinates>\(circle)</coordinates></LineString></MultiGeometry></Placemark>
      </Document></kml>
      """)
    #expect(found.problems == [])
    #expect(
      summary(found.regions.prefix(2).map { $0 }) == [
        "Miller||47.5 8.5 100.0|[\"Customers\", \"North\"]", "Yard||47.6 8.6 75.0|[\"Customers\"]",
      ])
    for region in found.regions.dropFirst(2) {
      #expect(abs(region.radius - 300) < 0.01)
      #expect(region.centre.distance(to: Coordinate(latitude: 47, longitude: 8)) < 0.01)
    }
    #expect(
      found.notes == [
        "Entries without a radius got 100 m: 1.",
        "These properties mean nothing here and were left out, with the number of entries: description (1), fid (1).",
      ])
  }

  @Test(
    arguments: [
      (
        "<Point><coordinates>8.5 47.5</coordinates></Point>",
        "Its 'coordinates' are not longitude,latitude in degrees."
      ),
      ("<Point/>", "Its 'coordinates' are not longitude,latitude in degrees."),
      ("", "It has no place: a Point or a circle is needed."),
      ("<gx:Track><when/></gx:Track>", "It is a track; only a Point or a circle can be a region."),
      (
        "<LineString><coordinates>8,47 8,48</coordinates></LineString>",
        "It is a line; only a Point or a circle can be a region."
      ),
      (
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>8,47 8,48 9,48 8,47</coordinates></LinearRing></outerBoundaryIs></Polygon>",
        "Its outline is not a circle: it has 3 corners. Only circles can be regions."
      ),
      ("<Point><coordinates>8,97</coordinates></Point>", "The latitude 97.0 is outside -90 to 90 degrees."),
    ] as [(String, String)])
  func placemarksThatAreNoCircleAreNamed(_ geometry: String, _ message: String) throws {
    let found = try read("<kml>\n<Placemark><name>a</name>\(geometry)</Placemark></kml>")
    #expect(found.problems == ["Line 2, placemark 1 ('a'): \(message)"])
  }

  @Test(
    arguments: [
      ("Name,Lat,Lon,Radius (m)\nHome,47.5,8.5,75\n", ["Home||47.5 8.5 75.0"]),
      // As a German spreadsheet saves it.
      (
        "name;breite;Latitude;Longitude;radius\r\n\"Zürich; Mitte\";x;47,5;8,25;75,5\r\n\r\n",
        ["Zürich; Mitte||47.5 8.25 75.5"]
      ),
      ("# places\nid\tlat\tlng\na\t47.5\t8.5\n", ["a||47.5 8.5 100.0"]),
      (
        "name,latitude,longitude\n\"Two\nlines\",\"47°30'N\",\"8 30 0 E\"",
        ["Two?lines|Two\nlines|47.5 8.5 100.0"]
      ),
      // QGIS with GEOMETRY=AS_XY and AS_WKT.
      ("X,Y,name,tags\n8.5,47.5,Home,a; b\n", ["Home||47.5 8.5 100.0|[\"a\", \"b\"]"]),
      ("WKT,name\n\"POINT (8.5 47.5)\",Home\n", ["Home||47.5 8.5 100.0"]),
      // Traccar.
      ("name,area\nDepot,\"CIRCLE (47.5 8.5, 320.5)\"\n", ["Depot||47.5 8.5 320.5"]),
    ] as [(String, [String])])
  func tablesAreReadByTheirColumns(_ text: String, _ expected: [String]) throws {
    let found = try read(text)
    if text.contains("Two") {
      #expect(found.problems.count == 1 && found.problems[0].contains("no control characters"))
    } else {
      #expect(found.problems == [])
    }
    #expect(summary(found.regions) == expected)
  }

  @Test func everyBadRowIsNamedByItsLine() throws {
    let found = try read(
      """
      id,latitude,longitude,radius,dwell
      a,47,8,50,60; 300
      b,97,8,50,
      c,,8,50,
      d,47,8,wide,
      e,47,8,50,60,more
      "f
      g",47,8,-1,
      a,47,x,50,
      """)
    #expect(
      found.problems == [
        "Line 3, row 2 ('b'): The latitude 97.0 is outside -90 to 90 degrees.",
        "Line 4, row 3 ('c'): The latitude or longitude is missing.",
        "Line 5, row 4 ('d'): The value of 'radius' is 'wide', not a number of metres.",
        "Line 6, row 5 ('e'): It has 6 fields, the first line 5: is there a ',' in a text without quotes?",
        "Line 7, row 6 ('f?g'): The id 'f?g' must have 1 to 200 bytes and no control characters.",
        "Line 7, row 6 ('f?g'): The radius of -1 m is outside 1 m to 10,000 km.",
        "Line 9, row 7 ('a'): 'x' is not a coordinate: write degrees such as 47.3769, or 47 22 36.8 N.",
        "Line 9, row 7 ('a'): The id 'a' is also that of the entry in line 2.",
      ])
  }

  @Test func tablesInWindowsEncodingsAreRead() throws {
    let latin = Array("name,lat,lon\nZ".utf8) + [0xfc] + Array("rich,47,8\n".utf8)
    #expect(try RegionImport(latin, radius: 100).regions.map(\.id) == ["Zürich"])
    for isLittle in [true, false] {
      var bytes: [UInt8] = isLittle ? [0xff, 0xfe] : [0xfe, 0xff]
      for unit in "name\tlat\tlon\r\nZürich\t47\t8\r\n".utf16 {
        bytes += isLittle ? [UInt8(unit & 0xff), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xff)]
      }
      #expect(try RegionImport(bytes, radius: 100).regions.map(\.id) == ["Zürich"])
    }
  }

  @Test func documentsThatAreWrongAboutTheirEncodingAreRead() throws {
    for declared in ["UTF-16", "utf-16", "UCS-2", "UTF-8"] {
      let text =
        "<?xml version=\"1.0\" encoding=\"\(declared)\"?>\r\n<kml><Placemark><name>Zürich</name>"
        + "<Point><coordinates>8,47</coordinates></Point></Placemark></kml>"
      var files = [Array(text.utf8)]
      for isLittle in [true, false] {
        var bytes: [UInt8] = isLittle ? [0xff, 0xfe] : [0xfe, 0xff]
        for unit in text.utf16 {
          bytes +=
            isLittle ? [UInt8(unit & 0xff), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xff)]
        }
        files.append(bytes)
      }
      for bytes in files {
        #expect(try RegionImport(bytes, radius: 100).regions.map(\.id) == ["Zürich"], "\(declared)")
      }
    }
  }

  @Test func rowNumbersGiveWayToNames() throws {
    let found = try read(
      "id,name,latitude,longitude,radius\n1,Home,47,8,50\n2,Work,47,9,50\n3,,47,9,50\nx7,Gym,47,9,50\n")
    #expect(found.regions.map(\.id) == ["Home", "Work", "3", "x7"])
    #expect(found.regions.map(\.title) == [nil, nil, nil, "Gym"])
    #expect(found.notes == ["Ids that only number rows gave way to names: 2."])
  }

  @Test func whatIsImportedOnceMoreIsTheSameRegion() throws {
    let home = Coordinate(latitude: 47, longitude: 8)
    let table = "name,latitude,longitude,radius\nHome,47,8,50\nHome,48,8,50\n"
    let again = try RegionImport(Array(table.utf8), radius: 100, taken: ["Home": home])
    #expect(again.regions.map(\.id) == ["Home", "Home-2"])
    let elsewhere = try RegionImport(
      Array(table.utf8), radius: 100, taken: ["Home": Coordinate(latitude: 10, longitude: 8)])
    #expect(elsewhere.regions.map(\.id) == ["Home-2", "Home-3"])
    #expect(elsewhere.notes.first?.contains("There is a region 'Home' elsewhere") == true)
  }

  @Test func listsAsGDALWritesThemAreRead() throws {
    let found = try read("id,lat,lon,radius,tags,dwell\na,47,8,50,\"(2:one,two words)\",\"(1:300)\"\n")
    #expect(found.problems == [])
    #expect(found.regions[0].tags == ["one", "two words"] && found.regions[0].dwell == [300])
  }

  @Test func featuresOnLinesAreRead() throws {
    func line(_ id: String) -> String {
      "{\"type\":\"Feature\",\"properties\":{\"id\":\"\(id)\",\"radius\":50},\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[[8,47]]}}\n"
    }
    #expect(try read(line("a") + line("b")).regions.map(\.id) == ["a", "b"])
    #expect(try read("\u{1e}" + line("a") + "\u{1e}" + line("b")).regions.map(\.id) == ["a", "b"])
  }

  @Test func waypointsOfThePhoneAreRead() throws {
    let list = """
      {"_type":"waypoints","waypoints":[
      {"_type":"waypoint","desc":"Home","lat":47.1,"lon":8.1,"rad":150,"tst":1437552714,"rid":"6da9cf"},
      {"_type":"waypoint","desc":"Poi","lat":47.2,"lon":8.2,"rad":0,"tst":1437552715},
      {"_type":"waypoint","desc":"Desk","uuid":"CA271EAE-5FA8-4E80-8F08-2A302A95A959","major":1,"lat":0,"lon":0,"rad":0,"tst":1},
      {"_type":"waypoint","desc":"Depot, north","lat":47.3,"lon":8.3,"rad":80,"tst":3,"rid":"depot"}]}
      """
    for text in [list, list.replacing("\"waypoints\",\"way", with: "\"configuration\",\"mode\":0,\"way")] {
      let found = try read(text)
      #expect(found.problems == [])
      #expect(
        summary(found.regions) == [
          "Home||47.1 8.1 150.0", "Poi||47.2 8.2 100.0", "depot|Depot, north|47.3 8.3 80.0",
        ])
      #expect(
        found.notes == [
          "Beacons have no place and were left out: 1.", "Entries without a radius got 100 m: 1.",
        ])
    }
    let error = #expect(throws: RegionFileError.self) {
      try read("{\"_type\":\"location\",\"lat\":1,\"lon\":2}")
    }
    #expect(error?.message == "It is an OwnTracks message of the type 'location', which holds no way-points.")
  }

  @Test(
    arguments: [
      "zone:\n  - name: Home\n    latitude: 47.1\n    longitude: 8.1\n    radius: 150\n    icon: mdi:home\n",
      "# mine\nhomeassistant:\n  name: x\n  packages: !include_dir_named packages\nzone home:\n  name: Home\n  latitude: 47.1\n  longitude: 8.1\n  radius: 150\n  icon: a\n",
      "- name: Home\n  latitude: 47.1\n  longitude: 8.1\n  radius: 150\n  icon: 'mdi:home'\n",
      "{\"version\":1,\"key\":\"zone\",\"data\":{\"items\":[{\"id\":\"a81f\",\"name\":\"Home\",\"latitude\":47.1,\"longitude\":8.1,\"radius\":150,\"icon\":\"x\"}]}}",
    ])
  func zonesOfHomeAssistantAreRead(_ text: String) throws {
    let found = try read(text)
    #expect(found.problems == [])
    #expect(summary(found.regions) == ["Home||47.1 8.1 150.0"])
    #expect(
      found.notes == [
        "These properties mean nothing here and were left out, with the number of entries: icon (1)."
      ])
  }

  @Test func whatYAMLMergesIsTaken() throws {
    let found = try read(
      "common: &c\n  radius: 500\n  latitude: 1\nzone:\n - name: a\n   longitude: 2\n   <<: *c\n - {name: b, longitude: 3, radius: 20, <<: *c}\n"
    )
    #expect(found.problems == [])
    #expect(summary(found.regions) == ["a||1.0 2.0 500.0", "b||1.0 3.0 20.0"])
    #expect(try read("zone: []\nlatitude: 1\n").regions.isEmpty)
  }

  @Test(
    arguments: [
      (
        "zone:\n- {name: a, latitude: 1, longitude: 2}\n---\nzone:\n- {name: b, latitude: 1, longitude: 2}\n",
        "More follows the end of its first YAML document: import the parts one by one."
      ),
      (
        "latitude:\n" + (0...5_000).map { "- &a\($0) 1\n" }.joined(),
        "It has more than 5,000 marks '&', as for anchors: write the values themselves."
      ),
      ("zone: !include zones.yaml\n", "Its zones are in 'zones.yaml': import that file."),
      (
        "a;b;c\n1;2;3\n",
        "Its first line names no columns 'latitude' and 'longitude' (or 'wkt'), as a CSV file of regions needs: 'a;b;c'."
      ),
    ] as [(String, String)])
  func filesThatWouldLoseSomethingAreRefused(_ text: String, _ message: String) {
    let error = #expect(throws: RegionFileError.self) { try read(text) }
    #expect(error?.message == message)
  }

  @Test func aDamagedByteDoesNotMakeAnotherEncoding() {
    let bytes = Array("name,lat,lon\nZürich,1,2\nGenève,1,3\nb".utf8) + [0xff] + Array("d,1,4\n".utf8)
    let error = #expect(throws: RegionFileError.self) { try RegionImport(bytes, radius: 100) }
    #expect(error?.message == "It is not valid UTF-8 in line 4.")
  }

  @Test(arguments: ["POINT (8 47", "POINT 8 47)", "POINT (8 x)", "CIRCLE (47 8, 50", "POINT (8 47) more"])
  func shapesThatAreCutOffAreNone(_ shape: String) throws {
    let found = try read("id,wkt\na,\"\(shape)\"\n")
    #expect(found.problems.count == 1 && found.problems[0].contains("is neither a point nor a circle"))
  }

  @Test func zonesThatAreNotWholeAreNamed() throws {
    let found = try read(
      "zone:\n- name: A\n  latitude: !secret home_lat\n  longitude: 8\n- name: B\n  latitude: 47\n  longitude: 8\n  radius: big\n"
    )
    #expect(
      found.problems == [
        "Line 2, zone 1 ('A'): '!secret home_lat' stands where a number of degrees should: write it here.",
        "Line 5, zone 2 ('B'): The value of 'radius' is 'big', not a number of metres.",
      ])
  }

  @Test func aliasesThatGrowWithoutEndAreRefused() {
    var text = "latitude: &a0 [1, 2, 3, 4, 5, 6, 7, 8]\n"
    for level in 1...12 {
      text +=
        "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 8).joined(separator: ", "))]\n"
    }
    let error = #expect(throws: RegionFileError.self) { try read(text) }
    #expect(
      error?.message == "It holds more than a million values, or some that refer to one another without end.")
  }

  @Test func whatRegionListPrintsIsReadAgain() throws {
    let found = try read(
      """
      {"id":"a","latitude":47.1,"longitude":8.1,"radius":50,"enabled":true,"tags":["x"]}
      {"id":"b","latitude":47.2,"longitude":8.2,"radius":60,"enabled":false}

      """)
    #expect(found.problems == [] && found.notes == [])
    #expect(summary(found.regions) == ["a||47.1 8.1 50.0|[\"x\"]", "b||47.2 8.2 60.0"])
    #expect(found.regions.map(\.isEnabled) == [true, false])
    let error = #expect(throws: RegionFileError.self) {
      try read("{\"id\":\"a\",\"latitude\":1,\"longitude\":2}\n{\n")
    }
    #expect(error?.message.hasPrefix("It is not valid JSON: expected") == true)
    #expect(error?.message.contains("in line 2") == true)
  }

  @Test(
    arguments: [
      (
        [0x1f, 0x8b, 8, 0], "It is packed with gzip. Unpack it: gunzip -c 'it''s' | fenceline region import -"
      ),
      (
        Array("PK\u{3}\u{4}abc".utf8),
        "It is a ZIP archive, as KMZ files are. Unpack it: unzip -p 'it''s' '*.kml' | fenceline region import -"
      ),
      (
        Array("SQLite format 3\0".utf8),
        "It is an SQLite database, such as a GeoPackage. Convert it: ogr2ogr -f LIBKML 'it''s.kml' 'it''s'"
      ),
      (
        Array("<osm version='0.6'/>".utf8),
        "It is an OpenStreetMap file. Convert it: ogr2ogr -f GeoJSON regions.geojson 'it''s' points"
      ),
      (
        Array("$GPRMC,1,2*33\r\n".utf8),
        "It is a log of positions, which 'fenceline replay' evaluates; regions are places."
      ),
      (
        Array("time,latitude,longitude\n2026-01-01T00:00:00Z,1,2\n".utf8),
        "It is a log of positions, which 'fenceline replay' evaluates; regions are places."
      ),
      (
        Array(
          #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"features":[]}"#
            .utf8),
        "Its coordinates are in 'urn:ogc:def:crs:EPSG::3857', not in degrees of WGS 84. Save it again in EPSG:4326, or convert it: ogr2ogr -f LIBKML 'it''s.kml' 'it''s'"
      ),
      (Array("latitude: [1".utf8), "It is not valid YAML: did not find expected ',' or ']' in line 2."),
      (Array("latitude: 3".utf8), ForeignRegionFile.unknown),
    ] as [([UInt8], String)])
  func whatIsNoFileOfRegionsIsNamed(_ bytes: [UInt8], _ message: String) {
    let error = #expect(throws: RegionFileError.self) {
      try RegionImport(bytes, name: "it's", radius: 100)
    }
    #expect(error?.message == message.replacing("it''s", with: "it'\\''s"))
  }

  @Test func twentyThousandEntriesOfOneNameAreNamedApart() throws {
    let rows = (0..<20_000).map { _ in "Home,47,8" }
    let found = try read("name,lat,lon\n" + rows.joined(separator: "\n"))
    #expect(found.regions.last?.id == "Home-20000" && found.problems.isEmpty)
  }
}
