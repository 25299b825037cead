/// What has become of one attempt to carry a parcel.
package struct CarryOutcome: Hashable, Sendable {
  /// How it has ended.
  package enum Result: Hashable, Sendable {
    /// Whoever it was for has it.
    case done
    /// It may succeed later. The peer asks to be left alone for so many seconds; nil where it says nothing.
    case failed(after: Double?)
    /// Whoever it was for will not take this one, and the next one perhaps.
    case refused
    /// Whoever it was for wants nothing any more: the channel is to be switched off.
    case gone
    /// It was not tried, and is to be offered again in so many seconds; that is no failure.
    case postponed(seconds: Double)
  }

  /// How it has ended.
  package var result: Result
  /// What there is to say of it, a sentence without texts and positions of the event: `The server answered 503.` Empty where there
  /// is nothing to say.
  package var detail: String
  /// What a program has printed, or a server has answered; nil where that is not kept.
  package var output: String?
  /// Whether whoever it was for has it and does not show it now, as a desktop does that is not to be disturbed: what cannot wait is to
  /// be told elsewhere too.
  package var isHeldBack: Bool

  /// An outcome.
  package init(_ result: Result, _ detail: String = "", output: String? = nil, isHeldBack: Bool = false) {
    self.result = result
    self.detail = detail
    self.output = output
    self.isHeldBack = isHeldBack
  }

  /// Whoever it was for has it.
  package static let done = CarryOutcome(.done)
  /// It may succeed later.
  package static func failed(_ detail: String, after seconds: Double? = nil) -> CarryOutcome {
    CarryOutcome(.failed(after: seconds), detail)
  }
}
