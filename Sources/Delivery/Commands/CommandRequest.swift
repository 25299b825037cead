/// A program to run for an event.
package struct CommandRequest: Hashable, Sendable {
  /// The program, which is looked for on the `PATH` where it has no slash, and its arguments. No shell reads them.
  package var words: [String]
  /// What it gets on its standard input.
  package var input: [UInt8]
  /// Variables beside those of this process; one of the same name is replaced.
  package var environment: [String: String]
  /// How long it may run, in milliseconds. Then its process group is asked to end.
  package var timeLimit: Int
  /// How many milliseconds its process group has to end by itself before it is killed.
  package var grace: Int

  /// A program to run.
  package init(
    words: [String], input: [UInt8] = [], environment: [String: String] = [:], timeLimit: Int = 30_000,
    grace: Int = 2000
  ) {
    self.words = words
    self.input = input
    self.environment = environment
    self.timeLimit = timeLimit
    self.grace = grace
  }

  /// Why it cannot be handed to the system as it is; nil where it can.
  var trouble: String? {
    guard let program = words.first, !program.isEmpty else {
      return "Cannot start a command without words. Give it a program."
    }
    for word in words where word.utf8.contains(0) {
      return "Cannot start '\(program)': an argument holds a zero byte. Leave that out."
    }
    for (name, value) in environment
    where name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) || (name + value).utf8.contains(0) {
      return "Cannot start '\(program)': '\(name)' is no variable of an environment. Name it otherwise."
    }
    return nil
  }
}
