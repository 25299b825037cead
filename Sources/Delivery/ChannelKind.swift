/// A kind of channel: what it is set up with, and what carries for it.
package struct ChannelKind: Sendable {
  /// What a channel is usually there for.
  package enum Audience: Sendable {
    /// People: they get notifications.
    case people
    /// Machines: they get crossings.
    case machines
  }

  /// Its name: `webhook`.
  package let name: String
  /// What it does, in a line: `POST events to a URL.`
  package let summary: String
  /// Whom it is for.
  package let audience: Audience
  /// What it cannot do without, in the order in which it is typed: the URL, the program.
  package let targets: [ChannelOption]
  /// What else can be said about it.
  package let options: [ChannelOption]
  /// How many threads carry at once: those that are used where the user says nothing, and at most.
  package let threads: (usual: Int, most: Int)
  /// Command lines with what they do, for its help.
  package let examples: [(line: String, effect: String)]
  /// Makes what carries. Whatever is wrong with the options is said here, without reaching for the peer.
  package let make: @Sendable (ChannelSetup, ChannelContext) throws(ChannelError) -> any Carrier

  /// A kind of channel.
  package init(
    _ name: String, _ summary: String, audience: Audience, targets: [ChannelOption] = [],
    options: [ChannelOption] = [], threads: (usual: Int, most: Int) = (1, 1),
    examples: [(line: String, effect: String)] = [],
    make: @escaping @Sendable (ChannelSetup, ChannelContext) throws(ChannelError) -> any Carrier
  ) {
    self.name = name
    self.summary = summary
    self.audience = audience
    self.targets = targets
    self.options = options
    self.threads = threads
    self.examples = examples
    self.make = make
  }

  /// Everything that it is set up with.
  package var parameters: [ChannelOption] { targets + options }
}

/// Something that a channel is set up with.
package struct ChannelOption: Sendable {
  /// What its value is, for help and completion.
  package enum Value: Hashable, Sendable {
    /// Nothing: it is there or not.
    case flag
    /// Any text, by what help calls it: `URL`.
    case text(String)
    /// The path of a file.
    case file
    /// Several words, a program and its arguments: in help `PROGRAM`, in the options a value for each word.
    case words(String)
    /// One of these.
    case choice([String])
    /// A duration as people write it; the value is seconds.
    case duration
    /// A whole number within bounds.
    case number(ClosedRange<Int>)
  }

  /// Its name without dashes: `header`.
  package let name: String
  /// What its value is.
  package let value: Value
  /// What it is for, a sentence.
  package let help: String
  /// Whether it can be given several times.
  package let isRepeatable: Bool
  /// Whether a target can be left out, as where a file holds it; other options can always be.
  package let isOptional: Bool

  /// An option.
  package init(
    _ name: String, _ value: Value, _ help: String, repeatable: Bool = false, optional: Bool = false
  ) {
    self.name = name
    self.value = value
    self.help = help
    isRepeatable = repeatable
    isOptional = optional
  }

  /// The pair of options that name where a secret is: `NAME-file` and `NAME-env`. ``ChannelSetup/secret(_:_:)`` reads it.
  ///
  /// - Parameters:
  ///   - name: Such as `password`.
  ///   - what: What it is, for help: `the password`.
  /// - Returns: Both options.
  package static func secret(_ name: String, _ what: String) -> [ChannelOption] {
    [
      ChannelOption("\(name)-file", .file, "A file whose first line is \(what)."),
      ChannelOption(
        "\(name)-env", .text("VARIABLE"), "The service's environment variable that holds \(what)."),
    ]
  }
}
