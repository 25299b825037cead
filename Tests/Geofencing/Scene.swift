import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning

/// One region round a fixed point, and a device on the straight line through it from south to north.
struct Scene {
  static let centre = Coordinate(latitude: 47.3769, longitude: 8.5417)

  var region = Region(id: "r", centre: Scene.centre, radius: 100)

  init(_ profile: Profile = .balanced, radius: Double = 100, _ change: (inout Region) -> Void = { _ in }) {
    region.profile = profile
    region.radius = radius
    change(&region)
  }

  /// A fix: seconds, metres to the north of the centre, and what else is known; an accuracy of 3 m is a sigma of 2 m.
  struct Report {
    var seconds, north: Double
    var east = 0.0
    var accuracy: Double? = 3
    var track: Int32 = 0

    init(_ seconds: Double, _ north: Double, east: Double = 0, accuracy: Double? = 3, track: Int32 = 0) {
      (self.seconds, self.north, self.east, self.accuracy, self.track) = (
        seconds, north, east, accuracy, track
      )
    }

    var fix: Fix {
      Fix(
        time: Timestamp(rounding: seconds * 1000),
        coordinate: AzimuthalPlane(centre: Scene.centre).unproject(east: east, north: north),
        accuracy: accuracy, track: track)
    }
  }

  func outcomes(_ reports: [Report], maxSpeed: Double = 150) -> [Outcome] {
    var pipeline = Pipeline(regions: RegionSet([region]), filter: .init(maxSpeed: maxSpeed))
    var outcomes: [Outcome] = []
    for report in reports { pipeline.process(report.fix, into: &outcomes) }
    return outcomes
  }

  /// The outcomes in words: `entry at 10.5 by 12 observed`, times in seconds rounded to tenths.
  func told(_ reports: [Report], maxSpeed: Double = 150) -> [String] {
    outcomes(reports, maxSpeed: maxSpeed).map { outcome in
      switch outcome {
      case .crossing(let crossing):
        "\(crossing.kind) at \(Scene.tenths(crossing.at)) by \(Scene.tenths(crossing.confirmedAt)) \(crossing.cause)"
      case .visitBegan(_, _, let at): "began at \(Scene.tenths(at))"
      case .visitEnded(_, _, let at, let end): "\(end.rawValue) at \(Scene.tenths(at))"
      }
    }
  }

  static func tenths(_ time: Timestamp) -> String {
    (Double(time.milliseconds) / 1000).trimmed(1)
  }
}
