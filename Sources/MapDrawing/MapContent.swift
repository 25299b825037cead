package import FencelineCivilTime
package import FencelineGeodesy
package import FencelineGeofencing

/// What a picture shows.
package struct MapContent {
  /// The heading.
  package var title: String
  /// Where the tracks and crossings come from, in words that can stand behind "Track of" or "of": `drive.nmea`, `run 3`.
  package var source: String
  /// All regions that may be of interest; the picture leaves out those that lie elsewhere.
  package var regions: [Region] = []
  /// The profile of regions that name none: it gives them their exit margin.
  package var profile = Profile.balanced
  /// Where the devices were, one track a device.
  package var tracks: [Track] = []
  /// How many fixes the tracks were made of.
  package var fixes = 0
  /// What has happened, in the order in which it is to be told.
  package var crossings: [Mark] = []

  /// A picture of nothing yet.
  package init(title: String, source: String) {
    self.title = title
    self.source = source
  }

  /// A crossing, as far as a picture shows it.
  package struct Mark {
    package var region: String
    package var device: String
    package var kind: Crossing.Kind
    package var at: Timestamp
    package var coordinate: Coordinate

    /// The mark of a crossing.
    package init(_ crossing: Crossing) {
      region = crossing.region
      device = crossing.device
      kind = crossing.kind
      at = crossing.at
      coordinate = crossing.coordinate
    }
  }

  /// Metres beyond the perimeter that a device must have gone before a fix speaks for outside.
  func margin(of region: Region) -> Double {
    region.exitMargin ?? (region.profile ?? profile).exitMargin(radius: region.radius)
  }
}

/// How a picture is drawn.
package struct MapStyle {
  /// In which colours.
  package enum Theme: String, Sendable, CaseIterable {
    /// Those that the viewer prefers; light ones where the viewer does not say.
    case auto
    case light
    case dark
  }

  /// The width in pixels; the height follows from what is shown.
  package var width: Int
  /// The colours.
  package var theme: Theme
  /// An instant for people, in 19 characters: `2026-03-18 00:49:11`.
  package var localTime: (Timestamp) -> String
  /// The name of the time zone in which that is.
  package var zone: String

  /// A style.
  package init(
    width: Int = 960, theme: Theme = .auto, zone: String, localTime: @escaping (Timestamp) -> String
  ) {
    self.width = width
    self.theme = theme
    self.zone = zone
    self.localTime = localTime
  }
}
