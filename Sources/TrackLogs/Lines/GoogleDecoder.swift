import FencelineCivilTime
import FencelineGeodesy
import FencelineJSONText
import FencelinePositioning

/// Reads what Google gives out of its location history: `Records.json`, the monthly files of the semantic history, and the
/// `Timeline.json` of a phone, Android's and Apple's.
///
/// Accuracies are those of Android, radii that hold 68 %. Altitudes are above the ellipsoid and not taken.
///
/// - Source: locationhistoryformat.com; android.location.Location, `getAccuracy`.
struct GoogleDecoder: LogDecoder {
  private(set) var tally = LogTally()
  var fault: LogFault? {
    scanner.damage.map { .damaged("the JSON is not whole: \($0) at line \(scanner.line).") }
  }

  private let options: LogOptions
  /// Records may hold long lists of activities and radio networks, which tell nothing of places.
  private var scanner = JSONListScanner(shallowList: "locations")
  private var survey: DateSurvey
  private var devices: Set<String> = []
  /// Points of paths, which count where there are no positions of the phone's own, and the time that those span.
  private var path: [Fix] = []
  private var positions = 0
  private var positionsSpan: ClosedRange<Timestamp>?
  private var pathPointsUsed = 0
  private var conclusions = 0

  init(options: LogOptions) {
    self.options = options
    survey = DateSurvey(now: options.now)
  }

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var place = 0
    while scanner.next(in: bytes, from: &place) {
      guard let object = try? JSONNode(parsing: scanner.object) else {
        tally.leaveOut(.damagedLine, line: scanner.firstLine)
        continue
      }
      take(object, into: &fixes)
    }
  }

  mutating func finish(into fixes: inout [Fix]) {
    scanner.finish()
    for fix in path where positionsSpan?.contains(fix.time) != true {
      survey.take(fix.time)
      fixes.append(fix)
      pathPointsUsed += 1
    }
    path = []
  }

  var warnings: [String] {
    var warnings: [String] = []
    if pathPointsUsed > 0 {
      let use =
        positions == 0
        ? "It holds no positions of the phone's own: \(pathPointsUsed) points of Google's paths stand in."
        : "Beyond the \(positions) positions of the phone's own, \(pathPointsUsed) points of Google's paths stand in."
      warnings.append(use + " They are rough, to the minute at best, and mostly without an accuracy.")
    }
    if conclusions > 0 {
      warnings.append(
        "What Google has concluded, visits and activities, is left out but for its paths: \(conclusions) of them."
      )
    }
    if devices.count > 1, options.device == nil {
      warnings.append(
        "It holds \(devices.count) devices, each under the number that Google gave it; --device makes them one."
      )
    }
    return warnings + survey.warnings
  }

  // MARK: Records

  private mutating func take(_ record: JSONNode, into fixes: inout [Fix]) {
    switch scanner.list {
    case "locations":
      guard let fix = fix(record, at: record.place("latitudeE7", "longitudeE7"), Self.recordNames) else {
        break
      }
      survey.take(fix.time)
      fixes.append(fix)
    case "rawSignals":
      guard let position = record["position"] else {
        tally.leaveOut(.otherRecord, line: scanner.firstLine)
        break
      }
      let place = position["LatLng"]?.text.flatMap(GooglePlace.init)
      guard let fix = fix(position, at: place, Self.timelineNames) else { break }
      survey.take(fix.time)
      fixes.append(fix)
      positions += 1
      let span = positionsSpan ?? fix.time...fix.time
      positionsSpan = min(span.lowerBound, fix.time)...max(span.upperBound, fix.time)
    case "semanticSegments", "": takeSegment(record)
    case "timelineObjects":
      conclusions += 1
      let segment = record["activitySegment"] ?? record["placeVisit"]
      for point in segment?["simplifiedRawPath"]?["points"]?.elements ?? [] {
        if let fix = fix(point, at: point.place("latE7", "lngE7"), Self.timelineNames) { path.append(fix) }
      }
    default: break
    }
  }

  private mutating func takeSegment(_ segment: JSONNode) {
    guard let points = segment["timelinePath"]?.elements else {
      conclusions += 1
      return
    }
    let start = segment["startTime"]?.text.flatMap { ISO8601(parsing: $0.utf8)?.time }
    for point in points {
      let place = point["point"]?.text.flatMap(GooglePlace.init)
      // Apple's say how many minutes after the segment's beginning.
      let offset = point["durationMinutesOffsetFromStartTime"]?.lenientNumber
      let time = offset.flatMap { minutes in
        start.flatMap { unixTime(Double($0.milliseconds) + minutes * 60_000) }
      }
      if let fix = fix(point, at: place, time: time, Self.timelineNames) { path.append(fix) }
    }
  }

  // MARK: Fixes

  /// What members are called.
  private struct Names {
    var times = ["timestamp", "timestampMs", "time"]
    var accuracy = "accuracyMeters"
    var speed = "speedMetersPerSecond"
    var course = "heading"
  }
  private static let recordNames = Names(accuracy: "accuracy", speed: "velocity")
  private static let timelineNames = Names()

  private mutating func fix(
    _ object: JSONNode, at place: GooglePlace?, time known: Timestamp? = nil, _ names: Names
  ) -> Fix? {
    let line = scanner.firstLine
    guard let coordinate = tally.place(latitude: place?.latitude, longitude: place?.longitude, line: line)
    else { return nil }
    var time = known
    if time == nil {
      guard let written = names.times.lazy.compactMap({ object[$0] }).first else {
        tally.leaveOut(.noTime, line: line)
        return nil
      }
      time =
        written.text.flatMap { ISO8601(parsing: $0.utf8)?.time } ?? written.lenientNumber.flatMap(unixTime)
    }
    guard let time else {
      tally.leaveOut(.unreadableTime, line: line)
      return nil
    }
    let device = object["deviceTag"]?.number.flatMap { Int(exactly: $0) }.map(String.init)
    if let device { devices.insert(device) }
    return Fix(
      device: options.device ?? device ?? Fix.defaultDevice, time: time, coordinate: coordinate,
      accuracy: object[names.accuracy]?.lenientNumber.flatMap(positiveValue),
      speed: object[names.speed]?.lenientNumber.flatMap(nonNegative),
      course: object[names.course]?.lenientNumber.flatMap(courseInDegrees), source: .google)
  }
}

