import FencelineCommandLineKit
import FencelineGeodesy
import FencelineService
import FencelineCivilTime
import FencelineEventJournal
import FencelineJSONText
import FencelinePositioning

/// `fenceline runs`: the evaluations that the database holds.
enum RunsCommands {
  private static let ids = Positional<Int>(
    "ID", value: .integer(in: 1...Int.max, name: "ID", hint: .replay),
    help: "The number of a replay, as 'fenceline runs' lists it.",
    repeatable: true)

  static let runs = Command(
    "runs", "List the runs, or remove some.",
    discussion: "A run is one replay, or the live service. Its crossings and visits go with it.",
    examples: [
      .init("fenceline runs", "List all runs."),
      .init("fenceline runs remove 3 4", "Remove two replays with their crossings."),
    ],
    subcommands: [remove], run: Session.running(list))

  private static let remove = Command(
    "remove", "Remove replays with their crossings and visits.",
    examples: [.init("fenceline runs remove 3", "Remove a replay.")],
    positionals: [ids],
    run: Session.running { session in
      let numbers = session.arguments[all: ids].map(Int64.init)
      let journal = try session.journal(.write)
      let live = try journal.liveRun()
      let missing = try journal.removeRuns(numbers)
      guard missing.isEmpty else {
        let list = missing.map(String.init).joined(separator: ", ")
        if missing.contains(where: { $0 == live }) {
          throw Failure(
            Status.usage,
            "Run \(list) is the live run, which goes on and is not removed; nothing was removed. "
              + "Its positions go by the setting track.retention.")
        }
        throw Failure(
          Status.usage, "There is no replay \(list); nothing was removed. 'fenceline runs' lists them.")
      }
      session.note("\(counted(numbers.count, "run")) removed")
      return Status.done
    })

  private static func list(_ session: Session) throws -> Int32 {
    let runs = try session.journal(.read).runs()
    if session.isJSON {
      for run in runs { try session.output.writeLine(json(run).line) }
      return Status.done
    }
    guard !runs.isEmpty else {
      session.note("There are no runs yet. 'fenceline replay FILE' makes one.")
      return Status.done
    }
    var table = Table([
      .init("Run", alignment: .right), .init("Source", priority: 1, shrinksTo: 12),
      .init("Device", priority: 4, shrinksTo: 6, hidesEmpty: true),
      .init("Profile", priority: 5), .init("Settings", priority: 4, shrinksTo: 8, hidesEmpty: true),
      .init("Recorded", priority: 3), .init("First fix", priority: 2),
      .init("Fixes", alignment: .right), .init("Accepted", alignment: .right, priority: 6),
      .init("Crossings", alignment: .right),
    ])
    for run in runs {
      table.append([
        String(run.id), run.isLive ? "live" : shortened(run.source), run.settings.device ?? "",
        run.settings.profile,
        unusual(run.settings),
        LocalTime.text(run.began), run.summary.firstFix.map(LocalTime.text) ?? "", grouped(run.summary.fixes),
        grouped(run.summary.accepted), grouped(run.summary.crossings),
      ])
    }
    try session.output.write(table.text(on: session.terminal.output))
    session.note("\(counted(runs.count, "run")), times in \(LocalTime.zone)")
    return Status.done
  }

  /// The first of many files.
  private static func shortened(_ source: String) -> String {
    let files = source.split(separator: ", ")
    return files.count <= 3 ? source : "\(files[0]) and \(files.count - 1) more"
  }

  /// What was asked for beside device and profile, as it was typed.
  private static func unusual(_ settings: RunSettings) -> String {
    let usual = FixFilter.Settings()
    var words: [String] = []
    if settings.filter.maxSpeed != usual.maxSpeed {
      words.append("--max-speed \(settings.filter.maxSpeed.trimmed(3))")
    }
    if settings.filter.maxAccuracy != usual.maxAccuracy {
      words.append("--max-accuracy \(settings.filter.maxAccuracy.trimmed(3))")
    }
    if let date = settings.startDate { words.append("--date \(date)") }
    return words.joined(separator: " ")
  }

  private static func json(_ run: Run) -> JSONValue {
    let rejected = Rejection.allCases.map { reason in
      JSONValue.Member(reason.rawValue, .integer(run.summary.rejected[reason] ?? 0))
    }
    return [
      "run": .integer(Int(run.id)), "kind": run.isLive ? "live" : "replay", "source": .text(run.source),
      "device": run.settings.device.map(JSONValue.text) ?? .null, "profile": .text(run.settings.profile),
      "maxSpeed": .number(run.settings.filter.maxSpeed),
      "maxAccuracy": .number(run.settings.filter.maxAccuracy),
      "date": run.settings.startDate.map { .text($0.description) } ?? .null,
      "began": .text(run.began.description),
      "ended": run.ended.map { .text($0.description) } ?? .null,
      "firstFix": run.summary.firstFix.map { .text($0.description) } ?? .null,
      "lastFix": run.summary.lastFix.map { .text($0.description) } ?? .null,
      "fixes": .integer(run.summary.fixes), "accepted": .integer(run.summary.accepted),
      "rejected": .object(rejected),
      "crossings": .integer(run.summary.crossings),
    ]
  }
}
