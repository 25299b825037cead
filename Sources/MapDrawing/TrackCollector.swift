package import FencelineCivilTime
package import FencelineGeodesy

/// Collects the accepted fixes of any number of devices as tracks, and keeps no more of their detail than a picture can show;
/// where a way was not known, each end of it stays.
package struct TrackCollector {
  /// Seconds between two fixes from which the way between them is not known: as for crossings, whose cause is `gap` then.
  static let longestInterval = 300.0
  /// The shortest gap, and how many usual intervals make one: a second or two without a fix is nothing to tell.
  static let shortestGap = 20.0
  static let intervalsOfGap = 6.0

  /// The finest detail that is kept, as a part of the whole extent: a tenth of a pixel of a picture 4,000 pixels wide.
  static let detail = 1 / 40_000.0

  private let limit: Int
  /// How many places are held until detail is left out again.
  private var next: Int
  private var count = 0
  private var places: [String: Int] = [:]
  private var collected: [Track] = []
  private var intervals: [[Double]] = []
  private var extent = Extent()

  /// - Parameter limit: The most places that are held at once, beside the ends of gaps.
  package init(limit: Int = 200_000) {
    self.limit = limit
    next = limit
  }

  /// Takes the next accepted fix of any device.
  ///
  /// - Parameters:
  ///   - device: Whose it is.
  ///   - time: When it was there.
  ///   - place: Where.
  ///   - isCut: Whether nothing is known about the way there: a new track.
  ///   - isAnew: Whether it does not follow from what was before at all: a new session.
  package mutating func add(
    _ device: String, _ time: Timestamp, _ place: Coordinate, isCut: Bool, isAnew: Bool
  ) {
    let index = places[device] ?? collected.count
    if index == collected.count {
      places[device] = index
      collected.append(Track(device: device))
      intervals.append([])
    }
    extent.add(EarthPoint(place))
    count += 1
    let last = collected[index].pieces.count - 1
    let seconds = last < 0 ? 0 : time.seconds(since: collected[index].pieces[last].ended)
    if last < 0 || isAnew || isCut || isGap(seconds, intervals[index]) {
      collected[index].pieces.append(
        Track.Piece(followsGap: last >= 0 && !isAnew, began: time, ended: time, points: [place]))
    } else {
      collected[index].pieces[last].points.append(place)
      collected[index].pieces[last].ended = time
      intervals[index].append(seconds)
      if intervals[index].count > 5 { intervals[index].removeFirst() }
    }
    if count > next {
      thin(to: limit / 2)
      // Pieces of one fix each cannot be thinned; they are not all looked at again for each that follows.
      next = max(limit, count + limit / 2)
    }
  }

  /// The tracks, in the order in which the devices came up.
  package mutating func finish() -> [Track] {
    thin(to: limit)
    return collected
  }

  private func isGap(_ seconds: Double, _ intervals: [Double]) -> Bool {
    if seconds > TrackCollector.longestInterval { return true }
    guard intervals.count >= 3 else { return false }
    let usual = intervals.sorted()[intervals.count / 2]
    return seconds > max(TrackCollector.shortestGap, TrackCollector.intervalsOfGap * usual)
  }

  /// Leaves out what could not be seen; the finest detail doubles until no more than `goal` places are left, or only ends.
  private mutating func thin(to goal: Int) {
    var tolerance = extent.length * TrackCollector.detail
    while true {
      count = 0
      for track in collected.indices {
        for piece in collected[track].pieces.indices {
          let points = collected[track].pieces[piece].points
          if points.count > 2 {
            let kept = simplified(points.map(EarthPoint.init), within: tolerance) {
              $0.squaredDistance(toSegmentFrom: $1, to: $2)
            }
            collected[track].pieces[piece].points = kept.map { points[$0] }
          }
          count += collected[track].pieces[piece].points.count
        }
      }
      let least = collected.reduce(0) { $0 + 2 * $1.pieces.count }
      guard count > goal, count > least, extent.length > 0 else { return }
      tolerance *= 2
    }
  }
}

/// The box in space that holds some points.
private struct Extent {
  private var low = EarthPoint(x: .infinity, y: .infinity, z: .infinity)
  private var high = EarthPoint(x: -.infinity, y: -.infinity, z: -.infinity)

  mutating func add(_ point: EarthPoint) {
    low = EarthPoint(x: min(low.x, point.x), y: min(low.y, point.y), z: min(low.z, point.z))
    high = EarthPoint(x: max(high.x, point.x), y: max(high.y, point.y), z: max(high.z, point.z))
  }

  /// Metres from corner to corner; 0 where there is nothing.
  var length: Double { low.x > high.x ? 0 : low.squaredDistance(to: high).squareRoot() }
}
