internal import FencelineCivilTime
package import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineSQLiteStore

/// What crossings bring about; within the transaction that records them.
extension NotificationCentre {
  /// Hands a crossing over: requests that wait for it fire; where none does, the region notifies by itself if it is to.
  ///
  /// - Parameters:
  ///   - crossing: What has happened, confirmed.
  ///   - run: The live run.
  ///   - sequence: The crossing's number in it.
  ///   - region: The region, as it is now.
  ///   - entered: When the visit began; nil where it is not known.
  ///   - now: The time.
  /// - Returns: What has happened, in order.
  /// - Throws: What the database says.
  func handOver(
    _ crossing: Crossing, _ run: Int64, _ sequence: Int64, of region: StoredRegion, entered: Timestamp?,
    at now: Moment
  ) throws -> [CentreEvent] {
    let requests = try located(in: region.region.id).filter { $0.waits(for: crossing) }
    guard !requests.isEmpty || crossing.notify else { return [] }
    var place = CrossingPlace(crossing, run, sequence, region)
    place.entered = entered
    let last = region.region.cooldown == nil ? nil : try lastShown(region, crossing.device)
    let suppression = gate(region.region, at: crossing.confirmedAt, last: last)
    var events: [CentreEvent] = []
    for stored in requests {
      let latest = try deliver([Draft(stored, place, suppression)], at: now)
      events += latest
      if stored.request.trigger?.repeats == false, latest.contains(where: { $0.isShown }) {
        try finish(stored, at: now)
      }
    }
    // Requests of apps that may not notify do not silence a region.
    if crossing.notify, !events.contains(where: { $0.isShown }), suppression == nil || requests.isEmpty {
      events += try deliver(
        [ownDraft(place, suppression: try isArmed(region) ? suppression : "disarmed")], at: now)
    }
    if crossing.notify, !region.region.repeats, events.contains(where: { $0.isShown }) {
      try connection.run("UPDATE region SET armed = 0 WHERE number = ? AND armed", .integer(region.number))
    }
    return events
  }

  /// Lets requests fire that wait for a device to be inside, for one that is found there.
  func handOverVisit(
    _ device: String, of region: StoredRegion, since: Timestamp, at now: Moment
  ) throws -> [CentreEvent] {
    var events: [CentreEvent] = []
    for stored in try located(in: region.region.id) {
      guard case .location(let trigger) = stored.request.trigger, trigger.initial, trigger.onEntry else {
        continue
      }
      let latest = try fireInside(stored, device, region, since, at: now)
      events += latest
      if !trigger.repeats, latest.contains(where: { $0.isShown }) { try finish(stored, at: now) }
    }
    return events
  }

  /// Lets a request fire for the devices that are inside its region already.
  func fireInside(
    _ stored: StoredRequest, _ trigger: LocationTrigger, at now: Moment, into events: inout [CentreEvent]
  ) throws {
    try connection.run("UPDATE request SET due = NULL WHERE number = ?", .integer(stored.number))
    guard let region = try usableRegion(trigger.region) else { return }
    for (device, since) in try devices(inside: trigger.region) {
      let latest = try fireInside(stored, device, region, since, at: now)
      events += latest
      guard !trigger.repeats, latest.contains(where: { $0.isShown }) else { continue }
      return try finish(stored, at: now)
    }
  }

  private func fireInside(
    _ stored: StoredRequest, _ device: String, _ region: StoredRegion, _ since: Timestamp, at now: Moment
  ) throws -> [CentreEvent] {
    let place = CrossingPlace(
      region: region, device: device, kind: .entry, at: since, confirmedAt: now.utc, entered: since)
    let last = region.region.cooldown == nil ? nil : try lastShown(region, device)
    return try deliver([Draft(stored, place, gate(region.region, at: now.utc, last: last))], at: now)
  }

  /// The region of an identifier, where it can be used.
  private func usableRegion(_ id: String) throws -> StoredRegion? {
    let numbers = try connection.rows("SELECT number FROM region WHERE id = ? AND ended IS NULL", [.text(id)])
    {
      $0.integer(0)
    }
    return try journal.usableRegions(numbered: numbers).regions.first
  }

  /// The requests that wait for crossings of a region.
  func located(in region: String) throws -> [StoredRequest] {
    try connection.rows(
      "SELECT \(StoredRequest.columns) FROM request WHERE region = ? ORDER BY number", [.text(region)]
    ) { StoredRequest($0) }.compactMap { $0 }
  }

