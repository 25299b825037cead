internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelineLiveSources
internal import FencelinePositioning

extension Configuration {
  /// A key, and how its value is read.
  package struct Key: Sendable {
    /// What it is called; of an open one what stands before the dot.
    package let name: String
    /// What stands for its value.
    package let valueName: String
    /// Its value where nobody has set it; empty where there is none.
    package let defaultText: String
    /// What it does, in a sentence or two.
    package let help: String
    /// Whether a name of the user's follows behind a dot.
    package let isOpen: Bool
    private let store: @Sendable (String, String, inout Configuration) -> Reason?

    /// What is wrong with a value: the rest of a sentence.
    fileprivate typealias Reason = String

    fileprivate init(
      _ name: String, _ valueName: String, default text: String, _ help: String, isOpen: Bool = false,
      store: @escaping @Sendable (_ name: String, _ text: String, inout Configuration) -> Reason?
    ) {
      self.name = name
      self.valueName = valueName
      defaultText = text
      self.help = help
      self.isOpen = isOpen
      self.store = store
    }

    /// Whether a name is of this key.
    package func owns(_ name: String) -> Bool {
      isOpen
        ? name.hasPrefix(self.name + ".") && name.utf8.count > self.name.utf8.count + 1 : name == self.name
    }

    /// Puts a value into a configuration.
    ///
    /// - Parameters:
    ///   - name: The key's name, with what the user has added.
    ///   - text: The value.
    ///   - configuration: Where it goes.
    /// - Throws: ``ConfigurationError`` where it is none.
    package func read(
      _ name: String, _ text: String, _ configuration: inout Configuration
    ) throws(ConfigurationError) {
      guard let reason = store(name, text, &configuration) else { return }
      throw ConfigurationError(message: "The value '\(text)' is none for '\(name)': \(reason).")
    }
  }

