/// How long to wait before the next attempt: ever longer, and never quite as long as someone else.
struct Backoff {
  private static let shortest = 1_000
  private static let longest = 30_000
  private var base = shortest

  /// Milliseconds until the next attempt, 750 to 30,000.
  mutating func next() -> Int {
    let wait = base * 3 / 4 + Int.random(in: 0...base / 4)
    base = min(base * 2, Self.longest)
    return wait
  }

  /// Begins again with short waits.
  mutating func reset() {
    base = Self.shortest
  }
}
