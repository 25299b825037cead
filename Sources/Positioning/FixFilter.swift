public import FencelineCivilTime
internal import FencelineGeodesy

/// Decides which fixes of one device count, before any region sees them.
///
/// Every fix is either accepted or rejected for one reason. A fix that is late or too far away to be true is held as a suspect:
/// when three of them agree over ten seconds, they are right and what was believed before was wrong, so that neither a glitch
/// nor one wild time ever blocks a device.
public struct FixFilter: Hashable, Sendable {
  /// What the filter is strict about.
  public struct Settings: Hashable, Sendable, Codable {
    /// The fastest that a device is believed to move, m/s; above 0.
    public var maxSpeed: Double
    /// The worst accuracy that counts, as the 68 % radius in metres; above 0.
    public var maxAccuracy: Double

    /// Limits of 150 m/s and 500 m unless said otherwise.
    public init(maxSpeed: Double = 150, maxAccuracy: Double = 500) {
      self.maxSpeed = maxSpeed
      self.maxAccuracy = maxAccuracy
    }
  }

  /// What becomes of a fix.
  public enum Verdict: Hashable, Sendable {
    /// It counts; the track goes on, or begins.
    case accepted(TrackStart)
    /// It does not.
    case rejected(Rejection)
  }

  /// Fixes that are late or too far away, and follow from one another.
  public struct Suspects: Hashable, Sendable {
    /// The newest of them.
    public var newest: Fix
    /// The time of the first.
    public var first: Timestamp
    /// How many there are, 1 or more.
    public var count: Int

    /// Suspects of which that much is known.
    public init(newest: Fix, first: Timestamp, count: Int) {
      self.newest = newest
      self.first = first
      self.count = count
    }
  }

  private var last: Anchor?
  /// What is held against the last accepted fix; nil where nothing is.
  public private(set) var suspects: Suspects?

  /// A filter that has seen nothing, or goes on where one stood.
  ///
  /// - Parameters:
  ///   - last: The last fix that it accepted.
  ///   - suspects: Its ``suspects``.
  public init(last: Fix? = nil, suspects: Suspects? = nil) {
    self.last = last.map(Anchor.init)
    self.suspects = suspects
  }

  /// Judges the device's next fix.
  ///
  /// - Parameters:
  ///   - fix: The fix, in the order in which it arrived or stands in the log.
  ///   - settings: The limits.
  ///   - now: The time by a clock that can be trusted; nil where there is none, as for a log.
  /// - Returns: Whether it counts; a first fix begins a new track.
  public mutating func judge(_ fix: Fix, _ settings: Settings, now: Timestamp? = nil) -> Verdict {
    guard fix.coordinate.isValid, fix.coordinate.latitude != 0 || fix.coordinate.longitude != 0 else {
      return .rejected(.invalid)
    }
    guard fix.accuracyOrDefault <= settings.maxAccuracy else { return .rejected(.coarse) }
    if let now, fix.time.milliseconds - FixFilter.clockTolerance > now.milliseconds {
      return .rejected(.future)
    }
    let here = Anchor(fix)
    guard let last else {
      self.last = here
      return .accepted(.newTrack)
    }
    guard here.time != last.time else { return .rejected(.duplicate) }
    let rejection: Rejection? =
      if here.time < last.time {
        .late
      } else if !last.plausiblyLeads(to: here, settings) || isNearerToSuspects(here, than: last) {
        .jump
      } else {
        nil
      }
    guard let rejection else {
      self.last = here
      suspects = nil
      return .accepted(here.track == last.track ? .continues : .newTrack)
    }
    if let suspects, here.time == suspects.newest.time { return .rejected(.duplicate) }
    return hold(fix, here, after: last, rejection, settings)
  }

  private func isNearerToSuspects(_ here: Anchor, than last: Anchor) -> Bool {
    guard let suspects else { return false }
    return suspects.newest.coordinate.distance(to: here.coordinate)
      < last.coordinate.distance(to: here.coordinate)
  }

