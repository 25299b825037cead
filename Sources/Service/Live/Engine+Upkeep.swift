internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineLiveSources
internal import FencelinePositioning

/// What the engine looks after between its decisions.
extension Engine {
  /// Says once of each region that is not watched that it is not.
  func tellRegionProblems() {
    let problems = Set(regionProblems)
    for problem in problems.subtracting(toldRegionProblems).sorted() { teller.problem(problem) }
    toldRegionProblems = problems
  }

  /// What is written into a file that has no name any more is lost with the process.
  func lookAtFile() {
    let isGone = !journal.isInPlace
    if isGone, fileProblem == nil {
      let sentence =
        "The database '\(journal.path)' was taken away or replaced while it is served. Put it back and restart the service."
      teller.problem(sentence)
      fileProblem = sentence
    } else if !isGone {
      fileProblem = nil
    }
  }

  /// Takes positions away that are older than they are to be kept, a piece at a time.
  func sweep(_ now: Arrival) throws(JournalError) {
    guard now.boot >= nextSweep, let trackRetention else { return }
    // A clock that nobody sets may be ahead; what it says counts no further than the receivers' time.
    var present = now.utc
    if !isClockSynchronised, trackRetention > 0 {
      guard let newest = devices.values.compactMap({ $0.last?.fix.time }).max() else { return }
      present = min(present, newest)
    }
    let before = Timestamp(milliseconds: present.milliseconds - Int64(trackRetention * 1000))
    let isMore = try journal.removePositions(before: before)
    try recorder.removeSignals(before: before)
    nextSweep = now.boot + (isMore ? Engine.lookEvery : Engine.sweepEvery)
  }
}
