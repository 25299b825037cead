import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

@testable import FencelineRegionFiles

struct RegionImportTests {
  private func read(_ text: String, radius: Double = 100, taken: Set<String> = []) throws -> RegionImport {
    try RegionImport(
      Array(text.utf8), radius: radius,
      taken: Dictionary(uniqueKeysWithValues: taken.map { ($0, Coordinate(latitude: -80, longitude: 0)) }))
  }

  /// A collection whose features stand on lines of their own, the first on line 2.
  private func collection(_ features: String...) -> String {
    "{\"type\": \"FeatureCollection\", \"features\": [\n" + features.joined(separator: ",\n") + "\n]}"
  }

  private func feature(
    _ properties: String, _ geometry: String = #"{"type":"Point","coordinates":[8.5,47.25]}"#
  ) -> String {
    #"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
  }

  @Test(
    arguments: [
      ("", "It is empty."), (" \r\n\t", "It is empty."),
      ("{", "It is not valid JSON: expected a name in quotes in line 1, column 2."),
      ("id,lat\n", ForeignRegionFile.unknown),
      ("[1,\n2", "It is not valid JSON: expected ',' or ']' in line 2, column 2."),
      (
        "{}",
        "It is JSON but not GeoJSON: the member 'type' is missing; a FeatureCollection of Points is needed."
      ),
      (
        "[1]",
        "It is JSON but not GeoJSON: the member 'type' is missing; a FeatureCollection of Points is needed."
      ),
      (
        #"{"type":"Poi\u001bnt"}"#,
        "It is JSON of the type 'Poi?nt'; a FeatureCollection of Points is needed."
      ),
      (#"{"type":"FeatureCollection"}"#, "It is a FeatureCollection without 'features'."),
      (#"{"type":"FeatureCollection","features":{}}"#, "It is a FeatureCollection without 'features'."),
    ] as [(String, String)])
  func filesThatHoldNoRegions(_ text: String, _ message: String) {
    let error = #expect(throws: RegionFileError.self) { try read(text) }
    #expect(error?.message == message)
  }

  @Test func anEmptyCollectionHoldsNone() throws {
    #expect(try read(collection()).regions == [])
  }

  @Test func oneFeatureIsEnough() throws {
    let found = try read(feature(#"{"id":"a","radius":50}"#))
    #expect(
      found.regions == [Region(id: "a", centre: Coordinate(latitude: 47.25, longitude: 8.5), radius: 50)])
    #expect(found.problems == [] && found.notes == [])
  }

  @Test func aHeightIsIgnored() throws {
    let found = try read(
      feature(#"{"id":"a"}"#, #"{"type":"Point","coordinates":[8.5,47.25,410]}"#), radius: 75)
    #expect(found.regions.map(\.centre) == [Coordinate(latitude: 47.25, longitude: 8.5)])
    #expect(found.regions.map(\.radius) == [75])
  }

  @Test(
    arguments: [
      (
        #"{"type":"Polygon","coordinates":[]}"#,
        "The coordinates are not those of a polygon in degrees."
      ),
      (
        #"{"coordinates":[1,2]}"#,
        "The geometry's type is 'missing'; only a Point, the centre of a circle, or a Polygon that is a circle can be a region."
      ),
      ("null", "The geometry is missing."),
      (#"{"type":"Point"}"#, "The coordinates are not [longitude, latitude] in degrees."),
      (#"{"type":"Point","coordinates":[8]}"#, "The coordinates are not [longitude, latitude] in degrees."),
      (
        #"{"type":"Point","coordinates":[8,"47"]}"#,
        "The coordinates are not [longitude, latitude] in degrees."
      ),
      (
        #"{"type":"Point","coordinates":[1,2,3,4]}"#,
        "The coordinates are not [longitude, latitude] in degrees."
      ),
      (#"{"type":"Point","coordinates":[8,100]}"#, "The latitude 100.0 is outside -90 to 90 degrees."),
      (#"{"type":"Point","coordinates":[200,47]}"#, "The longitude 200.0 is outside -180 to 180 degrees."),
    ] as [(String, String)])
  func placesThatAreNone(_ geometry: String, _ message: String) throws {
    let text = collection(feature(#"{"id":"a"}"#), feature(#"{"id":"b"}"#, geometry))
    #expect(try read(text).problems == ["Line 3, feature 2 ('b'): " + message])
  }

  @Test(
    arguments: [
      (#""id": [1]"#, "The value of 'id' is [1], not a text."),
      (#""id": 1.5"#, "The value of 'id' is 1.5, not a text."),
      (#""title": [5]"#, "The value of 'title' is [5], not a text."),
      (#""radius": "wide""#, "The value of 'radius' is 'wide', not a number of metres."),
      (#""radius": "0x10""#, "The value of 'radius' is '0x10', not a number of metres."),
      (#""notifyOnEntry": 1"#, "The value of 'notifyOnEntry' is 1, not true or false."),
      (#""notifyOnExit": "never""#, "The value of 'notifyOnExit' is 'never', not true or false."),
      (#""repeats": 0"#, "The value of 'repeats' is 0, not true or false."),
      (#""enabled": "2""#, "The value of 'enabled' is '2', not true or false."),
      (#""dwell": ["5"]"#, "The value of 'dwell' is ['5'], not a list of seconds."),
      (#""enterAfter": "5s""#, "The value of 'enterAfter' is '5s', not a number of seconds."),
      (#""exitAfter": true"#, "The value of 'exitAfter' is true, not a number of seconds."),
      (#""exitMargin": {}"#, "The value of 'exitMargin' is an object, not a number of metres."),
      (#""cooldown": []"#, "The value of 'cooldown' is [], not a number of seconds."),
      (#""profile": "slow""#, "The value of 'profile' is 'slow', not one of exact, fast, balanced, steady."),
      (#""initial": "exit""#, "The value of 'initial' is 'exit', not none or entry."),
      (
        #""active": ["always"]"#,
        "The value of 'active' is ['always'], not a list like [\"Mon-Fri 08:00-18:00 Europe/Zurich\"]."
      ),
      (
        #""expires": "tomorrow""#,
        "The value of 'expires' is 'tomorrow', not a time like 2026-12-31T18:00:00Z."
      ),
      (#""devices": [1, null]"#, "The value of 'devices' is [1, null], not a list of device names or globs."),
      (#""tags": {"a":1}"#, "The value of 'tags' is an object, not a list of words."),
      (#""priority": 1.5"#, "The value of 'priority' is 1.5, not a whole number."),
      (#""priority": "x""#, "The value of 'priority' is 'x', not a whole number."),
    ] as [(String, String)])
  func valuesOfTheWrongKind(_ member: String, _ message: String) throws {
    let isID = member.hasPrefix("\"id\"")
    let found = try read(feature("{\(isID ? "" : "\"id\":\"a\",")\(member)}"))
    #expect(found.problems.first == "Line 1, feature 1\(isID ? "" : " ('a')"): " + message)
  }

  @Test func aSingleValueIsAListOfOneAndNullIsNothing() throws {
    let found = try read(
      feature(
        #"{"id":7,"dwell":60,"devices":"van*","tags":"x","active":"08:00-18:00 UTC","expires":"2026-12-31T18:00:00+01:00","title":null,"profile":null}"#
      ))
    #expect(found.problems == [])
    let region = try #require(found.regions.first)
    #expect(region.id == "7")
    #expect(region.dwell == [60] && region.devices == ["van*"] && region.tags == ["x"])
    #expect(region.active.map(\.description) == ["08:00-18:00 UTC"])
    #expect(region.expires?.description == "2026-12-31T17:00:00.000Z")
    #expect(region.title == nil && region.profile == nil)
  }

  @Test func everyProblemOfEveryEntryIsNamed() throws {
    let text = collection(
      feature(#"{"id":"a","radius":0}"#), feature(#"{"id":"b"}"#),
      feature(#"{"id":"c","dwell":[0],"priority":"x"}"#))
    #expect(
      try read(text).problems == [
        "Line 2, feature 1 ('a'): The radius of 0 m is outside 1 m to 10,000 km.",
        "Line 4, feature 3 ('c'): The value of 'priority' is 'x', not a whole number.",
        "Line 4, feature 3 ('c'): The dwell of 0 s is outside 0.001 s to 365 days.",
      ])
  }

  @Test func identifiersComeFromNamesAndAreMadeUnique() throws {
    let text = collection(
      feature(#"{"name":"Home"}"#), feature(#"{"title":"Home"}"#), feature("{}"), feature("null"),
      feature(#"{"id":"Home-2"}"#),
      feature(#"{"name":"Work","title":"Office"}"#), feature(#"{"title":"Office","name":"Work"}"#))
    let found = try read(text, taken: ["Home", "region"])
    #expect(found.problems == [])
    #expect(
      found.regions.map(\.id) == ["Home-3", "Home-4", "region-2", "region-3", "Home-2", "Work", "Work-2"])
    #expect(found.regions.map(\.title) == ["Home", "Home", nil, nil, nil, "Office", "Office"])
  }

  @Test func theIdentifierOfTheFeatureServes() throws {
    let text =
      #"{"type":"Feature","id":"outer","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#
    #expect(try read(text).regions.map(\.id) == ["outer"])
    let both =
      #"{"type":"Feature","id":"outer","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"id":"inner"}}"#
    #expect(try read(both).regions.map(\.id) == ["inner"])
  }

  @Test func anIdentifierMayStandOnlyOnce() throws {
    let text = collection(
      feature(#"{"id":"a"}"#), feature(#"{"id":"b"}"#), feature(#"{"id":"a"}"#), feature(#"{"id":"a"}"#))
    #expect(
      try read(text).problems == [
        "Line 4, feature 3 ('a'): The id 'a' is also that of the entry in line 2.",
        "Line 5, feature 4 ('a'): The id 'a' is also that of the entry in line 2.",
      ])
  }

  @Test func unknownPropertiesAreNoted() throws {
    let found = try read(feature(#"{"id":"a","colour":"red","marker-\u0007size":1,"notes":null}"#))
    #expect(found.problems == [])
    #expect(
      found.notes == [
        "Entries without a radius got 100 m: 1.",
        "These properties mean nothing here and were left out, with the number of entries: colour (1), marker-?size (1).",
      ])
  }

  @Test func smallRegionsAreNoted() throws {
    let found = try read(collection(feature(#"{"id":"a","radius":5}"#)))
    #expect(found.notes.count == 1)
    #expect(found.notes[0].hasPrefix("Line 2, feature 1 ('a'): The radius of 5 m is small"))
  }
}