/// A latitude and a longitude in degrees, as Google writes them.
struct GooglePlace: Sendable {
  var latitude: Double
  var longitude: Double

  /// Ten-millionths of a degree; old exports have some that were wrapped at 32 bits.
  init(latitudeE7: Double, longitudeE7: Double) {
    let wrap = 4_294_967_296.0
    latitude = (latitudeE7 > 900_000_000 ? latitudeE7 - wrap : latitudeE7) / 1e7
    longitude = (longitudeE7 > 1_800_000_000 ? longitudeE7 - wrap : longitudeE7) / 1e7
  }

  /// `47.3769°, 8.5417°` or `geo:47.3769,8.5417`.
  init?(_ text: String) {
    let parts = (text.hasPrefix("geo:") ? text.dropFirst(4) : text[...]).split(separator: ",")
    let numbers = parts.map { part -> Double? in
      let scalars = part.unicodeScalars.filter { $0 != "°" }
      guard scalars.allSatisfy(\.isASCII) else { return nil }
      let bytes = scalars.map { UInt8($0.value) }
      return decimalNumber(bytes.span)
    }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension JSONNode {
  fileprivate func place(_ latitude: String, _ longitude: String) -> GooglePlace? {
    guard let latitude = self[latitude]?.number, let longitude = self[longitude]?.number else { return nil }
    return GooglePlace(latitudeE7: latitude, longitudeE7: longitude)
  }
}
