internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

/// One fix judged for one region.
struct Evaluation {
  private let step: Step
  private let rules: RegionRules
  private let here: PlanePoint
  private(set) var state: RegionState

  /// Shortest stay, in milliseconds, that makes a pass.
  private static let shortestPass = 1.0

  init(_ step: Step, _ rules: RegionRules, _ state: RegionState) {
    self.step = step
    self.rules = rules
    self.state = state
    here = rules.plane.project(step.fix.coordinate)
  }

  mutating func run(into outcomes: inout [Outcome]) {
    defer { state.place = here }
    if let expires = rules.expires, step.fix.time >= expires {
      expire(at: expires, into: &outcomes)
      return
    }
    let segment = state.place.flatMap { before in
      step.previous.map { Segment(from: $0.time, to: step.fix.time, start: before, end: here) }
    }
    if let segment { meetPerimeter(on: segment) }
    let evidence = evidence
    if state.side == .outside {
      if state.candidate != nil {
        if evidence == .outside { passThatAFixSaw(into: &outcomes) }
      } else if let segment {
        passBetweenFixes(segment, into: &outcomes)
      }
    }
    if let evidence {
      if evidence == state.side || (state.side == .unknown && evidence == .outside) {
        state.side = evidence
        state.candidate = nil
      } else {
        support(evidence, into: &outcomes)
      }
    }
    if state.side == .inside, here.distance <= rules.radius {
      fireDwells(until: Double(step.fix.time.milliseconds), into: &outcomes)
    }
  }

  /// What the fix says by itself; nil where it says nothing.
  private var evidence: RegionState.Side? {
    if step.accuracy <= rules.insideGate, here.distance <= rules.innerRadius(sigma: step.sigma) {
      return .inside
    }
    if step.accuracy <= rules.gate,
      here.distance > rules.radius + rules.exitMargin + rules.sigmasOutside * step.sigma
    {
      return .outside
    }
    return nil
  }

  /// Remembers the meeting where the segment's ends lie on either side of the perimeter; one in the direction of the candidate
  /// starts its count anew.
  private mutating func meetPerimeter(on segment: Segment) {
    let goesIn = here.distance <= rules.radius
    guard (segment.start.distance > rules.radius) == goesIn else { return }
    let roots = segment.meetings(withRadius: rules.radius)
    let u = roots.map { min(1, max(0, goesIn ? $0.first : $0.last)) } ?? 0.5
    let meeting = Meeting(on: segment, at: u, cause: step.isGap ? .gap : .observed)
    if goesIn {
      state.entered = meeting
      state.left = nil
      if state.side != .inside { state.candidate = nil }
    } else {
      state.left = meeting
      if state.side == .inside { state.candidate = nil }
    }
  }

  /// A pass of which some fix was inside: outside evidence cancels an entry that was not confirmed yet.
  private func passThatAFixSaw(into outcomes: inout [Outcome]) {
    guard let entered = state.entered, let left = state.left,
      left.insideUntil - entered.insideFrom >= max(rules.entry.hold, Evaluation.shortestPass)
    else { return }
    tell(.entry, entered, cause: .pass, into: &outcomes)
    tell(.exit, left, cause: .pass, into: &outcomes)
  }

  /// A pass between two fixes that are both outside the perimeter.
  private func passBetweenFixes(_ segment: Segment, into outcomes: inout [Outcome]) {
    let (before, after) = (segment.start.distance - rules.radius, here.distance - rules.radius)
    guard step.mayPass, before > 0, after > 0, let previous = step.previous,
      max(previous.accuracyOrDefault, step.accuracy) <= rules.insideGate, before + after <= step.length + 1,
      before + after <= step.exactLength + 1,
      let roots = segment.meetings(withRadius: rules.radius)
    else { return }
    let middle = (roots.first + roots.last) / 2
    guard middle > 0, middle < 1,
      segment.place(at: middle).distance <= rules.innerRadius(sigma: max(previous.sigma, step.sigma)),
      (roots.last - roots.first) * segment.milliseconds >= max(rules.entry.hold, Evaluation.shortestPass)
    else { return }
    tell(.entry, Meeting(on: segment, at: roots.first, cause: .pass), into: &outcomes)
    tell(.exit, Meeting(on: segment, at: roots.last, cause: .pass), into: &outcomes)
  }