  private mutating func hold(
    _ fix: Fix, _ here: Anchor, after last: Anchor, _ rejection: Rejection, _ settings: Settings
  ) -> Verdict {
    if var held = suspects, here.time >= held.newest.time,
      Anchor(held.newest).plausiblyLeads(to: here, settings)
    {
      held.newest = fix
      held.count += 1
      suspects = held
    } else {
      suspects = Suspects(newest: fix, first: here.time, count: 1)
    }
    guard let held = suspects, held.count >= FixFilter.suspectsNeeded,
      here.time.milliseconds - held.first.milliseconds >= FixFilter.suspectSpan
    else { return .rejected(rejection) }
    self.last = here
    suspects = nil
    return .accepted(here.time < last.time ? .newSession : .newTrack)
  }

  private static let suspectsNeeded = 3
  /// Milliseconds that a fix may be ahead of the clock.
  private static let clockTolerance: Int64 = 60_000
  /// Milliseconds.
  private static let suspectSpan: Int64 = 10_000
}

/// How an accepted fix follows from the one before it.
public enum TrackStart: Hashable, Sendable {
  /// On the same track.
  case continues
  /// As the start of a new track: nothing is known about the way there.
  case newTrack
  /// As the start of a new session: time went back, everything begins again.
  case newSession
}

/// Why a fix does not count.
public enum Rejection: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not a place on Earth, or exactly (0, 0), or the source says that it has no fix.
  case invalid
  /// Its accuracy is worse than the limit.
  case coarse
  /// It has the time of the last accepted fix, or of the newest suspect.
  case duplicate
  /// It is earlier than the last accepted fix.
  case late
  /// The device cannot have come there so fast.
  case jump
  /// It is ahead of the clock, which is known to be right; live only.
  case future
}

/// What the filter remembers of a fix.
private struct Anchor: Hashable, Sendable {
  var time: Timestamp
  var coordinate: Coordinate
  var sigma: Double
  /// What the receiver says, m/s; 0 where it says nothing that can be.
  var speed: Double
  var track: Int32

  /// The fastest that a receiver is believed when it speaks of itself, m/s.
  ///
  /// One that works at more than 600 m/s is under export control (Missile Technology Control Regime, annex, item 11.A.3), and
  /// most stop at 1,000 knots. More than that comes from a damaged sentence, and would excuse any jump.
  static let fastestReceiver = 600.0

  init(_ fix: Fix) {
    time = fix.time
    coordinate = fix.coordinate
    sigma = fix.sigma
    speed = fix.speed.flatMap { $0 > 0 && $0 <= Anchor.fastestReceiver ? $0 : nil } ?? 0
    track = fix.track
  }

  /// Whether a device may have moved from here to there: the distance, less what both fixes may be wrong by, at no more than
  /// the top speed, or half again as fast as the fixes themselves say.
  func plausiblyLeads(to next: Anchor, _ settings: FixFilter.Settings) -> Bool {
    let seconds = max(next.time.seconds(since: time), 0.1)
    let limit = max(settings.maxSpeed, 1.5 * max(speed, next.speed))
    func isPlausible(_ metres: Double) -> Bool {
      max(0, metres - 2 * (sigma + next.sigma)) / seconds <= limit
    }
    // What is slow enough even so needs no geodesic.
    return isPlausible(coordinate.distanceBound(to: next.coordinate))
      || isPlausible(coordinate.distance(to: next.coordinate))
  }
}

extension Fix {
  /// One-axis standard deviation in metres: never below 2, and 10 where the accuracy is unknown.
  @inlinable
  public var sigma: Double {
    guard let accuracy, accuracy.isFinite, accuracy > 0 else { return 10 }
    return max(2, accuracy / Accuracy.radius68PerSigma)
  }

  /// The 68 % radius in metres that belongs to ``sigma``: never below 3.02, and 15.1 where the accuracy is unknown.
  @inlinable
  public var accuracyOrDefault: Double {
    sigma * Accuracy.radius68PerSigma
  }
}
