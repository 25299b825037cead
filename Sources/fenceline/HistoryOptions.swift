import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeofencing

/// What `fenceline history` and `fenceline visits` have in common: which part of history is wanted.
enum HistoryOptions {
  static let run = Option<RunChoice>(
    "run", value: .run, help: "One run: its number, 'live' or 'last'.", defaultText: "every run")
  static let region = Option<String>("region", value: .regionGlob, help: "Regions whose id matches.")
  static let device = Option<String>(
    "device", value: .deviceGlob, help: "Devices whose name matches.")
  static let kind = Option<[Crossing.Kind]>(
    "kind", value: ValueType<Crossing.Kind>.choice(name: "KIND").list(), help: "Kinds of crossings.")
  static let since = Option<Timestamp>(
    "since", value: .time, help: "From this time on: 2026-03-01, yesterday, monday, last-week, -12h.")
  static let until = Option<Timestamp>("until", value: .time, help: "Before this time.")
  private static let limit = Option<Int>(
    "limit", value: .integer(in: 1...1_000_000_000), help: "At most so many, the latest ones.")

  static let first: [any Declaration] = [run, region, device]
  static let last: [any Declaration] = [since, until, limit]

  static func filter(_ session: Session, _ journal: Journal) throws -> HistoryFilter {
    let arguments = session.arguments
    var filter = HistoryFilter()
    switch arguments[run] {
    case nil: break
    case .number(let id):
      guard try journal.run(id) != nil else {
        throw Failure(Status.usage, "There is no run \(id). 'fenceline runs' lists them.")
      }
      filter.run = id
    // Where there is no such run there is nothing to list: no run has the number 0.
    case .live: filter.run = try journal.liveRun() ?? 0
    case .last: filter.run = try journal.lastReplay() ?? 0
    }
    filter.region = arguments[region]
    filter.device = arguments[device]
    filter.since = arguments[since]
    filter.until = arguments[until]
    filter.limit = arguments[limit]
    if let since = filter.since, let until = filter.until, until <= since {
      throw UsageError("There is no time from --since to --until: --until must be the later one.")
    }
    return filter
  }

  /// What to say where nothing was found and no region's id is like what was asked for: ` No region has an id like 'gym'. …`
  static func advice(_ filter: HistoryFilter, _ journal: Journal) throws -> String {
    guard let wanted = filter.region else { return "" }
    let regions = try journal.regions().map(\.region)
    let glob = Glob(wanted)
    guard !regions.contains(where: { glob.matches($0.id) }) else { return "" }
    let titled = regions.first { $0.title == wanted }?.id
    let other = titled ?? nearest(to: wanted, in: regions.map(\.id))
    return " No region has an id like '\(printable(wanted))'."
      + (other.map { " Did you mean '\(printable($0))'?" } ?? "")
  }
}
