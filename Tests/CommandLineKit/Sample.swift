import FencelineCommandLineKit

/// A small program of the same shape as the real one.
enum Sample {
  enum Profile: String, CaseIterable { case exact, fast, balanced, steady }

  static let database = Option<String>(
    "db", value: .file, help: "The database.", defaultText: "$FENCELINE_DB")
  static let json = Flag("json", help: "Print JSON Lines.")
  static let quiet = Flag("quiet", short: "q", help: "Say nothing but errors.")

  static let id = Positional<String>("ID", value: .text, help: "The region's identifier.")
  static let latitude = Positional<Double>("LAT", value: .number(in: -90...90), help: "Latitude in degrees.")
  static let longitude = Positional<Double>(
    "LON", value: .number(in: -180...180), help: "Longitude in degrees.")
  static let radius = Positional<Double>("RADIUS", value: .length, help: "The radius.")
  static let title = Option<String>("title", value: .text, help: "What people call it.")
  static let margin = Option<Double>(
    "exit-margin", value: .length, help: "How far outside counts as outside.", defaultText: "the profile's")
  static let dwell = Option<Double>(
    "dwell", value: .duration, help: "Tell when a visit has lasted so long.", repeatable: true)
  static let profile = Option<Profile>(
    "profile", value: .choice(name: "PROFILE"), help: "How sure it must be.", defaultText: "balanced")
  static let kinds = Option<[String]>(
    "on", value: ValueType.choice(["entry", "exit"], name: "KIND").list(), help: "What to tell.")
  static let priority = Option<Int>("priority", value: .integer(in: 0...9), help: "The order.")
  static let notify = Flag("notify", help: "Whether to tell at all.", invertible: true, group: "Notification")
  static let secret = Option<String>("secret", value: .text, help: "Not shown.", hidden: true)

  static let files = Positional<String>(
    "FILE", value: .file, help: "Logs; - is standard input.", repeatable: true)
  static let since = Option<String>("since", value: .text(name: "TIME", hint: .time), help: "The first time.")
  static let output = Option<String>("output", short: "o", value: .file, help: "The picture.", required: true)
  static let names = Positional<String>(
    "ID", value: .text(name: "ID", hint: .region), help: "Which ones.", required: false, repeatable: true)

  /// One word if it holds a comma, else two.
  static let place = Positional<String>(
    "PLACE",
    value: .init(
      name: "PLACE", hint: .coordinate, span: { $0.first?.contains(",") == true ? 1 : 2 },
      parse: { text throws(ValueError) in text }), help: "A coordinate.")

  static let add = Command(
    "add", "Register a region.",
    discussion:
      "A region is a circle on the ground.\nCoordinates are decimal degrees; negative ones need no trick.",
    examples: [.init("fenceline region add office 47.3769 8.5417 100m", "Tells of entries and exits.")],
    positionals: [id, latitude, longitude, radius],
    options: [title, margin, dwell, profile, kinds, priority, notify, secret], run: { _ in 0 })
  static let region = Command(
    "region", "Manage regions.",
    subcommands: [
      add, Command("list", "List regions.", positionals: [names], run: { _ in 0 }),
      Command("near", "Rank regions by distance.", positionals: [place], run: { _ in 0 }),
      Command("secret", "Not shown.", hidden: true, run: { _ in 0 }),
    ])
  static let runs = Command(
    "runs", "List runs.",
    subcommands: [Command("remove", "Remove runs.", positionals: [id], run: { _ in 0 })],
    group: "Journal", run: { _ in 3 })
  static let replay = Command(
    "replay", "Evaluate logs.", positionals: [files], options: [since],
    run: { arguments in
      if arguments[json], arguments[quiet] { throw UsageError("'--json' and '--quiet' exclude each other.") }
      return Int32(arguments[all: files].count)
    })
  static let map = Command("map", "Draw a picture.", options: [output], run: { _ in 0 })

  static let program = Program(
    Command(
      "fenceline", "Tell when a device enters or leaves a circle.", options: [database, json, quiet],
      subcommands: [region, replay, runs, map]), version: "1.2.3")

  /// What the words of `line` ask for; they are split at spaces.
  static func outcome(_ line: String) -> Program.Outcome {
    program.outcome(of: line.split(separator: " ").map(String.init))
  }

  /// The arguments of a line that makes sense.
  static func arguments(_ words: [String]) throws -> Arguments {
    switch program.outcome(of: words) {
    case .run(let arguments): return arguments
    case .answer(let text), .misuse(let text): throw UsageError(text)
    }
  }
}
