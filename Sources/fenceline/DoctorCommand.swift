import FencelineCivilTime
import FencelineCommandLineKit
import FencelineDiagnosis
import FencelineEventJournal
import FencelineHTTPCalling
import FencelineJSONText
import FencelineLiveSources
import FencelineService

/// `fenceline doctor`: what is wrong with this set-up, and how to mend it.
enum DoctorCommand {
  private static let gpsd = Option<GPSDCheck>(
    "gpsd", value: .gpsdAddress, help: "The gpsd to look at.",
    defaultText: "those of the service, else localhost:2947")

  static let doctor = Command(
    "doctor", "Look for what is wrong, and say how to mend it.",
    discussion: """
      It looks at gpsd and its receivers, serial ports, the clock, the database and its disk, the session bus, channels, systemd and \
      the service itself, changes nothing and sends nothing. The exit status is 69 where there is a problem, 0 where there are warnings at most.
      """,
    examples: [
      .init("fenceline doctor", "Check everything."),
      .init("fenceline doctor --gpsd boat.local", "Check the gpsd of another machine."),
    ],
    options: [gpsd],
    run: Session.running { session in
      let service = try ServiceCall(session)
      let (status, answer) = try ask(service)
      var findings: [Finding] = []
      func report(_ more: [Finding]) throws {
        for finding in more { try session.output.write(text(finding, session)) }
        // Some checks take seconds.
        try session.output.flush()
        findings += more
      }
      let sources = sources(status, service.database)
      for gpsd in checks(session.arguments[gpsd], sources) { try report(gpsd.findings()) }
      if sources.isEmpty { try report(channelSources(service.database)) }
      try report(SystemCheck.serialPorts())
      try report([SystemCheck.clock()])
      try report(DatabaseCheck.findings(service.database))
      try report([SystemCheck.sessionBus()])
      try report(ChannelCheck.findings(service.database, at: LocalTime.now))
      try report(SystemCheck.unit())
      // What a channel lacks the service says too.
      try report(answer.filter { !findings.map(\.text).contains($0.text) })
      let (problems, warnings) = (count(.problem, findings), count(.warning, findings))
      session.note("\(counted(problems, "problem")), \(counted(warnings, "warning"))")
      return problems > 0 ? Status.unavailable : Status.done
    })

  private static func count(_ verdict: Finding.Verdict, _ findings: [Finding]) -> Int {
    findings.count { $0.verdict == verdict }
  }

  /// The names of the sources that the service follows, or is set to; those that are channels left out.
  private static func sources(_ status: JSONNode?, _ database: String) -> [String] {
    if let sources = status?["sources"]?.elements {
      return sources.compactMap { $0.text("name") }.filter { !$0.hasPrefix("owntracks ") }
    }
    let stored = (try? Journal(path: database, .read).settings()) ?? [:]
    let settings = Configuration.resolve(stored: stored, environment: System.environment).configuration
    return settings.sources.map { text in
      guard case .gpsd(let address)? = try? SourceAddress(parsing: text) else { return text }
      return address.host.contains(":")
        ? "gpsd [\(address.host)]:\(address.port)" : "gpsd \(address.host):\(address.port)"
    }
  }

  /// Whether some channel gives positions where nothing else does.
  private static func channelSources(_ database: String) -> [Finding] {
    guard let channels = try? Journal(path: database, .read).channels() else { return [] }
    let origin = PositionOrigin(hasSources: false, channels)
    guard let sentence = origin.sentence else { return [] }
    guard origin == .nowhere else { return [Finding("source", .ok, sentence)] }
    return [
      Finding(
        "source", .problem, sentence,
        advice: "fenceline settings unset sources, or: fenceline channel add mqtt --help")
    ]
  }

  /// The gpsds to look at: the one that was named, else those among the sources.
  private static func checks(_ named: GPSDCheck?, _ sources: [String]) -> [GPSDCheck] {
    if let named { return [named] }
    return sources.compactMap { $0.hasPrefix("gpsd ") ? GPSDCheck(address: String($0.dropFirst(5))) : nil }
  }

  /// What the service says, and what that means.
  private static func ask(_ service: ServiceCall) throws -> (status: JSONNode?, findings: [Finding]) {
    do {
      let status = try service.ask()
      let process = status.integer("process").map { " as process \($0)" } ?? ""
      let problems = status.list("problems").compactMap(\.text)
      return (
        status,
        [Finding("service", .ok, "The service runs\(process).")]
          + problems.map { Finding("service", .problem, $0) }
      )
    } catch let error as LocalClientError {
      // That it is not running is no fault for whoever replays logs.
      let verdict: Finding.Verdict = error.code == .nobodyListens ? .warning : .problem
      return (nil, [Finding("service", verdict, service.failure(error).message)])
    } catch let failure as Failure {
      return (nil, [Finding("service", .problem, failure.message)])
    }
  }

  private static func text(_ finding: Finding, _ session: Session) -> String {
    if session.isJSON {
      let line: JSONValue = [
        "subject": .text(finding.subject), "verdict": .text(finding.verdict.rawValue),
        "text": .text(finding.text),
        "advice": finding.advice.map(JSONValue.text) ?? .null,
      ]
      return line.line + "\n"
    }
    let style = session.terminal.output.style
    let tint: Style.Tint =
      switch finding.verdict {
      case .ok: .green
      case .warning: .yellow
      case .problem: .red
      }
    let verdict = finding.verdict.rawValue
    let space = String(repeating: " ", count: 9 - verdict.count)
    let advice = finding.advice.map { "\n           \(style.bold("→")) \(printable($0))" } ?? ""
    return style.apply(tint, to: verdict) + space + finding.subject.padded(to: 10) + printable(finding.text)
      + advice + "\n"
  }
}

extension ValueType where Value == GPSDCheck {
  static var gpsdAddress: Self {
    .init(name: "HOST:PORT", hint: .text) { text throws(ValueError) in
      guard let check = GPSDCheck(address: text) else {
        throw ValueError("an address reads like localhost, 192.168.1.5:2947 or [::1]:2947")
      }
      return check
    }
  }
}
