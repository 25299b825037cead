import Dispatch
import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import Glibc

/// What is measured of the engine, with the rules of the default profile: filter, evidence, confirmation, passes and dwell.
struct EngineBench {
  private var regions = RegionSet()

  /// How many fixes each device of the fleet sends, one a second.
  private static let ticks = 10

  mutating func watch(_ circles: [CircleRecord]) -> Answer {
    let made = circles.indices.map {
      Region(id: "r\($0)", centre: circles[$0].centre, radius: circles[$0].radius)
    }
    regions = RegionSet(made)
    return Answer()
  }

  func device(_ path: String) -> Answer {
    let places = readPlaces(path)
    let fixes = places.indices.map { fix(Fix.defaultDevice, places[$0], second: $0) }
    return measured(fixes.count) {
      var pipeline = Pipeline(regions: regions)
      var outcomes: [Outcome] = []
      var answer = Answer()
      for fix in fixes {
        if case .accepted = pipeline.process(fix, into: &outcomes) { answer.hits += 1 }
      }
      answer.more = [("outcomes", Double(outcomes.count))]
      return answer
    }
  }

  /// Devices that each drive straight on at 20 m/s and send at the same time: each second is a batch.
  func fleet(_ path: String, devices: Int, threads: Int) -> Answer {
    let starts = readPlaces(path)
    let batches = (0..<EngineBench.ticks).map { tick in
      (0..<devices).map { device in
        let course = Double(device).truncatingRemainder(dividingBy: 360) * .pi / 180
        let start = starts[device % starts.count]
        let (north, east) = (
          20 * cos(course), 20 * sin(course) / max(0.01, cos(start.latitude * .pi / 180))
        )
        let place = Coordinate(
          latitude: min(90, max(-90, start.latitude + Double(tick) * north / 111_195)),
          longitude: (start.longitude + Double(tick) * east / 111_195).wrapped)
        return fix("d\(device)", place, second: tick)
      }
    }
    let before = bytesInUse()
    let began = nanoseconds(CLOCK_MONOTONIC)
    let fleet = Fleet(regions: regions, lanes: threads)
    var outcomes: [Outcome] = []
    for batch in batches {
      fleet.process(batch, into: &outcomes) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }
    var answer = Answer()
    answer.nanoseconds = (nanoseconds(CLOCK_MONOTONIC) - began) / Double(devices * EngineBench.ticks)
    answer.hits = outcomes.count
    outcomes = []
    // The fixes were there before, and are to be there still, as the fleet is.
    let used = withExtendedLifetime((batches, fleet)) { bytesInUse() - before }
    answer.more = [("bytes", Double(used) / Double(devices))]
    return answer
  }

  private func fix(_ device: String, _ place: Coordinate, second: Int) -> Fix {
    Fix(
      device: device, time: Timestamp(milliseconds: 1_767_225_600_000 + Int64(second) * 1000),
      coordinate: place,
      accuracy: 5, speed: 20)
  }
}

extension Double {
  /// A longitude that may have gone round.
  fileprivate var wrapped: Double { self > 180 ? self - 360 : self < -180 ? self + 360 : self }
}
