package import FencelineCivilTime
internal import FencelinePositioning

/// What the user says about a log that the log itself does not.
package struct LogOptions: Sendable {
  /// The name that every fix gets as its device; nil takes what the log says.
  package var device: String?
  /// The day of the first fix of an NMEA log that holds no date at all; nil stands for 1970-01-01, with a warning.
  package var startDate: CivilDate?
  /// The probability with which gpsd's error radius holds the true position; above 0, below 1.
  package var gpsdConfidence = 0.95
  /// Whether positions count that the receiver has only reckoned on from the last real one.
  package var includesEstimated = false
  /// Whether positions count that a receiver in demonstration mode has made up or that were put in by hand.
  package var includesSimulated = false
  /// The present, to tell dates in the future by; nil where nobody wants to know.
  package var now: Timestamp?

  /// The device of fixes whose log names none.
  var deviceName: String { device ?? Fix.defaultDevice }

  /// Takes everything from the log.
  package init() {}

  /// Takes everything from the log but the device and the first day.
  package init(device: String?, startDate: CivilDate? = nil) {
    self.device = device
    self.startDate = startDate
  }
}
