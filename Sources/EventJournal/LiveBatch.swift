package import FencelineCivilTime
package import FencelineDecisions
package import FencelineGeofencing
package import FencelinePositioning

/// What the engine has decided, and what is known afterwards: all of it is committed together, or nothing.
package struct LiveBatch: Sendable {
  /// What has happened, in order.
  package private(set) var outcomes: [Outcome] = []
  /// Fixes that counted, how each follows from the one before, and whether it has brought something about.
  package private(set) var positions: [(fix: Fix, start: TrackStart, isTold: Bool)] = []
  /// Fixes that counted, now or before, of which more is known than then.
  package var completed: [Fix] = []
  /// What is known of devices, beside their regions.
  package private(set) var memories: [String: DeviceMemory] = [:]
  /// What has changed in what is known of their regions.
  package private(set) var changes: [String: MemoryChanges] = [:]
  /// Fixes that were read and those that did not count, by reason.
  package private(set) var fixes = 0
  package private(set) var rejected: [Rejection: Int] = [:]
  /// Changes of receivers' states.
  package var signals: [SignalChange] = []
  /// Regions of which nothing holds any more, and those that concern other devices than before.
  package var begunRegions: [Int64] = []
  package var narrowedRegions: [StoredRegion] = []
  /// The number of the last edit that was taken notice of; nil where there was none.
  package var seen: Int64?

  /// Nothing.
  package init() {}

  /// Whether there is nothing to commit.
  package var isEmpty: Bool {
    outcomes.isEmpty && memories.isEmpty && fixes == 0 && completed.isEmpty && signals.isEmpty && seen == nil
  }

  /// Whether anything in it must survive a power cut before it is told.
  package var holdsCrossings: Bool {
    outcomes.contains { if case .crossing = $0 { true } else { false } }
  }

  /// Takes what happened without a fix.
  package mutating func take(_ outcomes: some Sequence<Outcome>) {
    self.outcomes += outcomes
  }

  /// Takes notice of edits.
  ///
  /// - Parameters:
  ///   - edits: What was edited.
  ///   - pipeline: Gets the regions as they are now; the visits that this ends are taken.
  package mutating func take(_ edits: LiveRecorder.Edits, by pipeline: inout Pipeline) {
    var outcomes: [Outcome] = []
    seen = edits.last
    for (id, number) in edits.removed {
      pipeline.remove(id, version: edits.last, into: &outcomes)
      begunRegions.append(number)
    }
    pipeline.put(
      edits.regions.map { RegionSet.Entry($0.region.region, since: $0.region.knownAfter, isNew: $0.isNew) },
      version: edits.last, into: &outcomes)
    take(outcomes)
    for (region, isNew) in edits.regions {
      if isNew { begunRegions.append(region.number) } else { narrowedRegions.append(region) }
    }
  }

  /// Takes a fix and what it has brought about.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - verdict: What became of it.
  ///   - outcomes: What it has brought about.
  ///   - pipeline: What has decided that, as it is afterwards.
  package mutating func take(
    _ fix: Fix, _ verdict: FixFilter.Verdict, _ outcomes: some Collection<Outcome>, by pipeline: Pipeline
  ) {
    fixes += 1
    switch verdict {
    case .accepted(let start):
      positions.append((fix, start, !outcomes.isEmpty))
    case .rejected(let reason):
      rejected[reason, default: 0] += 1
      // Only a fix that is held as a suspect, or was one of them, changes what is known.
      guard reason == .late || reason == .jump else { return }
    }
    take(outcomes)
    remember(fix.device, pipeline)
  }

  /// Takes what is known of a device after the pipeline's last call.
  package mutating func remember(_ device: String, _ pipeline: Pipeline) {
    memories[device] = pipeline.memory(of: device)
    let latest = pipeline.changes
    if latest.wasReset || changes[device] == nil {
      changes[device] = latest
    } else {
      changes[device]?.states.merge(latest.states) { $1 }
    }
  }
}

/// A receiver's state has changed.
package struct SignalChange: Hashable, Sendable {
  /// When, by the system's clock.
  package var at: Timestamp
  /// The name of the source, and of the device; nil where it is the source itself.
  package var source: String
  package var device: String?
  /// The new state: `3D`, `silent`.
  package var state: String
  /// `signal lost` or `signal back`, where it is that.
  package var event: String?

  /// A change.
  package init(at: Timestamp, source: String, device: String?, state: String, event: String?) {
    self.at = at
    self.source = source
    self.device = device
    self.state = state
    self.event = event
  }
}
