extension ChannelKind {
  /// Runs a program for each event.
  package static let command = ChannelKind(
    "command", "Run a program for each event, which gets it as JSON on standard input.", audience: .machines,
    targets: [
      ChannelOption(
        "program", .words("PROGRAM"),
        "The program and its arguments, which no shell reads. Exit status 0 means that it has done its work, 65 that it does "
          + "not want this event, which is given up after three of these; after any other, a signal or the end of its time it runs again later."
      )
    ],
    options: [
      ChannelOption(
        "timeout", .duration, "How long it may run; then its whole process group is ended. 30s where unset."),
      ChannelOption(
        "grace", .duration, "How long it has to end by itself before it is killed. 2s where unset."),
    ],
    threads: (usual: 2, most: 16),
    examples: [
      (
        "fenceline channel add command gate -- /usr/local/bin/open-gate --slowly",
        "Run a program for each crossing."
      ),
      ("fenceline channel add command log --timeout 5s -- logger -t fenceline", "Hand each event to syslog."),
    ],
    make: { setup, _ throws(ChannelError) in
      let words = setup[all: "program"]
      guard let program = words.first, !program.isEmpty else {
        throw ChannelError("Channel '\(setup.name)' has no program. Name one, with its arguments.")
      }
      guard !words.contains(where: { $0.utf8.contains(0) }) else {
        throw ChannelError("A word of the program '\(program)' holds a zero byte. Leave that out.")
      }
      return CommandCarrier(
        words: words, channel: setup.name, timeLimit: try setup.seconds("timeout", in: 0.001...86_400) ?? 30,
        grace: try setup.seconds("grace", in: 0...3600) ?? 2)
    })
}

extension ChannelSetup {
  /// A duration within bounds.
  ///
  /// - Parameters:
  ///   - name: The option's name.
  ///   - bounds: The seconds that are taken.
  /// - Returns: Seconds; nil where it is not set.
  /// - Throws: ``ChannelError`` where it is none of those.
  func seconds(_ name: String, in bounds: ClosedRange<Double>) throws(ChannelError) -> Double? {
    guard let value = self[name] else { return nil }
    guard let seconds = number(name), bounds.contains(seconds) else {
      throw ChannelError(
        "'\(value)' is no time for --\(name) of channel '\(self.name)'. Give \(bounds.lowerBound) to \(bounds.upperBound) seconds."
      )
    }
    return seconds
  }
}
