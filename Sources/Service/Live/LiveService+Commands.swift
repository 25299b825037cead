internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineSystemdLink

/// Programs that run for what people answer.
extension LiveService {
  /// Starts what is to be run and does not run yet, and records what has ended.
  ///
  /// What has not been recorded as ended when the service goes is run again by the next one.
  func runCommands() {
    let centre = NotificationCentre(journal, configuration.centre)
    do {
      for (response, outcome) in endedCommands {
        try centre.endCommand(of: response, outcome)
        endedCommands[response] = nil
        runningCommands.remove(response)
      }
      for command in try centre.commands() where runningCommands.insert(command.response.number).inserted {
        let number = command.response.number
        commands.run(Self.request(command)) { [mailbox] outcome in
          mailbox.post(.commandEnded(number, outcome.words))
        }
      }
    } catch {
      // It is tried again in a second; the journal's trouble is told where fixes meet it.
    }
  }

  /// Takes notice that a program has ended.
  func commandEnded(_ response: Int64, _ outcome: String) {
    endedCommands[response] = outcome
    let isDone = outcome == "done"
    log.write(
      isDone ? .info : .warning,
      "The program for the answer \(response) has ended: \(outcome)\(outcome.hasSuffix(".") ? "" : ".")")
    runCommands()
  }

  private static func request(_ command: ResponseCommand) -> CommandRequest {
    let response = command.response
    var environment = [
      "FENCELINE_APP": response.app, "FENCELINE_REQUEST": response.request,
      "FENCELINE_ACTION": response.action,
      "FENCELINE_RESPONSE": String(response.number),
    ]
    if let text = response.text, !text.utf8.contains(0) { environment["FENCELINE_TEXT"] = text }
    let input = JSONValue.response(response).line + "\n"
    return CommandRequest(words: command.command, input: Array(input.utf8), environment: environment)
  }
}

extension CommandOutcome {
  /// What has become of the program, in words.
  fileprivate var words: String {
    switch status {
    case .exited(let code): code == 0 ? "done" : "exit status \(code)"
    case .signalled(let number): "signal \(number)"
    case .timedOut: "timed out"
    case .notStarted(let reason): reason
    }
  }
}
