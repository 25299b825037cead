import FencelineCivilTime
import FencelineGeodesy
import FencelineRegionFiles
import FencelineSimulation
import FencelineXMLText

/// The places of a GPX file, one after the other: those of its tracks, else of its routes.
struct GPXWay {
  /// At least one place, with the seconds since the first where the way is timed.
  private(set) var stops: [Journey.Stop] = []
  /// Whether all places have different times; they are in the order of these.
  let isTimed: Bool

  /// Reads a file.
  ///
  /// - Parameter path: The file; `-` is standard input.
  /// - Throws: ``Failure`` where it is no GPX file or has no way, `RegionFileError` where it cannot be read.
  init(path: String) throws {
    let name = path == "-" ? "standard input" : "'\(path)'"
    let bytes = try RegionFile.contents(of: path)
    let root: XMLNode
    do throws(XMLSyntaxError) { root = try XMLNode(parsing: bytes) } catch {
      throw Failure(
        Status.unreadable,
        "Cannot read \(name): it is no GPX file (line \(error.line): \(error.reason)). 'gpsbabel' makes one of most others."
      )
    }
    guard root.name == "gpx" else {
      throw Failure(
        Status.unreadable,
        "Cannot read \(name): it is XML, but no GPX file. 'gpsbabel' makes one of most others.")
    }
    let tracks = root.children.filter { $0.name == "trk" }.flatMap(\.children).filter { $0.name == "trkseg" }
    let routes = root.children.filter { $0.name == "rte" }
    var points = tracks.flatMap(\.children).filter { $0.name == "trkpt" }
    if points.isEmpty { points = routes.flatMap(\.children).filter { $0.name == "rtept" } }
    guard !points.isEmpty else {
      throw Failure(
        Status.unreadable,
        "Cannot read \(name): it is a GPX file without a track or a route. Name another, or places with --from and --to."
      )
    }
    var read: [(stop: Journey.Stop, time: Timestamp?)] = []
    for point in points {
      let latitude = point.attributes["lat"].flatMap(Double.init) ?? .nan
      let place = Coordinate(
        latitude: latitude, longitude: point.attributes["lon"].flatMap(Double.init) ?? .nan)
      guard place.isValid else {
        throw Failure(
          Status.unreadable,
          "Cannot read \(name): the point in line \(point.line) is no place on Earth. Mend or remove it.")
      }
      let altitude = point.text(of: "ele").flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
      let time = point.text(of: "time").flatMap { ISO8601(parsing: $0.utf8)?.time }
      read.append((.init(place, altitude: altitude), time))
    }
    isTimed = read.count > 1 && read.allSatisfy { $0.time != nil } && Set(read.map(\.time)).count > 1
    guard isTimed else {
      stops = read.map(\.stop)
      return
    }
    let order = read.indices.sorted { a, b in
      let (first, second) = (read[a].time ?? .earliest, read[b].time ?? .earliest)
      return first != second ? first < second : a < b
    }
    let begin = read[order[0]].time ?? .earliest
    for place in order {
      var stop = read[place].stop
      stop.seconds = (read[place].time ?? begin).seconds(since: begin)
      // A second point of the same time says nothing about the way.
      if let last = stops.last, stop.seconds <= last.seconds { continue }
      stops.append(stop)
    }
  }
}
