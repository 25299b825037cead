internal import FencelineDecisions
internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelineLiveSources
internal import FencelinePositioning

/// What an event of a source brings about.
extension Engine {
  /// Judges a fix.
  func take(
    _ fix: Fix, _ arrival: Arrival, _ batch: inout LiveBatch, _ outcomes: inout [Outcome]
  ) {
    outcomes.removeAll(keepingCapacity: true)
    guard pipeline.memory(of: fix.device) != nil || pipeline.deviceNames.count < Engine.mostDevices else {
      strangers += 1
      return
    }
    let verdict = pipeline.process(
      fix, now: isClockSynchronised ? arrival.utc : nil, arrival: arrival.boot, into: &outcomes)
    decisionLatency.add(since: arrival)
    batch.take(fix, verdict, outcomes, by: pipeline)
    signals.take(fix, arrival, verdict)
    teller.fix(fix, verdict)
  }

  /// Records what has changed, and tells it; where only a sentence is another one, that is told alone.
  func take(_ signal: Signal, _ batch: inout LiveBatch) {
    for news in signals.take(signal) {
      if news.isChange {
        batch.signals.append(
          SignalChange(
            at: news.signal.at.utc, source: news.signal.source, device: news.signal.device,
            state: news.signal.state.rawValue, event: news.event))
      }
      teller.signal(news.signal, news.event)
    }
  }
}
