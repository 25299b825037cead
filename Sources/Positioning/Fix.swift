public import FencelineCivilTime
public import FencelineGeodesy

/// One position report of one receiver.
public struct Fix: Hashable, Sendable, Codable {
  /// The receiver that reports; devices never share anything.
  public var device: String
  /// When the receiver was there.
  public var time: Timestamp
  /// Where it was; may be off the Earth until the ``FixFilter`` has seen it.
  public var coordinate: Coordinate
  /// Radius in metres that holds the true position with 68 %; nil when the source gives none.
  public var accuracy: Double?
  /// Metres above mean sea level; nil when unknown.
  public var altitude: Double?
  /// Speed over ground in m/s, 0 or more; nil when unknown.
  public var speed: Double?
  /// Direction of movement over ground, degrees clockwise from true north, 0 up to 360; nil when unknown.
  public var course: Double?
  /// What gave the position.
  public var source: FixSource
  /// The recorded piece of track that the fix belongs to; where it changes, the recording was interrupted.
  public var track: Int32

  /// A fix of `device` at `time`; what is left out is unknown.
  public init(
    device: String = Fix.defaultDevice, time: Timestamp, coordinate: Coordinate, accuracy: Double? = nil,
    altitude: Double? = nil, speed: Double? = nil, course: Double? = nil, source: FixSource = .csv,
    track: Int32 = 0
  ) {
    self.device = device
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.source = source
    self.track = track
  }

  /// Takes from another report of the same instant what is not known yet of altitude, speed and course.
  ///
  /// - Returns: Whether there was anything.
  public mutating func complete(from other: Fix) -> Bool {
    let before = (altitude, speed, course)
    altitude = altitude ?? other.altitude
    speed = speed ?? other.speed
    course = course ?? other.course
    return before != (altitude, speed, course)
  }

  /// The name of a receiver that has been given none.
  public static let defaultDevice = "default"
}

/// The sentence or format that a fix's position comes from.
public enum FixSource: String, Hashable, Sendable, Codable, CaseIterable {
  case gga = "GGA"
  case gns = "GNS"
  case pubx00 = "PUBX,00"
  case rmc = "RMC"
  case gll = "GLL"
  case tpv = "TPV"
  case gpx = "GPX"
  case ownTracks = "OwnTracks"
  case google = "Google"
  case csv = "CSV"
}
