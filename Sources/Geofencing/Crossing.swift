public import FencelineCivilTime
public import FencelineGeodesy

/// A confirmed change of one device's state for one region, or a dwell.
public struct Crossing: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A visit has lasted as long as was asked for.
    case dwell
    /// The device left.
    case exit
    /// The device came in.
    case entry
  }

  /// How it is known.
  public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Fixes on both sides of the perimeter, close in time.
    case observed
    /// The same, with more than 300 s or a break of the track between them.
    case gap
    /// The device ran through between two fixes, or was cleared before its entry could be confirmed.
    case pass
    /// The device was inside when it was first seen.
    case initial
  }

  /// The device that crossed.
  public var device: String
  /// The identifier of the region.
  public var region: String
  /// What happened.
  public var kind: Kind
  /// When the perimeter was met; for a dwell, when the visit had lasted long enough.
  public var at: Timestamp
  /// The fix that made it sure.
  public var confirmedAt: Timestamp
  /// It cannot have happened before.
  public var earliest: Timestamp
  /// It cannot have happened later.
  public var latest: Timestamp
  /// How it is known.
  public var cause: Cause
  /// Whether the region wants a notification of this kind.
  public var notify: Bool
  /// Where the perimeter was met; where it was not seen to be met, and for a dwell, where the device was.
  public var coordinate: Coordinate

  /// A crossing of which everything is known.
  public init(
    device: String, region: String, kind: Kind, at: Timestamp, confirmedAt: Timestamp, earliest: Timestamp,
    latest: Timestamp, cause: Cause, notify: Bool, coordinate: Coordinate
  ) {
    self.device = device
    self.region = region
    self.kind = kind
    self.at = at
    self.confirmedAt = confirmedAt
    self.earliest = earliest
    self.latest = latest
    self.cause = cause
    self.notify = notify
    self.coordinate = coordinate
  }
}

/// Why a visit ended.
public enum VisitEnd: String, Hashable, Sendable, Codable, CaseIterable {
  /// The device left.
  case exit
  /// Time went back in the source: a new session began.
  case session
  /// The region was moved or resized.
  case edited
  /// The region was removed.
  case removed
  /// The region came to its end.
  case expired
  /// The region was disabled.
  case disabled
}

/// What a fix brings about.
public enum Outcome: Hashable, Sendable {
  /// A crossing; an entry begins a visit and an exit ends it.
  case crossing(Crossing)
  /// A visit began without an entry: the device was found inside.
  case visitBegan(device: String, region: String, at: Timestamp)
  /// A visit ended without an exit.
  case visitEnded(device: String, region: String, at: Timestamp, VisitEnd)
}

extension Outcome {
  /// The device that it is about.
  public var device: String {
    switch self {
    case .crossing(let crossing): crossing.device
    case .visitBegan(let device, _, _), .visitEnded(let device, _, _, _): device
    }
  }

  /// The order within one fix: visits that ended by themselves, then by time, then dwell, exit, entry, then identifier.
  var orderInFix: (rank: Int, at: Timestamp, kind: Int, region: String) {
    switch self {
    case .visitEnded(_, let region, let at, _): (0, at, 0, region)
    case .crossing(let crossing):
      switch crossing.kind {
      case .dwell: (1, crossing.at, 0, crossing.region)
      case .exit: (1, crossing.at, 1, crossing.region)
      case .entry: (1, crossing.at, 2, crossing.region)
      }
    case .visitBegan(_, let region, let at): (1, at, 3, region)
    }
  }
}
