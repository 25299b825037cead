import FencelineGeodesy
import FencelineGeofencing
import FencelineTestSupport
import Testing

@testable import FencelineRegionFiles

struct RegionRoundTripTests {
  private static let complete = RegionFormat.allCases.filter { ![.owntracks, .homeassistant].contains($0) }

  @Test(arguments: complete, RegionDrawing.allCases)
  func everyPropertyComesBack(_ format: RegionFormat, _ drawing: RegionDrawing) throws {
    guard drawing == .points || format.drawsPolygons else { return }
    try forAll(seed: 31, count: drawing == .points ? 300 : 60) { random, seed in
      let regions = (0..<Int.random(in: 1...5, using: &random)).map { anyRegion("r\($0)", &random) }
      let text = format.text(regions, as: drawing)
      let read = try RegionImport(Array(text.utf8), radius: 100)
      guard read.regions == regions, read.problems == [], format.losses(of: regions).isEmpty else {
        Issue.record("seed \(seed): \(read.problems)\n\(regions)\n\(read.regions)\n\(text.prefix(4000))")
        return
      }
    }
  }

  @Test(arguments: [RegionFormat.owntracks, .homeassistant])
  func whatIsNotSaidToBeLostComesBack(_ format: RegionFormat) throws {
    try forAll(seed: 32, count: 300) { random, seed in
      let regions = (0..<Int.random(in: 1...5, using: &random)).map { anyRegion("r\($0)", &random) }
      let read = try RegionImport(Array(format.text(regions).utf8), radius: 100)
      let losses = Set(format.losses(of: regions).map(\.property))
      var expected: [Region] = []
      for region in regions {
        var kept = Region(id: region.id, centre: region.centre, radius: region.radius)
        if format == .owntracks { kept.radius = region.radius.rounded() }
        // A title that is the identifier is not told from it.
        kept.title = region.title == region.id ? nil : region.title
        if format == .homeassistant, let title = kept.title {
          kept.id = title
          kept.title = nil
        }
        expected.append(kept)
      }
      func comparable(_ regions: [Region]) -> [Region] {
        // Equal names are made unique, which only Home Assistant's have to be.
        regions.map { region in
          var region = region
          if format == .homeassistant {
            (region.id, region.title) = (String(PropertyText.trimmed(region.name).prefix(3)), nil)
          }
          return region
        }
      }
      guard comparable(read.regions) == comparable(expected), read.problems == [] else {
        Issue.record("seed \(seed): \(read.problems)\n\(expected)\n\(read.regions)")
        return
      }
      // What is lost is named, and nothing else.
      for (region, back) in zip(regions, expected) where region != back && region.title != region.id {
        #expect(!losses.isEmpty, "seed \(seed)")
      }
      if regions == expected { #expect(losses.isEmpty, "seed \(seed)") }
    }
  }

  @Test func onlyWhatDiffersFromItsDefaultIsWritten() {
    #expect(
      RegionFormat.geojson.text([
        Region(id: "a", centre: Coordinate(latitude: 47.5, longitude: -8.25), radius: 250)
      ])
        == """
        {
          "type": "FeatureCollection",
          "features": [
            {
              "type": "Feature",
              "geometry": {
                "type": "Point",
                "coordinates": [-8.25,47.5]
              },
              "properties": {
                "id": "a",
                "radius": 250
              }
            }
          ]
        }

        """)
  }

  @Test(arguments: RegionFormat.allCases) func aFileWithoutRegionsIsWhole(_ format: RegionFormat) {
    let text = format.text([])
    #expect(text.hasSuffix("\n") && !text.contains("wpt") && !text.contains("Placemark"))
  }
}
