import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

/// A change to a region, by a name for the list of tests.
struct RegionEdit: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var change: @Sendable (inout Region) -> Void

  init(_ name: String, _ change: @escaping @Sendable (inout Region) -> Void) {
    (testDescription, self.change) = (name, change)
  }

  var region: Region {
    var region = Region(id: "office", centre: Coordinate(latitude: 47, longitude: 8), radius: 100)
    change(&region)
    return region
  }
}

struct RegionProblemTests {
  private static let long = String(repeating: "x", count: 201)

  @Test(
    arguments: [
      RegionEdit("nothing") { _ in },
      RegionEdit("limits, low") {
        ($0.id, $0.radius, $0.dwell, $0.enterAfter, $0.exitAfter) = ("x", 1, [0.001], 0, 0)
        ($0.exitMargin, $0.cooldown, $0.priority) = (0, 0, -1000)
      },
      RegionEdit("limits, high") {
        ($0.id, $0.radius) = (String(repeating: "x", count: 200), 10_000_000)
        ($0.title, $0.dwell) = (String(repeating: "é", count: 500), (1...100).map { Double($0) * 315_360 })
        ($0.enterAfter, $0.exitAfter, $0.exitMargin) = (31_536_000, 31_536_000, 1_000_000)
        ($0.cooldown, $0.priority, $0.tags) = (31_536_000, 1000, (1...100).map { "t\($0)" })
      },
      RegionEdit("poles") { $0.centre = Coordinate(latitude: -90, longitude: 180) },
      RegionEdit("names") { ($0.id, $0.title, $0.devices) = ("Zürich Süd 😀", "A – B", ["van-[0-9]", "-x"]) },
    ])
  func wellFormedRegionsHaveNone(_ edit: RegionEdit) {
    #expect(edit.region.problems() == [])
  }

  @Test(
    arguments: [
      (.init("no id") { $0.id = "" }, "id", "The id '' must have 1 to 200 bytes and no control characters."),
      (
        .init("long id") { $0.id = long }, "id",
        "The id 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxx' must have 1 to 200 bytes and no control characters."
      ),
      (
        .init("control") { $0.id = "a\u{1B}b" }, "id",
        "The id 'a?b' must have 1 to 200 bytes and no control characters."
      ),
      (
        .init("separator") { $0.id = "a\u{2028}b" }, "id",
        "The id 'a?b' must have 1 to 200 bytes and no control characters."
      ),
      (
        .init("dash") { $0.id = "-a" }, "id",
        "The id '-a' may not begin with '-' nor begin or end with white space."
      ),
      (
        .init("space") { $0.id = " a" }, "id",
        "The id ' a' may not begin with '-' nor begin or end with white space."
      ),
      (
        .init("space behind") { $0.id = "a\u{A0}" }, "id",
        "The id 'a\u{A0}' may not begin with '-' nor begin or end with white space."
      ),
      (
        .init("latitude") { $0.centre.latitude = 90.5 }, "coordinates",
        "The latitude 90.5 is outside -90 to 90 degrees."
      ),
      (
        .init("no latitude") { $0.centre.latitude = .nan }, "coordinates",
        "The latitude nan is outside -90 to 90 degrees."
      ),
      (
        .init("longitude") { $0.centre.longitude = -180.5 }, "coordinates",
        "The longitude -180.5 is outside -180 to 180 degrees."
      ),
      (.init("small") { $0.radius = 0.5 }, "radius", "The radius of 0.5 m is outside 1 m to 10,000 km."),
      (
        .init("large") { $0.radius = 10_000_001 }, "radius",
        "The radius of 10000001 m is outside 1 m to 10,000 km."
      ),
      (.init("no radius") { $0.radius = .nan }, "radius", "The radius of nan m is outside 1 m to 10,000 km."),
      (
        .init("no title") { $0.title = "" }, "title",
        "The title '' must have 1 to 1000 bytes and no control characters."
      ),
      (
        .init("line") { $0.title = "a\nb" }, "title",
        "The title 'a?b' must have 1 to 1000 bytes and no control characters."
      ),
      (.init("dwell") { $0.dwell = [0] }, "dwell", "The dwell of 0 s is outside 0.001 s to 365 days."),
      (
        .init("dwells") { $0.dwell = (1...101).map(Double.init) }, "dwell",
        "101 values of dwell are too many: 100 are allowed."
      ),
      (.init("same") { $0.dwell = [5, 6, 5] }, "dwell", "The same dwell time is given twice."),
      (
        .init("enter") { $0.enterAfter = -1 }, "enterAfter",
        "The enterAfter of -1 s is outside 0 s to 365 days."
      ),
      (
        .init("exit") { $0.exitAfter = 31_536_001 }, "exitAfter",
        "The exitAfter of 31536001 s is outside 0 s to 365 days."
      ),
      (
        .init("endless") { $0.exitAfter = .infinity }, "exitAfter",
        "The exitAfter of inf s is outside 0 s to 365 days."
      ),
      (
        .init("margin") { $0.exitMargin = -0.5 }, "exitMargin",
        "The exitMargin of -0.5 m is outside 0 m to 1,000 km."
      ),
      (
        .init("cooldown") { $0.cooldown = -1 }, "cooldown", "The cooldown of -1 s is outside 0 s to 365 days."
      ),
      (
        .init("windows") {
          $0.active = Array(repeating: ActiveWindow(parsing: "00:00-24:00 UTC"), count: 101).compactMap(
            \.self)
        },
        "active", "101 values of active are too many: 100 are allowed."
      ),
      (.init("nobody") { $0.devices = [] }, "devices", "The list of devices is empty: give '*' for all."),
      (
        .init("devices") { $0.devices = Array(repeating: "a", count: 101) }, "devices",
        "101 values of devices are too many: 100 are allowed."
      ),
      (
        .init("device") { $0.devices = ["a", ""] }, "devices",
        "The device '' must have 1 to 200 bytes and no control characters."
      ),
      (
        .init("tags") { $0.tags = Array(repeating: "a", count: 101) }, "tags",
        "101 values of tags are too many: 100 are allowed."
      ),
      (
        .init("tag") { $0.tags = [long] }, "tags",
        "The tag 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxx' must have 1 to 200 bytes and no control characters."
      ),
      (.init("priority") { $0.priority = 1001 }, "priority", "The priority 1001 is outside -1000 to 1000."),
    ] as [(RegionEdit, String, String)])
  func eachProblemHasItsSentence(_ edit: RegionEdit, _ property: String, _ message: String) {
    let found = edit.region.problems()
    #expect(found.map(\.property) == [property])
    #expect(found.map(\.message) == [message])
  }

  @Test func allProblemsAreNamedAtOnce() {
    let edit = RegionEdit("many") {
      ($0.id, $0.radius, $0.priority) = ("", 0, 5_000)
      $0.centre = Coordinate(latitude: 100, longitude: 200)
    }
    #expect(
      edit.region.problems().map(\.property) == ["id", "coordinates", "coordinates", "radius", "priority"])
  }

  @Test func smallRegionsAreWarnedAbout() {
    #expect(RegionEdit("20") { $0.radius = 20 }.region.warnings == [])
    #expect(
      RegionEdit("small") { $0.radius = 19.9 }.region.warnings == [
        "The radius of 19.9 m is small: GPS is often wrong by 5 to 15 m, so entries may come late or not at all. "
          + "20 m or more is reliable."
      ])
  }

  @Test func theNameIsTheTitleOrTheIdentifier() {
    #expect(RegionEdit("plain") { _ in }.region.name == "office")
    #expect(RegionEdit("titled") { $0.title = "Head office" }.region.name == "Head office")
  }
}
