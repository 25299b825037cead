import FencelineCommandLineKit
import FencelineJSONText

/// `fenceline status`: what the service is doing now.
enum StatusCommand {
  /// How the status is printed.
  private enum Format: String, Sendable, CaseIterable { case screen, json, prometheus }

  private static let format = Option<Format>(
    "format", value: .choice(name: "FORMAT"),
    help: "How to print; prometheus is text for its node exporter, without positions.", defaultText: "screen")

  static let status = Command(
    "status", "Say what the service is doing now.",
    discussion: """
      Problems first; then for each device its fix, the regions it is inside and the nearest perimeters; then counts and queues.
      """,
    examples: [
      .init("fenceline status", "Look at the service."),
      .init(
        "fenceline status --format prometheus > fenceline.prom",
        "Hand its figures to a collector of text files."),
    ],
    options: [format],
    run: Session.running { session in
      let status = try ServiceCall(session).status()
      switch session.isJSON ? .json : session.arguments[format] ?? .screen {
      case .json: try session.output.writeLine(JSONValue(status).line)
      case .prometheus: try session.output.write(StatusMetrics.text(status))
      case .screen:
        let screen = session.terminal.output
        for line in StatusScreen(style: screen.style).lines(status) {
          try session.output.writeLine(screen.isTerminal ? line.fitted(to: screen.width) : line.whole)
        }
      }
      return Status.done
    })
}

extension JSONValue {
  /// What was read, to be written again.
  init(_ node: JSONNode) {
    self =
      switch node.content {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .number(let value): .number(value)
      case .text(let value): .text(value)
      case .array(let values): .array(values.map { JSONValue($0) })
      case .object(let members): .object(members.map { Member($0.name, JSONValue($0.value)) })
      }
  }
}
