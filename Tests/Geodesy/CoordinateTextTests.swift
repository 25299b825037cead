import FencelineGeodesy
import FencelineTestSupport
import Testing

struct CoordinateTextTests {
  @Test(
    arguments: [
      ("47.3769,8.5417", 47.3769, 8.5417), ("47.3769, 8.5417", 47.3769, 8.5417),
      ("47.3769 8.5417", 47.3769, 8.5417),
      (" 47.3769\t8.5417 ", 47.3769, 8.5417), ("-33.8688 151.2093", -33.8688, 151.2093), ("+1,-2", 1, -2),
      ("\u{2212}33.5,0", -33.5, 0), ("0,0", 0, 0), ("90,-180", 90, -180), (".5,180", 0.5, 180),
      ("5.,5", 5, 5),
      ("47.3769N 8.5417E", 47.3769, 8.5417), ("47.3769 N 8.5417 E", 47.3769, 8.5417),
      ("N47.3769 E8.5417", 47.3769, 8.5417),
      ("n 47.3769 w 8.5417", 47.3769, -8.5417), ("33.5S,70.25W", -33.5, -70.25),
      ("S33.5,W70.25", -33.5, -70.25),
      ("47°30'36\"N 8°32'30\"E", 47.51, 8.541666666666666),
      ("47°30′36″N, 8°32′30″E", 47.51, 8.541666666666666),
      ("47 30 36 N, 8 15 0 E", 47.51, 8.25), ("47:30:36 N 8:15 E", 47.51, 8.25),
      ("N47 22.5 E8 32.25", 47.375, 8.5375),
      ("47°30’N 8°15’W", 47.5, -8.25), ("47º30'S 8º15'E", -47.5, 8.25), ("-0 30 0, 0 15", -0.5, 0.25),
      ("47 59 59.5, 8 0", 47.999861111111114, 8),
    ] as [(String, Double, Double)])
  func forms(_ text: String, _ latitude: Double, _ longitude: Double) throws {
    let read = try Coordinate(parsing: text)
    #expect(abs(read.latitude - latitude) < 1e-12)
    #expect(abs(read.longitude - longitude) < 1e-12)
  }

  @Test(
    arguments: [
      "", " ", "47.3769", "47.3769,8.5417,400", "47,3769 8,5417", "47 22 8 32",
      "47.3769;8.5417",
    ])
  func whatIsNoPair(_ text: String) {
    #expect(throws: CoordinateTextError.malformedPair(text)) { try Coordinate(parsing: text) }
  }

  @Test(
    arguments: [
      "", "x", "1e3", "NaN", "inf", ".", "-", "N", "4..5", "47.5 30", "47 60", "47 30 60", "47 1 2 3",
      "-47 N", "+47S",
      "N 47 N", "--47", "47-", "47°x", "4٧", "1/2", "- 47",
    ])
  func whatIsNoAngle(_ text: String) {
    #expect(throws: CoordinateTextError.malformed(text)) { try Coordinate(latitude: text, longitude: "0") }
    #expect(throws: CoordinateTextError.malformed(text)) { try Coordinate(latitude: "0", longitude: text) }
  }

  @Test(
    arguments: [
      ("90.000001", "0", .latitudeOutOfRange("90.000001")), ("-91", "0", .latitudeOutOfRange("-91")),
      ("90 0 1 S", "0", .latitudeOutOfRange("90 0 1 S")), ("0", "180.1", .longitudeOutOfRange("180.1")),
      ("0", "181W", .longitudeOutOfRange("181W")), ("8E", "47", .wrongHemisphere("8E")),
      ("8w", "47", .wrongHemisphere("8w")),
      ("8", "47N", .wrongHemisphere("47N")), ("47N", "8S", .wrongHemisphere("8S")),
      ("8E", "47N", .wrongHemisphere("8E")),
    ] as [(String, String, CoordinateTextError)])
  func anglesOffTheEarthOrTheWrongWayRound(
    _ latitude: String, _ longitude: String, _ error: CoordinateTextError
  ) {
    #expect(throws: error) { try Coordinate(latitude: latitude, longitude: longitude) }
  }

  @Test(
    arguments: [
      (
        .malformedPair("x"),
        "'x' is not a latitude and a longitude: write 47.3769,8.5417, or 47 22 36.8 N 8 32 30 E."
      ),
      (.malformed("x"), "'x' is not a coordinate: write degrees such as 47.3769, or 47 22 36.8 N."),
      (.latitudeOutOfRange("91"), "The latitude '91' is outside -90 to 90 degrees."),
      (.longitudeOutOfRange("181"), "The longitude '181' is outside -180 to 180 degrees."),
      (
        .wrongHemisphere("8E"),
        "'8E' has a wrong hemisphere letter: N or S goes with the latitude, E or W with the longitude."
      ),
    ] as [(CoordinateTextError, String)])
  func sentences(_ error: CoordinateTextError, _ sentence: String) {
    #expect(error.description == sentence)
  }

  @Test func whatIsWrittenIsReadAgain() {
    forAll(seed: 14, count: 1_000) { random, seed in
      let point = random.coordinate()
      guard let read = try? Coordinate(parsing: point.text), abs(read.latitude - point.latitude) < 1e-7,
        abs(read.longitude - point.longitude) < 1e-7
      else {
        Issue.record("seed \(seed): \(point.text)")
        return
      }
    }
    #expect(Coordinate(latitude: 47.3769, longitude: -8.5417).text == "47.3769000,-8.5417000")
  }

  @Test func degreesMinutesAndSecondsAreReadAsWritten() {
    forAll(seed: 15, count: 1_000) { random, seed in
      let (degrees, minutes) = (
        Int.random(in: 0...89, using: &random), Int.random(in: 0...59, using: &random)
      )
      let seconds = Double(Int.random(in: 0...59_999, using: &random)) / 1000
      let value = Double(degrees) + Double(minutes) / 60 + seconds / 3600
      let south = random.chance(0.5)
      let text = "\(degrees)° \(minutes)' \(seconds)\" \(south ? "S" : "N")"
      guard let read = try? Coordinate(latitude: text, longitude: "0"),
        abs(read.latitude - (south ? -value : value)) < 1e-12
      else {
        Issue.record("seed \(seed): \(text)")
        return
      }
    }
  }
}
