import FencelinePositioning

/// Delivers a source's events, each change of state once, and none any more when the source is to end.
struct SourceVoice {
  /// The name of the source.
  let source: String
  private let thread: SourceThread
  private let deliver: @Sendable (SourceEvent) -> Void
  /// What was last said of the source as a whole; nil once a receiver has spoken after that.
  private var own: (state: SignalState, detail: String?)?

  init(_ source: String, _ thread: SourceThread, _ deliver: @escaping @Sendable (SourceEvent) -> Void) {
    self.source = source
    self.thread = thread
    self.deliver = deliver
  }

  /// Whether the source was last said to be without a receiver.
  var hasNoReceiver: Bool { own?.state == .noReceiver }

  /// Tells a fix.
  func tell(_ fix: Fix, _ at: Arrival) {
    guard !thread.isStopping else { return }
    deliver(.fix(fix, at))
  }

  /// Tells more of a fix that was told.
  func tell(completed fix: Fix) {
    guard !thread.isStopping else { return }
    deliver(.completed(fix))
  }

  /// Tells what a device wants to have watched.
  func tell(_ regions: ReportedRegions) {
    guard !thread.isStopping else { return }
    deliver(.regions(regions))
  }

  /// Tells how the whole source is, unless that was told last.
  mutating func tell(_ state: SignalState, _ detail: String? = nil) {
    if let own, own.state == state, own.detail == detail { return }
    own = (state, detail)
    signal(Signal(source: source, state: state, detail: detail, at: .now))
  }

  /// Tells how a receiver is.
  mutating func tell(
    _ device: String, _ state: SignalState, _ detail: String? = nil, receiver: String?, _ at: Arrival
  ) {
    own = nil
    signal(Signal(source: source, device: device, state: state, detail: detail, receiver: receiver, at: at))
  }

  private func signal(_ signal: Signal) {
    guard !thread.isStopping else { return }
    deliver(.signal(signal))
  }
}