  /// Counts the fix for the candidate, and confirms the crossing when there are enough of them for long enough.
  private mutating func support(_ evidence: RegionState.Side, into outcomes: inout [Outcome]) {
    var candidate = state.candidate ?? .init(first: step.fix.time, place: here, fixes: 0)
    candidate.fixes += 1
    state.candidate = candidate
    let met = evidence == .inside ? state.entered : state.left
    let meeting = met ?? Meeting(at: candidate.first, place: candidate.place)
    let rule = evidence == .inside ? rules.entry : rules.exit
    let needed = step.isSparse ? min(rule.fixes, rule.sparseFixes) : rule.fixes
    let hold = step.isSparse && !rule.isExplicit ? 0 : rule.hold
    guard candidate.fixes >= needed, Double(step.fix.time.milliseconds) - meeting.insideFrom >= hold else {
      return
    }
    if evidence == .inside { enter(meeting, into: &outcomes) } else { leave(meeting, into: &outcomes) }
    state.side = evidence
    state.candidate = nil
  }

  private mutating func enter(_ meeting: Meeting, into outcomes: inout [Outcome]) {
    var meeting = meeting
    if state.side == .unknown {
      meeting = Meeting(at: step.fix.time, place: here, cause: .initial)
    }
    if state.side == .outside || rules.entersInitially {
      tell(.entry, meeting, into: &outcomes)
    } else {
      outcomes.append(.visitBegan(device: step.fix.device, region: rules.id, at: step.fix.time))
    }
    state.visitFrom = meeting.insideFrom
    state.dwelt = 0
    state.left = nil
  }

  private mutating func leave(_ meeting: Meeting, into outcomes: inout [Outcome]) {
    fireDwells(until: meeting.insideUntil, into: &outcomes)
    tell(.exit, meeting, into: &outcomes)
    state.entered = nil
    state.left = nil
  }

  /// Fires each threshold that the visit has reached at `end`, in milliseconds since 1970.
  private mutating func fireDwells(until end: Double, into outcomes: inout [Outcome]) {
    while let next = rules.nextDwell(after: state.dwelt), state.visitFrom + next <= end {
      let at = Timestamp(rounding: state.visitFrom + next)
      outcomes.append(
        .crossing(
          Crossing(
            device: step.fix.device, region: rules.id, kind: .dwell, at: at, confirmedAt: step.fix.time,
            earliest: at,
            latest: at, cause: .observed, notify: true, coordinate: step.fix.coordinate)))
      state.dwelt = next
    }
  }

  /// The region has come to its end: it is as if it had never been.
  private mutating func expire(at end: Timestamp, into outcomes: inout [Outcome]) {
    if state.side == .inside {
      fireDwells(until: Double(end.milliseconds), into: &outcomes)
      outcomes.append(.visitEnded(device: step.fix.device, region: rules.id, at: end, .expired))
    }
    state = RegionState(side: .outside, place: here)
  }

  private func tell(
    _ kind: Crossing.Kind, _ meeting: Meeting, cause: Crossing.Cause? = nil, into outcomes: inout [Outcome]
  ) {
    outcomes.append(
      .crossing(
        Crossing(
          device: step.fix.device, region: rules.id, kind: kind, at: Timestamp(rounding: meeting.at),
          confirmedAt: step.fix.time, earliest: meeting.earliest, latest: meeting.latest,
          cause: cause ?? meeting.cause, notify: kind == .entry ? rules.notifyOnEntry : rules.notifyOnExit,
          coordinate: rules.plane.unproject(east: meeting.place.east, north: meeting.place.north))))
  }
}
