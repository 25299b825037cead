import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing

@testable import FencelineMapDrawing

/// Makes content for pictures.
enum Sample {
  static let began = Timestamp(milliseconds: 1_772_000_000_000)

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: began.milliseconds + Int64(seconds * 1000))
  }

  static func style(_ theme: MapStyle.Theme = .light, width: Int = 960) -> MapStyle {
    MapStyle(width: width, theme: theme, zone: "UTC") { time in
      String(time.description.replacing("T", with: " ").prefix(19))
    }
  }

  static func region(_ id: String, _ centre: Coordinate, _ radius: Double) -> Region {
    Region(id: id, centre: centre, radius: radius)
  }

  static func crossing(
    _ region: Region, _ kind: Crossing.Kind, azimuth: Double, after seconds: Double,
    device: String = "default"
  ) -> MapContent.Mark {
    MapContent.Mark(
      Crossing(
        device: device, region: region.id, kind: kind, at: time(seconds), confirmedAt: time(seconds),
        earliest: time(seconds), latest: time(seconds), cause: .observed, notify: true,
        coordinate: region.centre.destination(azimuth: azimuth, distance: region.radius)))
  }

  /// A track at 1 Hz from place to place.
  static func track(_ places: [Coordinate], device: String = "default") -> Track {
    var collector = TrackCollector()
    for (second, place) in places.enumerated() {
      collector.add(device, time(Double(second)), place, isCut: false, isAnew: false)
    }
    return collector.finish()[0]
  }

  /// Content that holds some places.
  static func content(_ tracks: [Track] = [], _ regions: [Region] = []) -> MapContent {
    var content = MapContent(title: "Sample", source: "sample")
    content.tracks = tracks
    content.regions = regions
    return content
  }
}
