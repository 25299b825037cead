package import FencelineGeodesy

/// A way through places at known times, on geodesics between them.
package struct Journey: Sendable {
  /// A place on the way.
  package struct Stop: Hashable, Sendable {
    /// Where it is.
    package var place: Coordinate
    /// Metres above mean sea level; nil where nobody knows.
    package var altitude: Double?
    /// Seconds since the start at which it is reached.
    package var seconds: Double

    /// A place that is reached so many seconds after the start.
    package init(_ place: Coordinate, altitude: Double? = nil, seconds: Double = 0) {
      self.place = place
      self.altitude = altitude
      self.seconds = seconds
    }
  }

  /// The state of the vehicle at one moment.
  struct Moment: Sendable {
    var place: Coordinate
    /// Metres above mean sea level.
    var altitude: Double
    /// m/s.
    var speed: Double
    /// Degrees clockwise from north; nil at rest.
    var course: Double?
  }

  private struct Leg: Sendable {
    var start: Stop
    var end: Stop
    /// Metres, and degrees at the start.
    var length: Double
    var azimuth: Double
  }

  private let first: Stop
  private var legs: [Leg] = []
  /// Metres from the first place to the last.
  package private(set) var length = 0.0
  /// Seconds from the first place to the last.
  package var duration: Double { legs.last?.end.seconds ?? 0 }
  /// Whether it goes back to the first place and begins again, without end.
  package private(set) var isLoop = false

  /// A journey by a timetable.
  ///
  /// - Parameters:
  ///   - stops: At least one; each later than the one before it. A loop goes back from the last to the first at the mean speed.
  ///   - isLoop: Whether it begins again.
  package init(_ stops: [Stop], isLoop: Bool = false) {
    precondition(!stops.isEmpty, "a journey begins somewhere")
    first = stops[0]
    for stop in stops.dropFirst() { add(stop) }
    let way = stops[stops.count - 1].place.distance(to: first.place)
    if isLoop, way > 0, length > 0 {
      var home = first
      home.seconds = duration + way * duration / length
      add(home)
    }
    self.isLoop = isLoop && duration > 0
  }

  /// A journey at one speed.
  ///
  /// - Parameters:
  ///   - stops: At least one, of which places and altitudes count.
  ///   - speed: m/s, above 0.
  ///   - isLoop: Whether it goes back to the first place and begins again.
  package init(_ stops: [Stop], speed: Double, isLoop: Bool = false) {
    precondition(!stops.isEmpty && speed > 0, "a journey begins somewhere and goes on")
    var timed = [Stop(stops[0].place, altitude: stops[0].altitude)]
    for var stop in stops.dropFirst() {
      let last = timed[timed.count - 1]
      let way = last.place.distance(to: stop.place)
      guard way > 0 else { continue }
      stop.seconds = last.seconds + way / speed
      timed.append(stop)
    }
    self.init(timed, isLoop: isLoop)
  }

  private mutating func add(_ stop: Stop) {
    let start = legs.last?.end ?? first
    precondition(stop.seconds > start.seconds, "a later stop is reached later")
    let way = start.place.distance(to: stop.place)
    legs.append(Leg(start: start, end: stop, length: way, azimuth: start.place.azimuth(to: stop.place)))
    length += way
  }

  /// Where the vehicle is after so many seconds on the way; before the start it waits there, behind the end at the end.
  func moment(at seconds: Double) -> Moment {
    let seconds = isLoop ? seconds.truncatingRemainder(dividingBy: duration) : seconds
    guard let leg = leg(at: seconds) else {
      let stop = seconds < first.seconds || legs.isEmpty ? first : legs[legs.count - 1].end
      return Moment(place: stop.place, altitude: stop.altitude ?? 0, speed: 0)
    }
    let part = (seconds - leg.start.seconds) / (leg.end.seconds - leg.start.seconds)
    let place = leg.start.place.destination(azimuth: leg.azimuth, distance: leg.length * part)
    let (low, high) = (leg.start.altitude ?? 0, leg.end.altitude ?? leg.start.altitude ?? 0)
    let speed = leg.length / (leg.end.seconds - leg.start.seconds)
    return Moment(
      place: place, altitude: low + (high - low) * part, speed: speed,
      course: speed > 0 ? course(on: leg, at: place) : nil)
  }

  /// The leg under way, found by halving.
  private func leg(at seconds: Double) -> Leg? {
    var (low, high) = (0, legs.count)
    while low < high {
      let middle = (low + high) / 2
      if legs[middle].end.seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return low < legs.count && legs[low].start.seconds <= seconds ? legs[low] : nil
  }

  /// A geodesic turns on its way; close to the end, where the direction to it says nothing, it is seen from there.
  private func course(on leg: Leg, at place: Coordinate) -> Double {
    if place.distance(to: leg.end.place) > 1 { return place.azimuth(to: leg.end.place) }
    let back = leg.end.place.azimuth(to: leg.start.place)
    return back < 180 ? back + 180 : back - 180
  }
}
