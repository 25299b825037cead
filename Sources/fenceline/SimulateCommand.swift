import FencelineCommandLineKit
import FencelineGeodesy
import FencelineRegionFiles
import FencelineService
import FencelineSimulation
import FencelineCivilTime

/// `fenceline simulate`: a receiver for whoever has none at hand.
enum SimulateCommand {
  private static let file = Positional<String>(
    "FILE", value: .file,
    help: "A GPX file, along whose tracks, else routes, the receiver rides; - is standard input.",
    required: false)
  private static let from = Option<Coordinate>(
    "from", value: .coordinate, valueName: "LAT,LON", help: "Where the way begins, without a file.",
    group: "Way")
  private static let via = Option<Coordinate>(
    "via", value: .coordinate, valueName: "LAT,LON", help: "A place on the way, in order.", repeatable: true,
    group: "Way")
  private static let to = Option<Coordinate>(
    "to", value: .coordinate, valueName: "LAT,LON", help: "Where it ends.",
    defaultText: "the receiver stays where it is; say how long with --for", group: "Way")
  private static let speed = Option<Double>(
    "speed", value: .speed, help: "How fast the vehicle goes: 50km/h, 14m/s, 30mph, 8kn.",
    defaultText: "50km/h; a track with times keeps its own", group: "Way")
  private static let loop = Flag(
    "loop", help: "Go back to the start and begin again, without end.", group: "Way")
  private static let duration = Option<Double>(
    "for", value: .duration, help: "How long all of it takes.", defaultText: "until the vehicle arrives",
    group: "Way")
  private static let stay = Option<SimulatedReceiver.Span>(
    "stay", value: .span, help: "Stand still: 5m:10m stands ten minutes after five minutes.",
    repeatable: true,
    group: "Way")

  private static let rate = Option<Double>(
    "rate", value: .number(in: 0.001...10, name: "HZ"), help: "Epochs a second.", defaultText: "1",
    group: "Receiver")
  private static let noise = Option<Double>(
    "noise", value: .length,
    help: "The radius that holds the error with 68 %; it wanders over a minute or so.",
    defaultText: "3m", group: "Receiver")
  private static let seed = Option<Int>(
    "seed", value: .integer(in: 0...Int.max),
    help: "What chance comes from: the same seed and --start give the same bytes.",
    defaultText: "1", group: "Receiver")
  private static let outage = Option<SimulatedReceiver.Span>(
    "outage", value: .span, help: "Send sentences without a fix, as in a tunnel.", repeatable: true,
    group: "Receiver")
  private static let silence = Option<SimulatedReceiver.Span>(
    "silence", value: .span, help: "Send nothing, as with the plug out.", repeatable: true, group: "Receiver")
  private static let jump = Option<SimulatedReceiver.Jump>(
    "jump", value: .jump, help: "Be wrong by so many metres, for one epoch or so long: 90s:800m:5s.",
    repeatable: true,
    group: "Receiver")
  private static let cold = Option<Int>(
    "cold", value: .integer(in: 0...1_000_000_000),
    help: "So many epochs go by before the receiver knows the day.",
    defaultText: "0", group: "Receiver")
  private static let start = Option<Timestamp>(
    "start", value: .time, help: "The receiver's time at the start.", defaultText: "now", group: "Receiver")
  private static let sentences = Option<[NMEAWriter.Sentence]>(
    "sentences", value: ValueType<NMEAWriter.Sentence>.choice(name: "NAME").list(),
    help: "What it sends in each epoch, in this order.", defaultText: "rmc,gga,gsa,gst", group: "Receiver")

  private static let output = Option<String>(
    "output", short: "o", value: .file, help: "Write to this file.", defaultText: "standard output")
  private static let pty = Flag(
    "pty", help: "Be a serial device, a pseudo-terminal that gpsd can open, and print its path.")
  private static let link = Option<String>(
    "link", value: .file, valueName: "PATH",
    help: "Let a symbolic link of this name lead to the device; implies --pty.")
  private static let speedup = Option<Double>(
    "speedup", value: .number(in: 0.001...1_000_000, name: "FACTOR"),
    help: "How much faster than time itself; 1 is as a receiver sends.",
    defaultText: "1 for a device, else as fast as it is taken")

  static let simulate = Command(
    "simulate", "Send what a receiver on a drive would.",
    discussion: """
      The receiver rides along a GPX file or from place to place and sends NMEA 0183. Its errors are like real ones: they point in about \
      the same direction for a minute, and the accuracy that it claims (never better than 1 m) fits them, but for jumps, which it does \
      not notice. Times in AT:FOR count from the start. A receiver on a device sends until the vehicle arrives or Ctrl-C is pressed; gpsd \
      may come and go meanwhile. gpsd 3.22 takes dates before 2017 for later ones.
      """,
    examples: [
      .init(
        "fenceline simulate --from 47.37,8.54 --to 47.45,8.56 | fenceline replay -",
        "Evaluate a drive that never was."),
      .init(
        "fenceline simulate walk.gpx --noise 8m --outage 2m:30s -o walk.nmea",
        "Walk a track again, in a street."),
      .init(
        "fenceline simulate --from 47.38,8.54 --to 47.39,8.56 --loop --link /tmp/gps",
        "Be a receiver; 'gpsd -N -b /tmp/gps' reads it."),
    ],
    positionals: [file],
    options: [
      output, pty, link, speedup, from, via, to, speed, loop, duration, stay, rate, noise, seed, outage,
      silence, jump, cold,
      start, sentences,
    ],
    run: Session.running { session in
      var receiver = SimulatedReceiver(on: try journey(session), try settings(session))
      let writer = NMEAWriter(session.arguments[sentences] ?? NMEAWriter.usual)
      if session.arguments[pty] || session.arguments[link] != nil {
        return try serve(&receiver, writer, session)
      }
      return try write(&receiver, writer, session)
    })

