/// What a GPS log is written in; found by its content, never by its name.
package enum LogFormat: String, Sendable, CaseIterable {
  case nmea
  case gpx
  case gpsdJSON
  case ownTracks
  case google
  case csv

  /// The name for people: `NMEA 0183`.
  package var displayName: String {
    switch self {
    case .nmea: "NMEA 0183"
    case .gpx: "GPX"
    case .gpsdJSON: "gpsd JSON"
    case .ownTracks: "OwnTracks"
    case .google: "Google location history"
    case .csv: "CSV"
    }
  }

  /// Whether a log is one finished recording, whose fixes are put in order of time before they count, rather than a stream
  /// that is taken as it came.
  package var holdsWholeTrack: Bool {
    switch self {
    case .gpx, .ownTracks, .google, .csv: true
    case .nmea, .gpsdJSON: false
    }
  }
}
