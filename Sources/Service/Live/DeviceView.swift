internal import FencelineCivilTime
internal import FencelineLiveSources
internal import FencelinePositioning

/// What the service shows of one device beside what the pipeline knows.
struct DeviceView {
  var source: String
  var receiver: String?
  var state: SignalState?
  var stateSince: Timestamp?
  var detail: String?
  /// The last fix that counted since the service began, and when it came.
  var last: (fix: Fix, arrival: Arrival)?
  /// Seconds that the receiver's time was ahead of the system's clock at the last fix of any verdict.
  var clockOffset: Double?
  /// Whether it had a fix, and then none: it is back with the next one.
  var isLost = false

  /// Takes over how the receiver, or all of its source, is.
  mutating func show(_ signal: Signal) {
    state = signal.state
    stateSince = signal.at.utc
    detail = signal.detail
  }
}

/// What the service shows of one source.
struct SourceView {
  var state: SignalState
  var since: Timestamp
  var detail: String?
}

extension SignalState {
  /// Whether it gives positions.
  var hasFix: Bool { self == .twoD || self == .threeD }

  /// How good it is: the greater, the more can be had.
  var rank: Int {
    switch self {
    case .connecting: 0
    case .noReceiver: 1
    case .silent: 2
    case .noFix: 3
    case .twoD: 4
    case .threeD: 5
    }
  }
}

/// A sentence about a receiver whose clock cannot be right; nil where it may be.
func clockProblem(of device: String, seconds: Double) -> String? {
  let days = abs(seconds) / 86_400
  guard days > 1 else { return nil }
  let weeks = (days / 7 / 1024).rounded()
  if weeks >= 1, abs(days - weeks * 1024 * 7) <= 1 {
    return
      "The date of '\(device)' is \(Int(weeks)) times 1024 weeks off the system's: its receiver has a week rollover. "
      + "Update its firmware, or gpsd."
  }
  return "The clock of '\(device)' is \(Int(days.rounded())) days off the system's. "
    + "Set the system's clock with 'timedatectl set-ntp true', or look at the receiver."
}
