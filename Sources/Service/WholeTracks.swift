internal import FencelinePositioning
internal import FencelineTrackLogs

/// The fixes of logs that hold whole tracks, which wait to be put in order with those of the next file.
///
/// They stay in the pieces in which they were read: most logs are in order already, and need not be copied then.
struct WholeTracks {
  private var pieces: [[Fix]] = []
  /// How many fixes wait.
  private(set) var count = 0

  mutating func append(_ fixes: [Fix]) {
    guard !fixes.isEmpty else { return }
    pieces.append(fixes)
    count += fixes.count
  }

  /// Takes the last ones out again until no more than so many wait: whole pieces, as they were appended.
  mutating func shorten(to count: Int) {
    while self.count > count, let last = pieces.popLast() { self.count -= last.count }
  }

  /// Takes all of them, one piece after the other in the order of time; those of one time stay as they are.
  mutating func takeInTimeOrder() -> [[Fix]] {
    let taken = pieces
    (pieces, count) = ([], 0)
    guard !areInTimeOrder(taken) else { return taken }
    var all = Array(taken.joined())
    inTimeOrder(&all)
    return [all]
  }
}
