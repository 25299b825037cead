import FencelineCivilTime
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning

/// The rules of crossings in their plainest form: every region against every fix, nothing remembered but what the rules name.
///
/// An independent judge of the product's evaluator. All times are milliseconds since 1970.
struct NaiveEvaluator {
  struct Event: Hashable, CustomStringConvertible {
    var region: String
    var kind: Crossing.Kind
    var at, confirmed, earliest, latest: Double
    var cause: Crossing.Cause
    var description: String {
      "\(region) \(kind) at \(at) by \(confirmed) in \(earliest)...\(latest) \(cause)"
    }
  }

  private struct Met {
    var at, earliest, latest: Double
    var cause: Crossing.Cause
    var countsFrom: Double { cause == .gap ? latest : at }
    var countsUntil: Double { cause == .gap ? earliest : at }
  }

  private let fixes: [(fix: Fix, start: TrackStart)]
  private var events: [(turn: Int, event: Event)] = []

  /// What the fixes that a filter has accepted bring about, in the order in which it is told.
  static func events(_ fixes: [(fix: Fix, start: TrackStart)], _ regions: [Region], _ profile: Profile)
    -> [Event]
  {
    var naive = NaiveEvaluator(fixes: fixes)
    for region in regions { naive.judge(region, region.profile ?? profile) }
    let ranks: [Crossing.Kind: Int] = [.dwell: 0, .exit: 1, .entry: 2]
    func key(_ entry: (turn: Int, event: Event)) -> (Int, Double, Int, String) {
      (entry.turn, (entry.event.at + 0.5).rounded(.down), ranks[entry.event.kind] ?? 3, entry.event.region)
    }
    return naive.events.sorted { key($0) < key($1) }.map(\.event)
  }

  private init(fixes: [(fix: Fix, start: TrackStart)]) {
    self.fixes = fixes
  }

