internal import Glibc

/// How one channel is set up.
package struct ChannelSetup: Hashable, Sendable {
  /// What the user calls it.
  package var name: String
  /// The values of its options, by their names. A flag that is set has the value `true`; numbers and seconds are decimal digits.
  package var values: [String: [String]]
  /// Random digits that belong to the channel, never told to anybody: to recognise what it has made itself.
  package var seal: String

  /// A set-up.
  package init(name: String, values: [String: [String]], seal: String = "") {
    self.name = name
    self.values = values
    self.seal = seal
  }

  /// The value of an option; nil where it is not set.
  package subscript(name: String) -> String? { values[name]?.first }
  /// All values of an option.
  package subscript(all name: String) -> [String] { values[name] ?? [] }
  /// Whether a flag is set.
  package func isSet(_ name: String) -> Bool { values[name] != nil }
  /// The value of an option as a number.
  package func number(_ name: String) -> Double? { self[name].flatMap(Double.init) }

  /// The longest secret, in bytes.
  private static let mostSecret = 65_536

  /// Reads a secret from where ``ChannelOption/secret(_:_:)`` says; anew each time, so that it can be changed.
  ///
  /// - Parameters:
  ///   - name: Such as `password`.
  ///   - context: The environment.
  /// - Returns: The secret without the end of its line; nil where none is set up.
  /// - Throws: ``ChannelError`` where it is set up and cannot be had.
  package func secret(_ name: String, _ context: ChannelContext) throws(ChannelError) -> String? {
    if let variable = self["\(name)-env"] {
      guard let value = context.environment(variable), !value.isEmpty else {
        throw ChannelError(
          "The environment variable '\(variable)' of channel '\(self.name)' is not set. Set it for the service."
        )
      }
      return value
    }
    guard let path = self["\(name)-file"] else { return nil }
    let text = try ChannelSetup.read(path, for: self.name)
    guard let line = text.split(whereSeparator: \.isNewline).first else {
      throw ChannelError("The file '\(path)' of channel '\(self.name)' is empty. Write the secret into it.")
    }
    return String(line)
  }

  /// The text of a small file that a channel is set up with.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - channel: The channel's name.
  /// - Returns: The text.
  /// - Throws: ``ChannelError``.
  package static func read(_ path: String, for channel: String) throws(ChannelError) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
      throw ChannelError(
        "Cannot read '\(path)' for channel '\(channel)': \(reason.lowercased()). The service must be allowed to read it."
      )
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mostSecret)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      throw ChannelError("Cannot read '\(path)' for channel '\(channel)'. Name a file.")
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

/// What carriers need of the program that they are part of.
package struct ChannelContext: Sendable {
  /// What somebody has done with a notification.
  package struct Answer: Hashable, Sendable {
    /// Its number.
    package var notification: Int64
    /// The action: one of its category, `default`, or `dismiss`.
    package var action: String
    /// What was written; nil where nothing was.
    package var text: String?

    /// An answer.
    package init(notification: Int64, action: String, text: String? = nil) {
      self.notification = notification
      self.action = action
      self.text = text
    }
  }

  /// The program's version.
  package var version: String
  /// The journal that channels are in, by its path; nil where there is none.
  package var journal: String?
  /// Looks a variable of the environment up.
  package var environment: @Sendable (String) -> String?
  /// Takes what somebody has done; on any thread, without waiting.
  package var answered: @Sendable (Answer) -> Void
  /// How everything stands; nil where that cannot be had now. It takes a moment: not to be asked for each parcel.
  package var state: @Sendable () -> LiveState?
  /// Takes a sentence for the log, without texts and positions.
  package var warn: @Sendable (String) -> Void

  /// What carriers need; what is left out they do without.
  package init(
    version: String, journal: String? = nil,
    environment: @escaping @Sendable (String) -> String? = { _ in nil },
    answered: @escaping @Sendable (Answer) -> Void = { _ in },
    state: @escaping @Sendable () -> LiveState? = { nil },
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.version = version
    self.journal = journal
    self.environment = environment
    self.answered = answered
    self.state = state
    self.warn = warn
  }
}

/// What is wrong with a channel's set-up.
package struct ChannelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence: what, with which value, what to do.
  package var message: String

  /// Something is wrong.
  package init(_ message: String) { self.message = message }

  /// The message.
  package var description: String { message }
}
