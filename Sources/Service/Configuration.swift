package import FencelineEventJournal
package import FencelineGeofencing
package import FencelinePositioning

/// What the service is told: every value of every key, by default, by the database, by the environment or by a flag, the later one
/// before the earlier.
///
/// ``keys`` is the one table of what there is.
package struct Configuration: Hashable, Sendable {
  /// A name for a receiver.
  package struct Receiver: Hashable, Sendable {
    /// The device's name in history and regions.
    package var name: String
    /// A glob for the path that it has, or that a link in `/dev/serial` to it has.
    package var pattern: String
  }

  /// Where fixes come from, as addresses of live sources; none where they come by channels alone.
  package var sources = ["gpsd://localhost:2947"]
  /// What is written where there is no source.
  static let noSource = "none"
  /// The probability with which gpsd's error radius holds the true position; above 0, below 1.
  package var gpsdConfidence = 0.95
  /// Seconds without a word after which a receiver is silent.
  package var silence = 10.0
  /// The name of the only receiver of the only source.
  package var device = Fix.defaultDevice
  /// Names of receivers, in alphabetical order; the first that matches counts.
  package var receivers: [Receiver] = []
  /// The profile of regions that name none.
  package var profile = Profile.balanced
  /// Which fixes count.
  package var filter = FixFilter.Settings()
  /// Seconds for which positions are kept; nil for ever, 0 stores none.
  package var trackRetention: Double? = 30 * 86_400

  /// How many requests of an app may be pending; nil is any number.
  package var pendingLimit: Int?
  /// Which goes where there are more.
  package var eviction = CentreSettings.Eviction.keepSoonest
  /// When summaries are shown: minutes after local midnight, ascending.
  package var summaryTimes: [Int] = []
  /// Seconds that a foreground client has to say how a notification is shown.
  package var presentationDeadline = 3.0
  /// Whether one that it says nothing about is shown.
  package var showsUnanswered = true
  /// How long is waited before something is carried again that could not be.
  package var retry = RetryPolicy()
  /// What becomes of a request for permission that nobody is there to answer.
  package var unattendedPermission = UnattendedPermission.askLater

  /// What becomes of a request for permission that nobody is there to answer.
  package enum UnattendedPermission: String, Hashable, Sendable, CaseIterable {
    case askLater = "ask-later"
    case allow, deny
  }

  /// Where a value comes from.
  package enum Origin: String, Hashable, Sendable {
    case byDefault = "default"
    case database, environment, flag
  }

  /// A key with its value.
  package struct Entry: Hashable, Sendable {
    /// The key, with the receiver's name where it is a receiver's.
    package var name: String
    /// Its value, as it was written.
    package var value: String
    /// Where the value comes from.
    package var origin: Origin
    /// Why the value is none, in a sentence; the default holds then.
    package var fault: String?
  }

  /// The defaults.
  package init() {}

  /// The values that hold.
  ///
  /// - Parameters:
  ///   - stored: Those of the database, by key.
  ///   - environment: Looks a variable up.
  ///   - flags: Those of the command line, by key.
  /// - Throws: ``ConfigurationError`` for the first value that is none, wherever it comes from.
  package init(
    stored: [String: String], environment: (String) -> String? = { _ in nil }, flags: [String: String] = [:]
  ) throws(ConfigurationError) {
    let (configuration, entries) = Self.resolve(stored: stored, environment: environment, flags: flags)
    for entry in entries {
      if let fault = entry.fault { throw ConfigurationError(message: fault) }
    }
    self = configuration
  }

  /// The values that hold, with those that are none left at their defaults, and where each comes from.
  ///
  /// - Parameters:
  ///   - stored: Those of the database, by key.
  ///   - environment: Looks a variable up.
  ///   - flags: Those of the command line, by key.
  /// - Returns: The values, and an entry for each key, in the order of ``keys``.
  package static func resolve(
    stored: [String: String], environment: (String) -> String? = { _ in nil }, flags: [String: String] = [:]
  ) -> (configuration: Configuration, entries: [Entry]) {
    var configuration = Configuration()
    var entries: [Entry] = []
    for key in keys {
      // A receiver's key has as many values as there are receivers.
      var names = [key.name]
      if key.isOpen { names = stored.keys.filter { key.owns($0) }.sorted() }
      for name in names {
        let found: (text: String, origin: Origin)? =
          flags[name].map { ($0, .flag) } ?? environment(variable(of: name)).map { ($0, .environment) }
          ?? stored[name].map { ($0, .database) }
        var entry = Entry(name: name, value: key.defaultText, origin: .byDefault)
        if let found {
          (entry.value, entry.origin) = found
          do throws(ConfigurationError) { try key.read(name, found.text, &configuration) } catch {
            entry.fault = error.message + (found.origin == .environment ? " (\(variable(of: name)))" : "")
          }
        }
        entries.append(entry)
      }
    }
    return (configuration, entries)
  }

  /// The variable of the environment that sets a key: `FENCELINE_TRACK_RETENTION`.
  package static func variable(of name: String) -> String {
    "FENCELINE_" + name.uppercased().map { $0 == "-" || $0 == "." ? "_" : String($0) }.joined()
  }
}

/// Why a value is none.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// A sentence that names key and value and says what is needed.
  package var message: String
}
