/// A change of what can be had from a receiver, told once.
package struct Signal: Hashable, Sendable {
  /// The name of the source: `gpsd localhost:2947`, `serial /dev/ttyUSB0`, `standard input`.
  package var source: String
  /// The receiver; nil where the whole source has changed, and with it every receiver that it had. A source's own state holds
  /// until one of its receivers has another.
  package var device: String?
  /// How it is now.
  package var state: SignalState
  /// Where something is wrong: what, and what to do about it.
  package var detail: String?
  /// What the source calls the receiver: `/dev/ttyUSB0`.
  package var receiver: String?
  /// When it was noticed.
  package var at: Arrival

  /// A change that was noticed at `at`.
  package init(
    source: String, device: String? = nil, state: SignalState, detail: String? = nil, receiver: String? = nil,
    at: Arrival
  ) {
    self.source = source
    self.device = device
    self.state = state
    self.detail = detail
    self.receiver = receiver
    self.at = at
  }
}

/// What can be had from a receiver.
package enum SignalState: String, Hashable, Sendable, CaseIterable {
  /// The way to it is being opened.
  case connecting
  /// There is none.
  case noReceiver = "no receiver"
  /// It says that it does not know where it is.
  case noFix = "no fix"
  /// Positions without a height. From sentences: neither a GSA of mode 3 nor a height came with the position.
  case twoD = "2D"
  /// Positions with a height.
  case threeD = "3D"
  /// It is there and says nothing.
  case silent

  /// The state of a receiver that gives positions in `mode`, 2 or 3.
  init(mode: Int) {
    self = mode >= 3 ? .threeD : .twoD
  }
}
