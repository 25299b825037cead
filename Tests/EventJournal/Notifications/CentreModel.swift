import FencelineCivilTime
import FencelineEventJournal
import FencelineNotifying

/// What a notification centre must do, worked out the slow way: every occurrence there ever was is gone through, and all is in memory.
struct CentreModel {
  struct Pending {
    var trigger: NotificationTrigger?
    var misfire: MisfirePolicy
    var badge: Int?
    /// When it was asked for; of an interval by the clock as it goes now.
    var requestedAt: Timestamp
    /// During which boot an interval was asked for.
    var bootID: String
    var last: Occurrence?
    var delivered: Set<Int64> = []
    /// In the order of adding.
    var order: Int
  }
  struct Listed: Equatable {
    var identifier: String
    var due: Timestamp
    var badge: Int?
  }

  var pending: [String: Pending] = [:]
  var listed: [Listed] = []
  /// All that was ever delivered.
  var told: [String] = []
  var responses: [String] = []
  var badge = 0
  var countsUnread = false
  private var added = 0

  mutating func add(
    _ identifier: String, _ trigger: NotificationTrigger?, _ misfire: MisfirePolicy, badge: Int?,
    _ world: CentreWorld
  ) {
    added += 1
    pending[identifier] = Pending(
      trigger: trigger, misfire: misfire, badge: badge, requestedAt: world.now, bootID: world.bootID,
      order: added)
  }

  /// The clock was set: what counts passing time follows it.
  mutating func followClock(by seconds: Double, _ world: CentreWorld) {
    for (identifier, entry) in pending {
      // A rule of the calendar begins again where the clock was put back to.
      if case .calendar = entry.trigger, entry.last?.at ?? entry.requestedAt > world.now + seconds {
        pending[identifier]?.last = Occurrence(key: entry.last?.key ?? 0, at: world.now + seconds)
      }
      guard case .interval = entry.trigger, entry.bootID == world.bootID else { continue }
      pending[identifier]?.requestedAt = entry.requestedAt + seconds
      if let last = entry.last { pending[identifier]?.last?.at = last.at + seconds }
    }
  }

  /// All that becomes due.
  mutating func turn(_ world: CentreWorld) {
    var due: [(at: Timestamp, order: Int, identifier: String)] = []
    for (identifier, entry) in pending {
      if let first = over(entry, world).first { due.append((first.at, entry.order, identifier)) }
    }
    for (_, _, identifier) in due.sorted(by: { ($0.at, $0.order) < ($1.at, $1.order) }) {
      guard var entry = pending[identifier] else { continue }
      let all = over(entry, world)
      var deliver: [Occurrence] = []
      switch entry.trigger == nil ? .once : entry.misfire.action {
      case .once: deliver = all.suffix(1)
      case .all(let most): deliver = all.suffix(most)
      case .skip: deliver = all.suffix(1).filter { $0.at >= world.now + -entry.misfire.grace }
      }
      if !deliver.isEmpty { listed.removeAll { $0.identifier == identifier } }
      for occurrence in deliver {
        listed.append(Listed(identifier: identifier, due: occurrence.at, badge: entry.badge))
        told.append("\(identifier) \(entry.order) \(occurrence.key)")
        entry.delivered.insert(occurrence.key)
        if let number = entry.badge, !countsUnread { badge = number }
      }
      entry.last = all.last
      pending[identifier] = next(entry, world) == nil || entry.trigger?.repeats != true ? nil : entry
    }
    if countsUnread { badge = listed.count }
  }

  /// Every occurrence that is over and was not seen to.
  private func over(_ entry: Pending, _ world: CentreWorld) -> [Occurrence] {
    guard let trigger = entry.trigger else { return [Occurrence(key: 0, at: entry.requestedAt)] }
    var found: [Occurrence] = []
    var time = min(entry.last?.at ?? entry.requestedAt, world.now)
    while let next = next(after: time, trigger, entry, world), next.at <= world.now {
      found.append(next)
      time = next.at
      if !trigger.repeats { break }
    }
    return found
  }

  /// When it is due next.
  func next(_ entry: Pending, _ world: CentreWorld) -> Timestamp? {
    guard let trigger = entry.trigger else { return entry.requestedAt }
    return next(after: min(entry.last?.at ?? entry.requestedAt, world.now), trigger, entry, world)?.at
  }

  private func next(
    after time: Timestamp, _ trigger: NotificationTrigger, _ entry: Pending, _ world: CentreWorld
  ) -> Occurrence? {
    switch trigger {
    case .interval(let trigger):
      // One after the other from the first.
      var number: Int64 = 1
      while true {
        let at = entry.requestedAt + Double(number) * trigger.seconds
        if number > entry.last?.key ?? 0, at > time || !trigger.repeats {
          return Occurrence(key: number, at: at)
        }
        if !trigger.repeats { return nil }
        number += 1
      }
    case .calendar(let trigger):
      guard let zone = world.settings.zone(of: trigger) else { return nil }
      var time = time
      while let at = trigger.rule.next(after: time, in: zone), at <= trigger.end ?? .latest {
        if !entry.delivered.contains(at.milliseconds) { return Occurrence(key: at.milliseconds, at: at) }
        time = at
      }
      return nil
    case .location, .push: return nil
    }
  }
}

extension CentreSettings {
  fileprivate func zone(of trigger: CalendarTrigger) -> CivilZone? {
    if case .fixed(let name) = trigger.zone { zone(name) } else { localZone }
  }
}
