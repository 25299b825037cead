import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineXMLText

/// Gathers fixes from the elements of a GPX document.
struct GPXPoints: XMLReceiver, Sendable {
  private(set) var tally = LogTally()
  /// The root's name where it is not `gpx`.
  private(set) var foreignRoot: String?
  private(set) var hasRoot = false
  /// Those of the track points that have ended.
  var fixes: [Fix] = []

  private let device: String
  private var survey: DateSurvey

  /// Whether elements are nested deeper than ``deepest``.
  private(set) var isTooDeep = false

  private var depth = 0
  /// The depth of the open `trkpt`; nil outside of one.
  private var pointDepth: Int?
  private var point = GPXPoint()
  /// What the innermost element's text is wanted for; nil where it is not.
  private var wanted: GPXPoint.Value?
  /// The beginning of that text; no number or time needs more.
  private var content = InlineArray<257, UInt8>(repeating: 0)
  private var contentLength = 0

  private var track: Int32 = -1
  private var isAtBoundary = true
  private var hdopIsMetres = false
  private var trackPoints = 0
  private var otherPoints = 0
  private var zonelessTimes = 0

  /// How deep elements may be nested; the parser remembers each that is open. Those of GPX are hardly ten deep.
  private static let deepest = 1000

  init(options: LogOptions) {
    device = options.deviceName
    survey = DateSurvey(now: options.now)
  }

  var warnings: [String] {
    var warnings: [String] = []
    if trackPoints == 0, otherPoints > 0 {
      warnings.append(
        "The log holds only routes or way-points, which are plans and places, not a recorded track.")
    }
    if trackPoints > 0, tally.count(.noTime) == trackPoints {
      warnings.append("None of the track's points has a time, so it cannot be told when it was where.")
    }
    if zonelessTimes > 0 { warnings.append(zonelessWarning(zonelessTimes)) }
    return warnings + survey.warnings
  }

  var wantsText: Bool { wanted != nil }

  mutating func begin(_ name: Span<UInt8>, _ tag: XMLTag) {
    depth += 1
    wanted = nil
    if depth > Self.deepest { isTooDeep = true }
    if depth == 1 {
      hasRoot = true
      if !name.isName("gpx") { foreignRoot = name.text }
      hdopIsMetres = tag["creator"]?.hasPrefix("OsmAnd") ?? false
      return
    }
    if let pointDepth {
      guard let value = GPXPoint.Value(name, isDirect: depth == pointDepth + 1) else { return }
      wanted = value
      contentLength = 0
      return
    }
    if name.isText("trkpt") {
      pointDepth = depth
      trackPoints += 1
      point = GPXPoint(
        latitude: tag.value(of: "lat") { decimalNumber($0) },
        longitude: tag.value(of: "lon") { decimalNumber($0) })
    } else if name.isText("trk") || name.isText("trkseg") {
      isAtBoundary = true
    } else if name.isText("rtept") || name.isText("wpt") {
      otherPoints += 1
    }
  }

  mutating func end() {
    if let value = wanted {
      point.take(value, content.span.extracting(0..<contentLength))
      wanted = nil
    }
    if depth == pointDepth {
      finishPoint()
      pointDepth = nil
    }
    depth -= 1
  }

  mutating func text(_ bytes: Span<UInt8>) {
    let start = contentLength
    let count = min(bytes.count, content.count - start)
    var room = content.mutableSpan
    unsafe room.withUnsafeMutableBytes { room in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start...])
      unsafe bytes.extracting(0..<count).withUnsafeBytes { unsafe free.copyMemory(from: $0) }
    }
    contentLength += count
  }

  private mutating func finishPoint() {
    guard let coordinate = point.coordinate else { return tally.leaveOut(.unreadablePosition) }
    guard coordinate.isValid else { return tally.leaveOut(.offTheEarth) }
    guard point.hasTime else { return tally.leaveOut(.noTime) }
    guard let time = point.time else { return tally.leaveOut(.unreadableTime) }
    if !time.hasZone { zonelessTimes += 1 }
    survey.take(time.time)
    if isAtBoundary {
      track += 1
      isAtBoundary = false
    }
    fixes.append(
      Fix(
        device: device, time: time.time, coordinate: coordinate,
        accuracy: point.accuracy ?? point.hdop.map { hdopIsMetres ? $0 : Accuracy.fromHDOP($0) },
        altitude: point.altitude, speed: point.speed, course: point.course, source: .gpx, track: track))
  }
}

/// What is known of one track point.
struct GPXPoint: Sendable {
  /// What an element inside a point says.
  enum Value: Sendable {
    case time, altitude, hdop
    case speed(isDirect: Bool)
    case course(isDirect: Bool)
    case accuracy

    /// The meaning of an element; time and altitude must be the point's own children, since extensions have others.
    init?(_ name: Span<UInt8>, isDirect: Bool) {
      if isDirect, name.isName("time") {
        self = .time
      } else if isDirect, name.isName("ele") {
        self = .altitude
      } else if name.isName("hdop") {
        self = .hdop
      } else if name.isName("speed") {
        self = .speed(isDirect: isDirect)
      } else if name.isName("course") || name.isName("bearing") || name.isName("heading")
        || name.isName("cog")
      {
        self = .course(isDirect: isDirect)
      } else if name.isName("accuracy") || name.isName("hacc") || name.isName("haccuracy")
        || name.isName("accuracy_horizontal") || name.isName("horizontal_accuracy")
        || name.isName("horizontalaccuracy") || name.isName("accuracyhorizontal")
      {
        self = .accuracy
      } else {
        return nil
      }
    }
  }

  private(set) var coordinate: Coordinate?
  /// Whether there is a text for the time.
  private(set) var hasTime = false
  /// What that text says; nil where it cannot be read.
  private(set) var time: ISO8601?
  private(set) var altitude: Double?
  private(set) var speed: Double?
  private(set) var course: Double?
  /// Metres that hold 68 %.
  private(set) var accuracy: Double?
  private(set) var hdop: Double?

  private var hasSeenTime = false
  private var hasDirectSpeed = false
  private var hasDirectCourse = false

  init() {}

  init(latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude else { return }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Takes an element's text. The first value wins, but one of the point's own children wins over its extensions.
  mutating func take(_ value: Value, _ text: Span<UInt8>) {
    if case .time = value {
      guard !hasSeenTime else { return }
      hasSeenTime = true
      time = unsafe text.withUnsafeBufferPointer { unsafe ISO8601(parsing: $0) }
      hasTime = time != nil || text.indices.contains { !isSpace(text[$0]) }
      return
    }
    guard let number = decimalNumber(text) else { return }
    switch value {
    case .time: break
    case .altitude: altitude = altitude ?? number
    case .hdop: hdop = hdop ?? positiveValue(number)
    case .accuracy: accuracy = accuracy ?? positiveValue(number)
    case .speed(let isDirect):
      guard let metres = nonNegative(number), speed == nil || (isDirect && !hasDirectSpeed) else { break }
      speed = metres
      hasDirectSpeed = isDirect
    case .course(let isDirect):
      guard let degrees = courseInDegrees(number), course == nil || (isDirect && !hasDirectCourse) else {
        break
      }
      course = degrees
      hasDirectCourse = isDirect
    }
  }
}

extension Span<UInt8> {
  /// Whether it is `name`, which has no capitals, in capitals or not.
  @inline(__always)
  fileprivate func isName(_ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    for place in 0..<count {
      let byte = unsafe self[unchecked: place]
      let isCapital = byte &- 0x41 < 26
      if unsafe (isCapital ? byte | 0x20 : byte) != name.utf8Start[place] { return false }
    }
    return true
  }
}