  /// Every key there is, in the order in which they are listed.
  package static let keys = [
    Key(
      "sources", "ADDRESS,…", default: "gpsd://localhost:2947",
      "Where fixes come from: gpsd://HOST:PORT, one of its receivers gpsd://HOST:PORT/dev/ttyUSB0, serial:///dev/ttyUSB0?baud=9600, "
        + "tcp://HOST:PORT, udp://:PORT, or - for standard input; 'none' where they come by channels alone."
    ) { _, text, configuration in
      guard text != Configuration.noSource else {
        configuration.sources = []
        return nil
      }
      var sources: [(text: String, address: SourceAddress)] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let source = String(part.drop { $0 == " " })
        guard source != Configuration.noSource else { return "'none' stands alone" }
        let address: SourceAddress
        do throws(LiveSourceError) { address = try SourceAddress(parsing: source) } catch {
          // The sentence goes into another one.
          return String(error.message.dropLast()).replacingFirstLetter()
        }
        if let other = sources.first(where: { $0.address.sharesReceiver(with: address) }) {
          return "'\(other.text)' and '\(source)' give the fixes of the same receiver; leave one of them out"
        }
        sources.append((source, address))
      }
      configuration.sources = sources.map(\.text)
      return nil
    },
    Key(
      "gpsd-confidence", "NUMBER", default: "0.95",
      "The probability with which the error radius that gpsd gives holds the true position."
    ) { _, text, configuration in
      guard let number = number(text, in: 0.01...0.99) else { return "a number from 0.01 to 0.99 is needed" }
      configuration.gpsdConfidence = number
      return nil
    },
    Key(
      "silence", "DURATION", default: "10s",
      "How long a receiver may say nothing before its signal counts as lost; one that seldom speaks has three of its usual intervals."
    ) { _, text, configuration in
      guard let seconds = SpanText.seconds(text), (1...86_400).contains(seconds) else {
        return "a duration from 1s to 1d is needed"
      }
      configuration.silence = seconds
      return nil
    },
    Key("device", "NAME", default: "default", "The name of the receiver where there is only one.") {
      _, text, configuration in
      guard !text.isEmpty else { return "a name is needed" }
      configuration.device = text
      return nil
    },
    Key(
      "receiver", "GLOB", default: "",
      "The name of one receiver of several, by its path or that of a link in /dev/serial to it: receiver.van = '*u-blox*'.",
      isOpen: true
    ) { name, text, configuration in
      guard !text.isEmpty else { return "a pattern for paths is needed" }
      configuration.receivers.append(.init(name: String(name.dropFirst("receiver.".count)), pattern: text))
      return nil
    },
    Key("profile", "PROFILE", default: "balanced", "The profile of regions that name none.") {
      _, text, configuration in
      guard let profile = Profile(rawValue: text) else {
        let names = Profile.allCases.map(\.rawValue)
        return "choose \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
      }
      configuration.profile = profile
      return nil
    },
    Key(
      "max-speed", "M/S", default: "150",
      "The fastest that a device is believed to move; half again as fast as the fixes themselves say is believed too."
    ) { _, text, configuration in
      guard let speed = number(text, in: 0.1...100_000) else {
        return "a number from 0.1 to 100000 is needed"
      }
      configuration.filter.maxSpeed = speed
      return nil
    },
    Key(
      "max-accuracy", "METRES", default: "500", "The worst accuracy of a fix that counts, as the 68 % radius."
    ) {
      _, text, configuration in
      guard let metres = number(text, in: 1...1_000_000) else {
        return "a number from 1 to 1000000 is needed"
      }
      configuration.filter.maxAccuracy = metres
      return nil
    },
    Key(
      "track.retention", "DURATION", default: "30d",
      "How long positions are kept; 0 stores none, 'forever' removes none. Crossings and visits stay."
    ) { _, text, configuration in
      if text == "forever" {
        configuration.trackRetention = nil
        return nil
      }
      guard let seconds = SpanText.seconds(text), seconds < 1e10 else {
        return "a duration such as 30d is needed, or 0, or 'forever'"
      }
      configuration.trackRetention = seconds
      return nil
    },
    Key(
      "notifications.pending-limit", "NUMBER", default: "none",
      "How many requests of an app may be pending, or 'none'; 64 is what iOS has."
    ) { _, text, configuration in
      guard text != "none" else { return nil }
      guard let limit = Int(text), (1...1_000_000).contains(limit) else {
        return "a number from 1 to 1000000 is needed, or 'none'"
      }
      configuration.pendingLimit = limit
      return nil
    },
    Key(
      "notifications.eviction", "POLICY", default: "keep-soonest",
      "Which request goes where there are more: keep-soonest takes away the one that is due last, keep-last the oldest; reject refuses the "
        + "new one."
    ) { _, text, configuration in
      guard let policy = CentreSettings.Eviction(rawValue: text) else {
        return "choose keep-soonest, keep-last or reject"
      }
      configuration.eviction = policy
      return nil
    },
    Key(
      "notifications.summary", "TIMES", default: "none",
      "When summaries are shown to apps that have one: 08:00,18:00, or 'none'."
    ) { _, text, configuration in
      guard text != "none" else { return nil }
      var times: Set<Int> = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let time = ISO8601(parsing: "2000-01-01T\(part)Z".utf8), part.utf8.count == 5 else {
          return "times such as 08:00,18:00 are needed, or 'none'"
        }
        times.insert(Int(time.time.milliseconds - CivilDate(time.time).start.milliseconds) / 60_000)
      }
      configuration.summaryTimes = times.sorted()
      return nil
    },
    Key(
      "presentation.deadline", "DURATION", default: "3s",
      "How long an app in the foreground has to say how a notification is shown."
    ) { _, text, configuration in
      guard let seconds = SpanText.seconds(text), (0.1...60).contains(seconds) else {
        return "a duration from 0.1s to 60s is needed"
      }
      configuration.presentationDeadline = seconds
      return nil
    },
    Key(
      "presentation.fallback", "WORD", default: "present",
      "What becomes of one that it says nothing about: present shows it, suppress does not, as on iOS."
    ) { _, text, configuration in
      guard ["present", "suppress"].contains(text) else { return "choose present or suppress" }
      configuration.showsUnanswered = text == "present"
      return nil
    },
    Key(
      "delivery.first-retry", "DURATION", default: "5s",
      "How long after a delivery that has failed the next attempt comes; every further one waits five times as long."
    ) { _, text, configuration in
      guard let seconds = SpanText.seconds(text), (0.01...3600).contains(seconds) else {
        return "a duration from 0.01s to 1h is needed"
      }
      configuration.retry.first = Int64(seconds * 1000)
      return nil
    },
    Key(
      "delivery.longest-retry", "DURATION", default: "15m",
      "How long at most the next attempt waits; a channel that nobody answers on is tried every five minutes."
    ) { _, text, configuration in
      guard let seconds = SpanText.seconds(text), (0.01...86_400).contains(seconds) else {
        return "a duration from 0.01s to 1d is needed"
      }
      configuration.retry.longest = Int64(seconds * 1000)
      return nil
    },
    Key(
      "permission.unattended", "WORD", default: "ask-later",
      "What becomes of an app that asks for permission where nobody can be asked: ask-later lists it in 'fenceline permission', allow "
        + "and deny answer for the user."
    ) { _, text, configuration in
      guard let word = UnattendedPermission(rawValue: text) else { return "choose ask-later, allow or deny" }
      configuration.unattendedPermission = word
      return nil
    },
  ]

  /// The key that a name is of; nil where there is none.
  package static func key(of name: String) -> Key? { keys.first { $0.owns(name) } }

  private static func number(_ text: String, in range: ClosedRange<Double>) -> Double? {
    let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    guard isPlain, let value = Double(text), range.contains(value) else { return nil }
    return value
  }
}

extension String {
  /// The text as it goes on within a sentence.
  fileprivate func replacingFirstLetter() -> String { prefix(1).lowercased() + dropFirst() }
}
