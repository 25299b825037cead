import FencelineCivilTime
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineMapDrawing
import FencelinePositioning
import FencelineRegionFiles
import FencelineService
import FencelineTrackLogs

/// `fenceline map`: a picture of what has happened where.
enum MapCommand {
  private static let files = Positional<String>(
    "FILE", value: .file,
    help: "A log whose track is drawn, as for 'replay'; without one, what the journal holds.",
    required: false, repeatable: true)
  private static let file = Option<String>(
    "output", short: "o", value: .file, help: "Write to this file.", defaultText: "standard output")
  private static let width = Option<Int>(
    "width", value: .integer(in: 240...10_000, name: "PX"), help: "The width in pixels; the height follows.",
    defaultText: "960")
  private static let title = Option<String>(
    "title", value: .text, help: "The heading.", defaultText: "the names of the logs, or the run")
  private static let theme = Option<MapStyle.Theme>(
    "theme", value: .choice(name: "THEME"), help: "The colours; auto takes those that the viewer prefers.",
    defaultText: "auto")

  static let map = Command(
    "map", "Draw a picture: tracks, regions, crossings.",
    discussion: """
      The picture is an SVG file for browsers, reports and most programs that draw. Logs are evaluated as by 'replay --dry-run': nothing is \
      recorded. Without a log it shows the crossings that are recorded, and the way that the live service has stored; of a replay's way \
      nothing is stored.
      What has happened decides what is seen: regions far from it are left out.
      """,
    examples: [
      .init("fenceline map drive.nmea --output drive.svg", "Draw a log's track and what happened on it."),
      .init("fenceline map --run last --region 'office*' > office.svg", "Draw recorded crossings."),
      .init(
        "TZ=UTC fenceline map *.gpx --theme light --title 'The week' -o week.svg",
        "Draw several logs for a report."),
    ],
    positionals: [files],
    options: [
      file, title, width, theme, HistoryOptions.region, HistoryOptions.device, HistoryOptions.since,
      HistoryOptions.until, HistoryOptions.run, ReplayCommand.profile, ReplayCommand.maxSpeed,
      ReplayCommand.maxAccuracy, FixesCommand.date,
    ],
    run: Session.running { session in
      if let path = session.arguments[file]?.lowercased(),
        let ending = [".png", ".pdf", ".jpg", ".jpeg", ".webp"].first(where: path.hasSuffix)
      {
        throw UsageError(
          "A picture is an SVG file, not '\(ending)': name a file that ends in .svg; rsvg-convert or a browser makes others of it."
        )
      }
      let drawer = try MapDrawer(session, session.arguments[all: files])
      let content = try drawer.content(title: session.arguments[title])
      guard let content else { return drawer.status }
      let style = MapStyle(
        width: session.arguments[width] ?? 960, theme: session.arguments[theme] ?? .auto,
        zone: LocalTime.zone,
        localTime: LocalTime.text)
      guard let picture = MapPicture(content, style) else {
        throw Failure(Status.unreadable, drawer.nothingToShow)
      }
      guard let path = session.arguments[file], path != "-" else {
        try session.output.write(picture.svg)
        return drawer.status
      }
      try RegionFile.write(picture.svg, to: path)
      session.note(
        "\(counted(content.crossings.count, "crossing")) and \(counted(picture.regions, "region")) drawn to '\(printable(path))'"
      )
      return drawer.status
    })
}

/// Finds out what a picture is to show.
private final class MapDrawer {
  private let session: Session
  private let paths: [String]
  private let journal: Journal
  private let filter: HistoryFilter
  /// The status to end with.
  private(set) var status = Status.done

  init(_ session: Session, _ paths: [String]) throws {
    self.session = session
    self.paths = paths
    let arguments = session.arguments
    if !paths.isEmpty, arguments[HistoryOptions.run] != nil {
      throw UsageError("A picture shows logs or a recorded run: leave out --run or the files.")
    }
    let evaluates = arguments[ReplayCommand.maxSpeed] ?? arguments[ReplayCommand.maxAccuracy]
    if paths.isEmpty, evaluates != nil || arguments[FixesCommand.date] != nil {
      throw UsageError(
        "There is no log to evaluate: name a FILE, or leave out --max-speed, --max-accuracy and --date.")
    }
    journal = try session.journal(.read)
    filter = try HistoryOptions.filter(session, journal)
  }