  /// The way that is asked for.
  private static func journey(_ session: Session) throws -> Journey {
    let arguments = session.arguments
    let (isLoop, speed) = (arguments[loop], arguments[speed])
    let usual = 50 / 3.6
    if let path = arguments[ifGiven: file] {
      if arguments[from] != nil || arguments[to] != nil || !arguments[all: via].isEmpty {
        throw UsageError(
          "A way is a file or goes from place to place: leave out the file or --from, --via and --to.")
      }
      let way = try GPXWay(path: path)
      guard way.isTimed, speed == nil else {
        return Journey(way.stops, speed: speed ?? usual, isLoop: isLoop)
      }
      return Journey(way.stops, isLoop: isLoop)
    }
    guard let first = arguments[from] else {
      throw UsageError("There is no way to go: name a GPX file, or places with --from and --to.")
    }
    let places = [first] + arguments[all: via] + (arguments[to].map { [$0] } ?? [])
    if places.count == 1, arguments[duration] == nil {
      throw UsageError(
        "There is nowhere to go: name a place with --to, or say with --for how long the receiver stays.")
    }
    return Journey(places.map { Journey.Stop($0) }, speed: speed ?? usual, isLoop: isLoop)
  }

  /// What the receiver is like.
  private static func settings(_ session: Session) throws -> SimulatedReceiver.Settings {
    let arguments = session.arguments
    // A receiver's seconds are whole ones.
    let now = LocalTime.now
    var settings = SimulatedReceiver.Settings(
      start: arguments[start] ?? Timestamp(milliseconds: now.milliseconds - now.split(by: 1000).rest))
    if let rate = arguments[rate] { settings.rate = rate }
    if let noise = arguments[noise] {
      guard noise <= 100_000 else { throw UsageError("A noise of more than 100 km is none of a receiver's.") }
      settings.noise = noise
    }
    if let seed = arguments[seed] { settings.seed = UInt64(seed) }
    settings.undated = arguments[cold] ?? 0
    settings.outages = arguments[all: outage]
    settings.silences = arguments[all: silence]
    settings.stays = arguments[all: stay]
    settings.duration = arguments[duration]
    settings.jumps = arguments[all: jump].map { jump in
      var jump = jump
      if jump.span.length == 0 {
        jump.span = .init(at: Double(jump.span.start) / 1000, for: 1 / settings.rate)
      }
      return jump
    }
    return settings
  }

  /// Writes to a file or to standard output.
  private static func write(
    _ receiver: inout SimulatedReceiver, _ writer: NMEAWriter, _ session: Session
  ) throws -> Int32 {
    let pacer = session.arguments[speedup].map(Pacer.init(speedup:))
    guard let path = session.arguments[output], path != "-" else {
      while let epoch = receiver.next() {
        if let pacer, !pacer.wait(until: Double(epoch.elapsed) / 1000) { break }
        try session.output.write(writer.text(epoch))
        if pacer != nil { try session.output.flush() }
      }
      return Status.done
    }
    if pacer != nil {
      throw UsageError("A file is written at once: leave out --speedup, or write to standard output.")
    }
    guard receiver.end != nil else {
      throw UsageError("A loop without end fits into no file: say with --for how long it goes on.")
    }
    var count = 0
    try RegionFile.write(to: path) { write in
      while let epoch = receiver.next() {
        write(writer.text(epoch))
        count += 1
      }
    }
    session.note("\(counted(count, "epoch")) written to '\(printable(path))'")
    return Status.done
  }

  /// Is a device until the end or a signal.
  private static func serve(
    _ receiver: inout SimulatedReceiver, _ writer: NMEAWriter, _ session: Session
  ) throws -> Int32 {
    if session.arguments[output] != nil {
      throw UsageError("A receiver is a device or writes a file: leave out --output, or --pty and --link.")
    }
    let terminal: PseudoTerminal
    do throws(PseudoTerminal.Failure) { terminal = try PseudoTerminal(link: session.arguments[link]) } catch {
      throw Failure(Status.cannotCreate, error.message)
    }
    let pacer = Pacer(speedup: session.arguments[speedup] ?? 1)
    try session.output.writeLine(session.arguments[link] ?? terminal.path)
    try session.output.flush()
    var last = 0.0
    while let epoch = receiver.next() {
      last = Double(epoch.elapsed) / 1000
      guard pacer.wait(until: last) else { return Status.done }
      terminal.send(writer.text(epoch))
    }
    // What a reader has not taken is lost with the device.
    _ = pacer.wait(until: last + 1)
    return Status.done
  }
}
