internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineNotifying

extension NotificationCentre {
  /// What stands for a placeholder; nil where there is nothing.
  func value(of placeholder: Placeholder, _ draft: Draft, at now: Moment) -> String? {
    let crossing = draft.crossing
    let reference = crossing?.confirmedAt ?? now.utc
    switch placeholder {
    case .regionTitle: return crossing?.region?.region.name
    case .region: return crossing?.region?.region.id
    case .device: return crossing?.device
    case .crossingKind: return crossing?.kind.rawValue
    case .crossingAt: return crossing.map { clock($0.at, seenFrom: reference) }
    case .visitEntered: return crossing?.entered.map { clock($0, seenFrom: reference) }
    case .visitDuration:
      guard let crossing, let entered = crossing.entered, crossing.kind != .entry else { return nil }
      return SpanText.words(crossing.at.seconds(since: entered))
    case .due: return clock(draft.due, seenFrom: now.utc)
    case .app: return draft.app
    }
  }

  /// `08:03`, with the date where that is another one than that of `reference`; in local time.
  func clock(_ time: Timestamp, seenFrom reference: Timestamp) -> String {
    let time = min(max(time, .earliest), .latest)
    func shown(_ time: Timestamp) -> Timestamp {
      Timestamp(milliseconds: time.milliseconds + Int64(settings.localZone.offset(at: time)) * 1000)
    }
    let text = shown(time).description
    let clock = text.dropFirst(11).prefix(5)
    return CivilDate(shown(time)) == CivilDate(shown(reference))
      ? String(clock) : "\(text.prefix(10)) \(clock)"
  }
}
