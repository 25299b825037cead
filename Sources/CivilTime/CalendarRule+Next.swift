extension CalendarRule {
  /// When the rule is due next: the first time after `time`; nil where there is none within 30 years.
  ///
  /// A year that is named is searched however far it is.
  ///
  /// - Complexity: Goes from month to month, so at most 361 steps; allocates nothing.
  public func next(after time: Timestamp, in zone: CivilZone) -> Timestamp? {
    due(after: time, in: zone).map { Timestamp(seconds: $0.time) }
  }

  /// What is found, in seconds since 1970, local ones as UTC counts them.
  struct Due {
    var time: Int
    /// The local time that matches.
    var matching: Int
    /// A local time that matches, and that was passed over since clocks never show it.
    var leftOut: Int?
  }

  func due(after time: Timestamp, in zone: CivilZone) -> Due? {
    let after = Int(min(max(time, .earliest), .latest).split(by: 1000).whole)
    let now = zone.stretch(at: after)
    var low = after + now.offset + 1
    let today = split(after + now.offset, by: 86_400).whole
    let last = components.year == nil ? today + 30 * 366 - 2 : Int.max
    if clock.hour == nil, let again = repeated(before: low, in: zone, now, through: last) { return again }
    var leftOut: Int?
    while let local = local(from: low, through: last) {
      let time: Int
      switch zone.instants(showing: local) {
      case .once(let only): time = only
      case .twice(let first, let second): time = first > after || clock.hour != nil ? first : second
      case .never(let end, let shown):
        let (day, midnight) = (split(local, by: 86_400).whole, split(shown, by: 86_400).whole)
        guard clock.hour != nil, day == midnight else {
          leftOut = leftOut ?? local
          low = clock.hour == nil ? shown : min(shown, (day + 1) * 86_400)
          continue
        }
        time = end
      }
      if time > after { return Due(time: time, matching: local, leftOut: leftOut).ifSayable }
      // Clocks show it a second time, as all up to the end of the first stretch.
      let first = zone.stretch(at: time)
      low = max(local + 1, time < now.start ? first.end + first.offset : low)
    }
    return nil
  }

  /// The first match of any hour that clocks show again when they go back, where they have shown it by now: it comes before
  /// all that they show for the first time after that.
  private func repeated(
    before low: Int, in zone: CivilZone, _ now: CivilZone.Stretch, through last: Int
  ) -> Due? {
    guard now.end - low < CivilZone.greatestOffset * 2 else { return nil }
    let next = zone.stretch(at: now.end)
    guard next.start + next.offset < low else { return nil }
    // What is left of the first time comes first.
    if let left = local(from: low, through: last), left < now.end + now.offset { return nil }
    guard let again = local(from: next.start + next.offset, through: last), again < low,
      again - next.offset < next.end
    else { return nil }
    return Due(time: again - next.offset, matching: again).ifSayable
  }

  /// The first local time that matches, from `low` on.
  private func local(from low: Int, through last: Int) -> Int? {
    let (day, time) = split(low, by: 86_400)
    guard var found = days.first(from: day, through: last) else { return nil }
    if found == day {
      if let time = clock.first(from: time) { return day * 86_400 + time }
      guard let next = days.first(from: day + 1, through: last) else { return nil }
      found = next
    }
    return found * 86_400 + clock.first
  }
}

extension CalendarRule.Due {
  /// nil past the last instant that has a name.
  fileprivate var ifSayable: Self? { Timestamp(seconds: time) <= .latest ? self : nil }
}
