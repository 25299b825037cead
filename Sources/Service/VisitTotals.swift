package import FencelineCivilTime
package import FencelineEventJournal

/// How often and how long regions were visited, in all or for each day, week, month or year of the local calendar.
///
/// A visit counts in every period that it touches, with the time that lies there. Time that a device has spent in a region counts once,
/// also where several runs tell of it. A visit that is open counts up to its run's last fix.
package struct VisitTotals: Sendable {
  /// A region's visits in one period.
  package struct Row: Hashable, Sendable {
    /// The first day of the period; nil where all visits are summed up.
    package var start: CivilDate?
    /// The identifier of the region, and its latest title.
    package var region: String
    package var title: String?
    /// Visits that touch the period, and those among them that are open.
    package var visits = 0
    package var open = 0
    /// Seconds in the region.
    package var seconds = 0.0
    /// Seconds of the longest visit, as far as it lies in the period.
    package var longest = 0.0
  }

  /// The period; nil sums up all visits.
  package let period: CalendarPeriod?
  /// Time before and after these does not count.
  private let since: Timestamp?
  private let until: Timestamp?
  private let liveRun: Int64?

  /// How many visits were added.
  package private(set) var visits = 0
  /// How many of them are open.
  package private(set) var open = 0
  /// How many of those are of replays, whose devices may have been seen again in another one.
  package private(set) var openOfReplays = 0
  /// How many of them share time with one of another run.
  package private(set) var shared = 0
  private var totals: [Key: Row] = [:]
  /// When periods begin.
  private var starts: [CivilDate: Timestamp] = [:]
  /// Up to when the time of a device in a region has been counted.
  private var counted: [Stay: Timestamp] = [:]

  private struct Key: Hashable {
    var start: CivilDate?
    var region: String
  }

  private struct Stay: Hashable {
    var device: String
    var region: String
  }

  /// No visits so far.
  ///
  /// - Parameters:
  ///   - period: What is summed up by; nil sums up all.
  ///   - since: Time before it does not count.
  ///   - until: Time from then on does not count.
  ///   - liveRun: The run that is no replay.
  package init(
    per period: CalendarPeriod?, since: Timestamp? = nil, until: Timestamp? = nil, liveRun: Int64? = nil
  ) {
    self.period = period
    self.since = since
    self.until = until
    self.liveRun = liveRun
  }

  /// Adds a visit that did not begin before the one added last.
  package mutating func add(_ visit: Visit) {
    visits += 1
    open += visit.left == nil ? 1 : 0
    openOfReplays += visit.left == nil && visit.run != liveRun ? 1 : 0
    // Another hand may have written instants beyond all calendars.
    let from = min(max(visit.entered, since ?? .earliest, .earliest), .latest)
    let to = max(from, min(visit.lastSeen, until ?? .latest, .latest))
    let stay = Stay(device: visit.device, region: visit.region)
    let known = counted[stay] ?? from
    if known > from { shared += 1 }
    counted[stay] = max(known, to)
    guard let period else { return count(visit, in: nil, from: from, to: to, known: known) }
    var start = period.start(of: LocalTime.date(of: from))
    var piece = from
    while start.year < 10_000 {
      let next = period.next(after: start)
      let end = starts[next] ?? LocalTime.start(of: next)
      starts[next] = end
      // A zone may have left a day out.
      if end > piece || end >= to { count(visit, in: start, from: piece, to: min(to, end), known: known) }
      guard end < to else { return }
      (start, piece) = (next, max(piece, end))
    }
  }

  private mutating func count(
    _ visit: Visit, in start: CivilDate?, from: Timestamp, to: Timestamp, known: Timestamp
  ) {
    var row = totals[Key(start: start, region: visit.region)] ?? Row(start: start, region: visit.region)
    row.title = visit.title ?? row.title
    row.visits += 1
    row.open += visit.left == nil ? 1 : 0
    row.seconds += max(0, to.seconds(since: max(from, known)))
    row.longest = max(row.longest, to.seconds(since: from))
    totals[Key(start: start, region: visit.region)] = row
  }

  /// The totals by period, most time first.
  package var rows: [Row] {
    totals.values.sorted { a, b in
      if let first = a.start, let second = b.start, first != second { return first < second }
      return (b.seconds, a.region) < (a.seconds, b.region)
    }
  }

  /// Regions that were visited.
  package var regions: Int { Set(totals.keys.map(\.region)).count }
  /// Seconds in all of them; time in regions that overlap counts in each.
  package var seconds: Double { totals.values.map(\.seconds).reduce(0, +) }
}
