/// What of one channel may go out, and when: its lines, their back-off, and the circuit breaker.
///
/// A line is what must be carried in order. Of those that wait only the names are here, the rest is in the journal. Where attempts fail
/// in a row, whichever line they are of, the channel rests; then one event alone is tried, and if that succeeds all lines go on at
/// once. All times are milliseconds since the machine began.
struct ChannelQueue {
  private struct Line {
    /// Not before.
    var due: Int64
    /// Whether that time is only a guess of when it may succeed.
    var isGuess: Bool
    /// Whether somebody did not want it, who is not to be asked again at once.
    var isRefused = false
    /// How many of it are being carried.
    var out = 0
    /// Whether something urgent has come meanwhile.
    var isHurried = false

    /// Whether it waits by its own choice, which something urgent need not.
    var mayHurry: Bool { !isGuess && !isRefused }
  }

  /// How an attempt has ended, for whoever comes next.
  enum Result {
    /// Somebody is there; the line goes on.
    case done
    /// Nobody took it; the next attempt is not before a time. Nobody is to be tried before another one.
    case failed(until: Int64, rest: Int64, peerRests: Int64?)
    /// Somebody is there, and does not want it; the next attempt is not before a time.
    case refused(until: Int64)
    /// It was not tried.
    case postponed(until: Int64)
  }

  private var lines: [String: Line] = [:]
  /// Lines that are due, in the order of their turn, from `start` on.
  private var ready: [String] = []
  private var start = 0
  private var delayed: [String] = []
  /// Not after the first of those that are delayed is due.
  private var firstDelayed = Int64.max
  /// How many are being carried.
  private(set) var out = 0
  /// Failures in a row.
  private(set) var failures = 0
  /// How long the channel rests.
  private(set) var restsUntil = Int64.min

  /// Whether nothing waits.
  var isEmpty: Bool { lines.isEmpty }
  /// Whether one event alone is to show whether somebody is there.
  var isOnTrial: Bool { failures >= RetryPolicy.failuresBeforeRest }

  /// Says that something waits in a line; where that is urgent, a line that was put off is so no longer.
  mutating func add(
    _ line: String, due: Int64, isGuess: Bool = false, isUrgent: Bool = false, at now: Int64
  ) {
    if let known = lines[line] {
      guard isUrgent else { return }
      guard known.out == 0 else {
        lines[line]?.isHurried = true
        return
      }
      guard known.mayHurry, known.due > now else { return }
      lines[line]?.due = now
      if let place = delayed.firstIndex(of: line) {
        delayed.remove(at: place)
        ready.append(line)
      }
      return
    }
    lines[line] = Line(due: due, isGuess: isGuess)
    place(line, at: now)
  }

  /// Forgets what waits; what is being carried stays known.
  mutating func removeWaiting() {
    lines = lines.filter { $0.value.out > 0 }
    ready.removeAll()
    delayed.removeAll()
    (start, firstDelayed) = (0, .max)
  }

  /// Forgets that nobody was there.
  mutating func endRest() { (failures, restsUntil) = (0, .min) }

  private mutating func place(_ line: String, at now: Int64) {
    guard let due = lines[line]?.due else { return }
    if due <= now {
      ready.append(line)
    } else {
      delayed.append(line)
      firstDelayed = min(firstDelayed, due)
    }
  }

  private mutating func wake(at now: Int64, hurries: Bool = false) {
    guard hurries || firstDelayed <= now else { return }
    let waiting = delayed
    delayed.removeAll(keepingCapacity: true)
    firstDelayed = .max
    for line in waiting {
      if hurries, lines[line]?.isGuess == true { lines[line]?.due = now }
      place(line, at: now)
    }
  }

  /// When there is something to take; nil where that depends on what is being carried, or nothing waits.
  var nextDue: Int64? {
    if isOnTrial {
      guard out == 0, let first = trial else { return nil }
      return max(restsUntil, start < ready.count || lines[first]?.isGuess == true ? restsUntil : due(first))
    }
    let due = start < ready.count ? Int64.min : firstDelayed
    return due == .max ? nil : max(due, restsUntil)
  }

  /// The line that is tried next where one alone is: before its time only where that was a guess.
  private var trial: String? {
    if start < ready.count { return ready[start] }
    let guesses = delayed.filter { lines[$0]?.isGuess == true }
    return (guesses.isEmpty ? delayed : guesses).min { due($0) < due($1) }
  }

  /// Takes a line that may go out: the caller says with ``send(_:_:)`` how much of it does.
  ///
  /// - Parameter now: The time.
  /// - Returns: The line, and whether one alone of it is to be sent; nil where none may.
  mutating func take(at now: Int64) -> (line: String, isTrial: Bool)? {
    guard now >= restsUntil else { return nil }
    wake(at: now)
    if isOnTrial {
      guard out == 0 else { return nil }
      if start == ready.count {
        guard let first = trial, lines[first]?.isGuess == true, let place = delayed.firstIndex(of: first)
        else {
          return nil
        }
        delayed.remove(at: place)
        return (first, true)
      }
    }
    guard start < ready.count else { return nil }
    let line = ready[start]
    start += 1
    if start > 64, start * 2 > ready.count {
      ready.removeFirst(start)
      start = 0
    }
    return (line, isOnTrial)
  }

  private func due(_ line: String) -> Int64 { lines[line]?.due ?? .min }

  /// Says how many of a line that was taken are being carried; with none, nothing waits in it.
  mutating func send(_ line: String, _ count: Int) {
    if count == 0 {
      lines[line] = nil
    } else {
      lines[line]?.out = count
      lines[line]?.isRefused = false
      out += count
    }
  }

  /// Takes a line back of which nothing was sent.
  mutating func giveBack(_ line: String, at now: Int64) { place(line, at: now) }

  /// Takes notice of how an attempt has ended.
  mutating func settle(_ line: String, _ result: Result, at now: Int64) {
    out -= 1
    switch result {
    case .done: resume(at: now)
    case .refused(let until):
      lines[line]?.due = until
      lines[line]?.isGuess = false
      lines[line]?.isRefused = true
      resume(at: now)
    case .failed(let until, let rest, let peerRests):
      failures += 1
      lines[line]?.due = until
      lines[line]?.isGuess = true
      if isOnTrial { restsUntil = max(restsUntil, rest) }
      if let peerRests { restsUntil = max(restsUntil, peerRests) }
    case .postponed(let until):
      let due = max(due(line), until)
      if lines[line]?.due != due || until > now { lines[line]?.isGuess = false }
      lines[line]?.due = due
    }
    lines[line]?.out -= 1
    guard let known = lines[line], known.out == 0 else { return }
    if known.isHurried, known.mayHurry { lines[line]?.due = min(known.due, now) }
    lines[line]?.isHurried = false
    place(line, at: now)
  }

  /// Somebody is there.
  private mutating func resume(at now: Int64) {
    let wasOnTrial = isOnTrial
    failures = 0
    if wasOnTrial {
      restsUntil = .min
      wake(at: now, hurries: true)
    }
  }
}