  /// What a region says that nobody has said anything about.
  func ownDraft(_ place: CrossingPlace, suppression: String?) -> Draft {
    let region = place.region?.region
    var content = NotificationContent()
    content.title = region?.name ?? ""
    content.body = sentence(
      place.kind, of: place.device, at: place.at, confirmed: place.confirmedAt, entered: place.entered)
    content.sound = .default
    content.threadIdentifier = region.map { "region/\($0.id)" }
    content.userInfo = [
      "region": region.map { .text($0.id) } ?? .null, "kind": .text(place.kind.rawValue),
      "device": .text(place.device),
    ]
    let identifier = "region/\(region?.id ?? "")/\(place.device)"
    return Draft(
      app: NotificationRequest.ownApp, identifier: identifier, content: content, crossing: place,
      suppression: suppression)
  }

  /// What a crossing means, for people: `van: left at 08:03.`
  package func sentence(_ crossing: Crossing) -> String {
    sentence(
      crossing.kind, of: crossing.device, at: crossing.at, confirmed: crossing.confirmedAt, entered: nil)
  }

  private func sentence(
    _ kind: Crossing.Kind, of device: String, at time: Timestamp, confirmed: Timestamp, entered: Timestamp?
  ) -> String {
    let who = device == "default" ? "" : "\(device): "
    let when = clock(time, seenFrom: confirmed)
    let span = entered.map { SpanText.words(time.seconds(since: $0)) }
    let text =
      switch kind {
      case .entry: "entered at \(when)"
      case .exit: "left at \(when)" + (span.map { ", after \($0)" } ?? "")
      case .dwell: span.map { "there for \($0)" } ?? "still there at \(when)"
      }
    return who + (who.isEmpty ? text.prefix(1).uppercased() + text.dropFirst() : text) + "."
  }

  /// What keeps the notifications of a region from being shown at a time; nil where nothing does. The last one for this device was at
  /// `last`; nil where there was none.
  func gate(_ region: Region, at time: Timestamp, last: Timestamp?) -> String? {
    if !region.active.isEmpty, !region.active.contains(where: { isOpen($0, at: time) }) { return "inactive" }
    guard let cooldown = region.cooldown, let last, last <= time else { return nil }
    return time.seconds(since: last) < cooldown ? "cooldown" : nil
  }

  /// When a notification of a region was last shown for a device.
  private func lastShown(_ region: StoredRegion, _ device: String) throws -> Timestamp? {
    try connection.rows(
      "SELECT max(crossed) FROM notification WHERE region = ? AND device = ? AND state <> 'suppressed'",
      [.integer(region.number), .text(device)]
    ) { $0.optionalInteger(0).map(Timestamp.init) }.first ?? nil
  }

  /// Whether a window is open; one of a zone that nobody knows is as `elsewhere` says.
  func isOpen(_ window: ActiveWindow, at time: Timestamp, elsewhere: Bool = true) -> Bool {
    settings.zone(window.zone).map { window.isOpen(at: time, in: $0) } ?? elsewhere
  }

  private func isArmed(_ region: StoredRegion) throws -> Bool {
    try connection.rows("SELECT armed FROM region WHERE number = ?", [.integer(region.number)]) {
      $0.integer(0) != 0
    }.first ?? false
  }
}

extension NotificationCentre.CrossingPlace {
  init(_ crossing: Crossing, _ run: Int64, _ sequence: Int64, _ region: StoredRegion) {
    self.init(
      run: run, sequence: sequence, region: region, device: crossing.device, kind: crossing.kind,
      at: crossing.at,
      confirmedAt: crossing.confirmedAt, entered: nil)
  }
}

extension StoredRequest {
  /// Whether a crossing makes it due.
  func waits(for crossing: Crossing) -> Bool {
    guard case .location(let trigger) = request.trigger else { return false }
    return switch crossing.kind {
    case .entry: trigger.onEntry && (crossing.cause != .initial || trigger.initial)
    case .exit: trigger.onExit
    case .dwell: trigger.onDwell
    }
  }
}

extension CentreEvent {
  /// Whether it is a notification that is shown, now or later.
  var isShown: Bool {
    if case .notification(let notification) = self { notification.state != .suppressed } else { false }
  }
}