  private mutating func judge(_ region: Region, _ profile: Profile) {
    let r = region.radius
    let plane = AzimuthalPlane(centre: region.centre)
    let margin = region.exitMargin ?? profile.exitMargin(radius: r)
    let gate = max(profile.accuracyGate ?? .infinity, r)
    let innerGate = profile == .exact ? Double.infinity : min(gate, 2 * r)
    let entryHold = 1000 * (region.enterAfter ?? profile.entry.hold)
    let exitHold = 1000 * (region.exitAfter ?? profile.exit.hold)
    let thresholds = region.dwell.sorted().map { 1000 * $0 }
    var inside: Bool?  // nil while unknown
    var supporters: [Double] = []
    var (lastIn, lastOut): (Met?, Met?) = (nil, nil)
    var intervals: [Double] = []
    var (clock, fired) = (0.0, 0)

    for turn in fixes.indices {
      let (fix, start) = fixes[turn]
      let now = Double(fix.time.milliseconds)
      let here = plane.project(fix.coordinate)
      if start == .newSession { (inside, supporters, lastIn, lastOut, intervals) = (nil, [], nil, nil, []) }
      let before = turn > 0 && start != .newSession ? fixes[turn - 1].fix : nil
      let beforeTime = before.map { Double($0.time.milliseconds) } ?? now
      if before != nil, start == .continues { intervals = (intervals + [now - beforeTime]).suffix(5) }
      let ordered = intervals.sorted()
      let median = ordered.isEmpty ? 0 : (ordered[(ordered.count - 1) / 2] + ordered[ordered.count / 2]) / 2
      let isSparse = median >= 20_000
      func tell(_ kind: Crossing.Kind, _ met: Met, _ cause: Crossing.Cause? = nil) {
        let event = Event(
          region: region.id, kind: kind, at: met.at, confirmed: now, earliest: met.earliest,
          latest: met.latest,
          cause: cause ?? met.cause)
        events.append((turn, event))
      }
      func fireDwells(until end: Double) {
        while fired < thresholds.count, clock + thresholds[fired] <= end {
          let at = clock + thresholds[fired]
          tell(.dwell, Met(at: at, earliest: at, latest: at, cause: .observed))
          fired += 1
        }
      }
      if let end = region.expires, fix.time >= end {
        if inside == true { fireDwells(until: Double(end.milliseconds)) }
        (inside, supporters, lastIn, lastOut) = (false, [], nil, nil)
        continue
      }
      // The line a + u (b - a) meets the circle where u = middle ± half.
      var (middle, half): (Double, Double?) = (0, nil)
      let there = before.map { plane.project($0.coordinate) } ?? here
      let (dx, dy) = (here.east - there.east, here.north - there.north)
      if dx * dx + dy * dy > 0 {
        middle = -(there.east * dx + there.north * dy) / (dx * dx + dy * dy)
        let outside2 = (there.distance * there.distance - r * r) / (dx * dx + dy * dy)
        half = middle * middle >= outside2 ? (middle * middle - outside2).squareRoot() : nil
      }
      func met(_ u: Double, _ cause: Crossing.Cause) -> Met {
        Met(at: beforeTime + u * (now - beforeTime), earliest: beforeTime, latest: now, cause: cause)
      }
      let (wasIn, isIn) = (there.distance <= r, here.distance <= r)
      if before != nil, wasIn != isIn {
        let u = half.map { min(1, max(0, isIn ? middle - $0 : middle + $0)) } ?? 0.5
        let meeting = met(u, start == .newTrack || now - beforeTime > 300_000 ? .gap : .observed)
        if isIn { (lastIn, lastOut) = (meeting, nil) } else { lastOut = meeting }
        if inside != isIn, inside != nil || isIn { supporters = [] }
      }
      func inner(_ sigma: Double) -> Double { max(r - profile.sigmasInside * sigma, r / 2) }
      let evidence: Bool? =
        fix.accuracyOrDefault <= innerGate && here.distance <= inner(fix.sigma)
        ? true
        : fix.accuracyOrDefault <= gate && here.distance > r + margin + profile.sigmasOutside * fix.sigma
          ? false : nil
      if inside == false, !supporters.isEmpty {
        if evidence == false, let a = lastIn, let b = lastOut,
          b.countsUntil - a.countsFrom >= max(entryHold, 1)
        {
          tell(.entry, a, .pass)
          tell(.exit, b, .pass)
        }
      } else if inside == false, let before, start == .continues, now - beforeTime <= 120_000, !wasIn, !isIn,
        max(before.accuracyOrDefault, fix.accuracyOrDefault) <= innerGate,
        there.distance - r + here.distance - r <= before.coordinate.distance(to: fix.coordinate) + 1,
        let half, middle > 0, middle < 1, 2 * half * (now - beforeTime) >= max(entryHold, 1)
      {
        let (x, y) = (there.east + middle * dx, there.north + middle * dy)
        if (x * x + y * y).squareRoot() <= inner(max(before.sigma, fix.sigma)) {
          tell(.entry, met(middle - half, .pass))
          tell(.exit, met(middle + half, .pass))
        }
      }
      if let evidence, evidence == inside || (inside == nil && !evidence) {
        (inside, supporters) = (evidence, [])
      } else if let evidence {
        supporters.append(now)
        let since = (evidence ? lastIn : lastOut)
        let meeting =
          since ?? Met(at: supporters[0], earliest: supporters[0], latest: supporters[0], cause: .observed)
        let isAsked = (evidence ? region.enterAfter : region.exitAfter) != nil
        let needed = evidence ? profile.entry.fixes : profile.exit.fixes
        let hold = isSparse && !isAsked ? 0 : evidence ? entryHold : exitHold
        if supporters.count >= (isSparse ? min(needed, evidence ? 1 : 2) : needed),
          now - meeting.countsFrom >= hold
        {
          if evidence {
            let initial = Met(at: now, earliest: now, latest: now, cause: .initial)
            if inside != nil || region.initial == .entry { tell(.entry, inside == nil ? initial : meeting) }
            (clock, fired, lastOut) = (inside == nil ? now : meeting.countsFrom, 0, nil)
          } else {
            fireDwells(until: meeting.countsUntil)
            tell(.exit, meeting)
            (lastIn, lastOut) = (nil, nil)
          }
          (inside, supporters) = (evidence, [])
        }
      }
      if inside == true, isIn { fireDwells(until: now) }
    }
  }
}
