internal import FencelineCivilTime
internal import FencelineLiveSources
internal import FencelinePositioning

/// How each receiver and each source is, as the service shows it, and what is new in what they signal.
struct SignalBoard {
  /// Something that a source has signalled, or that follows from it.
  struct News {
    var signal: Signal
    /// `signal lost` or `signal back`, where it is that.
    var event: String?
    /// Whether the state is another one, and not only its sentence.
    var isChange: Bool
  }

  private(set) var devices: [String: DeviceView] = [:]
  private(set) var sources: [String: SourceView] = [:]

  /// Takes a fix that the pipeline has judged.
  mutating func take(_ fix: Fix, _ arrival: Arrival, _ verdict: FixFilter.Verdict) {
    var view = devices[fix.device] ?? DeviceView(source: "")
    view.clockOffset = fix.time.seconds(since: arrival.utc)
    if case .accepted = verdict { view.last = (fix, arrival) }
    devices[fix.device] = view
  }

  /// Takes what the receiver has said more of a fix.
  ///
  /// - Returns: Whether that one counted.
  mutating func complete(_ fix: Fix) -> Bool {
    guard devices[fix.device]?.last?.fix.time == fix.time else { return false }
    devices[fix.device]?.last?.fix = fix
    return true
  }

  /// Takes a signal.
  ///
  /// - Returns: What is to be told, in order.
  mutating func take(_ signal: Signal) -> [News] {
    guard let device = signal.device else { return takeSource(signal) }
    var view = devices[device] ?? DeviceView(source: signal.source)
    var event: String?
    if signal.state.hasFix {
      if view.isLost { event = "signal back" }
      view.isLost = false
    } else if view.state?.hasFix ?? (view.last != nil) {
      event = "signal lost"
      view.isLost = true
    }
    let isChange = view.state != signal.state || view.source != signal.source || event != nil
    view.source = signal.source
    view.receiver = signal.receiver
    view.show(signal)
    devices[device] = view
    showBest(of: signal.source, signal.at.utc)
    return [News(signal: signal, event: event, isChange: isChange)]
  }

  /// Takes the state of a source, and with it of all that came from it.
  private mutating func takeSource(_ signal: Signal) -> [News] {
    let isChange = sources[signal.source]?.state != signal.state
    sources[signal.source] = SourceView(state: signal.state, since: signal.at.utc, detail: signal.detail)
    var news = [News(signal: signal, event: nil, isChange: isChange)]
    for (device, view) in devices.sorted(by: { $0.key < $1.key }) where view.source == signal.source {
      var view = view
      let hadFix = view.state?.hasFix ?? false
      if hadFix { view.isLost = true }
      view.show(signal)
      devices[device] = view
      guard hadFix else { continue }
      // Why, the source's own has said.
      let lost = Signal(
        source: signal.source, device: device, state: signal.state, receiver: view.receiver, at: signal.at)
      news.append(News(signal: lost, event: "signal lost", isChange: true))
    }
    return news
  }

  /// A source is as well as the best of its receivers, until it says otherwise.
  private mutating func showBest(of source: String, _ now: Timestamp) {
    var best: (state: SignalState, detail: String?)?
    for (_, view) in devices.sorted(by: { $0.key < $1.key }) where view.source == source {
      guard let state = view.state, state.rank > best?.state.rank ?? -1 else { continue }
      best = (state, view.detail)
    }
    guard let best else { return }
    let old = sources[source]
    sources[source] = SourceView(
      state: best.state, since: old?.state == best.state ? old?.since ?? now : now, detail: best.detail)
  }

  /// Forgets a source that is not used any more.
  mutating func forget(source: String) {
    sources[source] = nil
    for device in devices.keys where devices[device]?.source == source {
      devices[device]?.state = nil
      devices[device]?.stateSince = nil
      devices[device]?.detail = nil
      devices[device]?.receiver = nil
    }
  }
}
