import FencelineCommandLineKit
import FencelineHTTPServing
import FencelineLiveSources
import FencelineService
import FencelineSystemdLink

/// `fenceline serve`: the service.
enum ServeCommand {
  private static let gpsd = Option<String>(
    "gpsd", value: .text(name: "HOST:PORT[:DEVICE]", hint: .text),
    help: "The gpsd to follow, or one of its receivers.", defaultText: "localhost:2947")
  private static let source = Option<String>(
    "source", value: .text(name: "SOURCE", hint: .text),
    help: """
      What to follow instead: gpsd://HOST:PORT, serial:///dev/ttyUSB0?baud=9600, tcp://HOST:PORT, udp://:PORT, or - for \
      NMEA on standard input. May be given more than once. 'none' where positions come by channels with --receive alone.
      """, repeatable: true)
  private static let device = Option<String>(
    "device", value: .text(name: "NAME", hint: .device), help: "What to call a receiver that has no name.",
    defaultText: "default")

  static let serve = Command(
    "serve", "Follow receivers and journal their crossings until told to end.",
    discussion: """
      Entries, exits and dwells are decided as fixes come, recorded as the live run, and told to 'fenceline watch'. Regions and \
      settings that are changed meanwhile take effect within a second. One service has a database at a time.
      What it is told here holds for this time; 'fenceline settings' keeps it.
      """,
    examples: [
      .init("fenceline serve", "Follow the receivers of the gpsd on this machine."),
      .init("fenceline serve --source serial:///dev/ttyUSB0?baud=9600", "Follow a receiver without gpsd."),
      .init("gpspipe -r | fenceline serve --source -", "Follow sentences on standard input."),
    ],
    options: [gpsd, source, device],
    run: Session.running(run))

  private static func run(_ session: Session) throws -> Int32 {
    let arguments = session.arguments
    var flags: [String: String] = [:]
    let sources = (arguments[gpsd].map { [$0] } ?? []) + arguments[all: source]
    if !sources.isEmpty { flags["sources"] = sources.joined(separator: ",") }
    if let name = arguments[device] { flags["device"] = name }
    let (path, makesFolder) = try session.serviceDatabase()
    do throws(ConfigurationError) { _ = try Configuration(stored: [:], flags: flags) } catch {
      throw UsageError(error.message)
    }
    do {
      let service = try LiveService(
        path: path, makesFolder: makesFolder, version: Fenceline.version, environment: System.environment,
        flags: flags,
        log: ServiceLog(finest: arguments[Common.quiet] ? .warning : .info))
      return try service.run() ? Status.done : Status.inputOutput
    } catch let error as LiveSourceError {
      throw Failure(error.code == .address ? Status.usage : Status.bug, error.message)
    } catch let error as ConfigurationError {
      throw Failure(Status.settings, error.message)
    } catch let error as HTTPServerError {
      throw Failure(Status.cannotCreate, error.message)
    }
  }
}
