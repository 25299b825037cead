internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What the crossings of a replay would have told people, had they come live.
///
/// It is recorded with the run and not shown, unless that is asked for; what waits for live crossings goes on waiting.
struct ReplayNotifications {
  private let centre: NotificationCentre
  /// The time at which notifications are shown; nil shows none.
  private let shownAt: Moment?
  /// Requests by their regions; nil where they have not been asked for yet.
  private var requests: [String: [StoredRequest]] = [:]
  /// Requests that fire once and have done so in this replay.
  private var finished: Set<Int64> = []
  /// Regions that notify once and have done so in this replay.
  private var disarmed: Set<Int64> = []
  /// When each device was last told of in a region, by the region's row.
  private var last: [Int64: [String: Timestamp]] = [:]

  init(_ centre: NotificationCentre, shownAt: Moment?) {
    self.centre = centre
    self.shownAt = shownAt
  }

  /// Records what a crossing would have told; within the transaction that records it.
  mutating func take(
    _ crossing: Crossing, _ run: Int64, _ sequence: Int64, of region: StoredRegion, entered: Timestamp?
  ) throws {
    let waiting = try waiting(for: crossing, in: region.region.id)
    guard !waiting.isEmpty || crossing.notify else { return }
    var place = NotificationCentre.CrossingPlace(crossing, run, sequence, region)
    place.entered = entered
    var suppression = centre.gate(
      region.region, at: crossing.confirmedAt, last: last[region.number]?[crossing.device])
    if waiting.isEmpty, disarmed.contains(region.number) { suppression = "disarmed" }
    let reason = suppression ?? (shownAt == nil ? "replay" : nil)
    var drafts: [NotificationCentre.Draft] = []
    for stored in waiting {
      drafts.append(NotificationCentre.Draft(stored, place, reason))
      // Its own request goes on waiting for a live one.
      drafts[drafts.count - 1].request = nil
    }
    if waiting.isEmpty { drafts = [centre.ownDraft(place, suppression: reason)] }
    let now = shownAt ?? Moment(utc: crossing.confirmedAt, boot: 0, bootID: "")
    _ = try centre.deliver(drafts, at: now)
    guard suppression == nil else { return }
    for stored in waiting where stored.request.trigger?.repeats == false { finished.insert(stored.number) }
    if crossing.notify, !region.region.repeats { disarmed.insert(region.number) }
    if region.region.cooldown != nil {
      last[region.number, default: [:]][crossing.device] = crossing.confirmedAt
    }
  }

  private mutating func waiting(for crossing: Crossing, in region: String) throws -> [StoredRequest] {
    if requests[region] == nil { requests[region] = try centre.located(in: region) }
    return (requests[region] ?? []).filter { $0.waits(for: crossing) && !finished.contains($0.number) }
  }
}