  /// What to show; nil where no log could be read, which has been said.
  func content(title: String?) throws -> MapContent? {
    let stored = try journal.regions()
    let regions = stored.filter { region in filter.region.map { Glob($0).matches(region.region.id) } ?? true }
    var content = MapContent(
      title: "", source: filter.run.map { "run \($0)" } ?? "all runs")
    content.regions = regions.map(\.region)
    content.profile = session.arguments[ReplayCommand.profile] ?? .balanced
    if paths.isEmpty {
      if session.arguments[ReplayCommand.profile] == nil, let run = filter.run, run > 0 {
        content.profile = try journal.run(run).flatMap { Profile(rawValue: $0.settings.profile) } ?? .balanced
      }
      try journal.crossings(filter) { page in
        // Another hand may have written places that are none.
        content.crossings += page.filter { $0.crossing.coordinate.isValid }.map {
          MapContent.Mark($0.crossing)
        }
      }
      if try filter.run == nil || filter.run == journal.liveRun() { try collectPositions(into: &content) }
    } else {
      guard try evaluate(regions, into: &content) else { return nil }
      if regions.isEmpty {
        session.warn("There is no such region to cross: the picture shows the track alone.")
      }
    }
    content.title = title ?? heading(of: content)
    return content
  }

  private func heading(of content: MapContent) -> String {
    if !paths.isEmpty { return content.source == "standard input" ? "Standard input" : content.source }
    guard !content.crossings.isEmpty else { return content.tracks.isEmpty ? "Regions" : "Stored positions" }
    return filter.run.map { "Crossings of run \($0)" } ?? "Crossings"
  }

  /// Files without their folders, the first of many.
  private static func names(of files: [String]) -> String {
    let names = files.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return names.count <= 3
      ? names.joined(separator: ", ") : "\(names[0]), \(names[1]) and \(names.count - 2) more"
  }

  /// Why there is no picture.
  var nothingToShow: String {
    if !paths.isEmpty {
      return
        "There is nothing to draw: no fix of these logs counts, or none is in the time and of the device asked for."
    }
    return
      "There is nothing to draw: no such region and no such crossing. Add a region with 'fenceline region add', or name a log."
  }

  /// Takes the stored way of the live run.
  private func collectPositions(into content: inout MapContent) throws {
    var collector = TrackCollector()
    var last: Fix?
    try journal.positions(device: filter.device, since: filter.since, until: filter.until) { page in
      for fix in page {
        let isCut = last?.device == fix.device && last?.track != fix.track
        collector.add(fix.device, fix.time, fix.coordinate, isCut: isCut, isAnew: false)
        last = fix
      }
      content.fixes += page.count
    }
    content.tracks = collector.finish()
  }

  /// Evaluates the logs.
  ///
  /// - Returns: Whether any could be read.
  private func evaluate(_ regions: [StoredRegion], into content: inout MapContent) throws -> Bool {
    let arguments = session.arguments
    // --device picks devices here; each fix keeps its own.
    var log = LogOptions(device: nil, startDate: arguments[FixesCommand.date])
    log.now = LocalTime.now
    let request = Replay.Request(
      paths: paths, log: log, profile: content.profile, filter: session.filterSettings, numbersSteps: false)
    let progress = Progress("fixes", session)
    defer { progress.clear() }
    let device = filter.device.map(Glob.init)
    let (since, until) = (filter.since ?? .earliest, filter.until ?? .latest)
    func isWanted(_ name: String, _ time: Timestamp) -> Bool {
      time >= since && time < until && device?.matches(name) ?? true
    }
    var collector = TrackCollector()
    var crossings: [MapContent.Mark] = []
    var count = 0
    let replay = try Replay(
      request, regions: regions, journal: nil, progress: { progress.show($0, $1) },
      accepted: { fix, start in
        guard isWanted(fix.device, fix.time) else { return }
        count += 1
        collector.add(
          fix.device, fix.time, fix.coordinate, isCut: start == .newTrack, isAnew: start == .newSession)
      }
    ) { step in
      for case .crossing(let crossing) in step.outcomes where isWanted(crossing.device, crossing.at) {
        crossings.append(MapContent.Mark(crossing))
      }
    }
    let report = try replay.evaluate()
    progress.clear()
    session.tellProblems(report)
    guard report.unread.count < paths.count else {
      status = report.unread.first?.status ?? Status.unreadable
      return false
    }
    if !report.unread.isEmpty || !report.damaged.isEmpty { status = Status.partial }
    guard count + crossings.count > 0 else { throw Failure(Status.unreadable, nothingToShow) }
    content.tracks = collector.finish()
    content.fixes = count
    content.source = MapDrawer.names(of: report.sources)
    content.crossings = crossings
    return true
  }
}
