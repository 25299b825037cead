internal import FencelineJSONText
internal import FencelineSQLiteStore

/// What becomes of a channel that is to have another name.
package enum ChannelRenaming: Hashable, Sendable {
  /// It has that.
  case done
  /// A channel has that name already; nothing has changed.
  case nameIsTaken
  /// There is no such channel any more.
  case noSuchChannel
}

/// The channels, as the command line lists and changes them.
extension Journal {
  /// All channels, in the order of their names.
  package func channels() throws(JournalError) -> [StoredChannel] {
    try perform { try storedChannels() }
  }

  func storedChannels() throws -> [StoredChannel] {
    try connection.rows("SELECT \(StoredChannel.columns) FROM channel ORDER BY name") { StoredChannel($0) }
  }

  /// The channel of a name; nil where there is none.
  package func channel(named name: String) throws(JournalError) -> StoredChannel? {
    try perform {
      try connection.rows("SELECT \(StoredChannel.columns) FROM channel WHERE name = ?", [.text(name)]) {
        StoredChannel($0)
      }.first
    }
  }

  /// Adds a channel.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - kind: What kind it is.
  ///   - options: What is set up.
  ///   - rules: Which events it carries.
  /// - Returns: Whether the name was free; else nothing has changed.
  /// - Throws: ``JournalError``.
  package func addChannel(
    _ name: String, kind: String, options: [String: [String]], rules: ChannelRules
  ) throws(JournalError) -> Bool {
    try perform {
      try connection.transaction {
        try connection.run(
          """
          INSERT INTO channel (name, kind, options, rules, enabled, seal, created)
          VALUES (?, ?, ?, ?, 1, lower(hex(randomblob(16))), ?) ON CONFLICT (name) DO NOTHING
          """, .text(name), .text(kind), .text(StoredChannel.text(options)), .text(rules.json.line),
          .integer(Journal.now)) > 0
      }
    }
  }

  /// Changes what a channel is set up with, and which events it carries; what waits goes the new way.
  ///
  /// - Returns: Whether there is such a channel.
  /// - Throws: ``JournalError``.
  package func changeChannel(
    _ number: Int64, options: [String: [String]], rules: ChannelRules
  ) throws(JournalError) -> Bool {
    try perform {
      try connection.transaction {
        try connection.run(
          "UPDATE channel SET options = ?, rules = ? WHERE number = ?", .text(StoredChannel.text(options)),
          .text(rules.json.line), .integer(number)) > 0
      }
    }
  }

  /// Switches a channel on or off; what waits goes on waiting, and no more comes while it is off.
  ///
  /// - Returns: Whether there is such a channel.
  /// - Throws: ``JournalError``.
  package func enableChannel(_ number: Int64, _ isEnabled: Bool) throws(JournalError) -> Bool {
    try perform {
      try connection.transaction {
        try connection.run(
          "UPDATE channel SET enabled = ?, problem = NULL WHERE number = ?", .boolean(isEnabled),
          .integer(number)) > 0
      }
    }
  }

  /// Gives a channel another name; those that hand over to it go on to.
  ///
  /// - Parameters:
  ///   - number: Which.
  ///   - name: What it is called from now on.
  /// - Returns: What has become of that.
  /// - Throws: ``JournalError``.
  package func renameChannel(_ number: Int64, to name: String) throws(JournalError) -> ChannelRenaming {
    try perform {
      try connection.transaction {
        let channels = try storedChannels()
        guard let channel = channels.first(where: { $0.number == number }) else { return .noSuchChannel }
        guard !channels.contains(where: { $0.name == name }) else { return .nameIsTaken }
        try connection.run("UPDATE channel SET name = ? WHERE number = ?", .text(name), .integer(number))
        for var other in channels where other.rules.escalation == channel.name {
          other.rules.escalation = name
          try connection.run(
            "UPDATE channel SET rules = ? WHERE number = ?", .text(other.rules.json.line),
            .integer(other.number))
        }
        return .done
      }
    }
  }

  /// The names of the channels that hand over to one.
  package func channels(escalatingTo name: String) throws(JournalError) -> [String] {
    try channels().filter { $0.rules.escalation == name }.map(\.name)
  }

  /// Removes a channel with all its deliveries.
  ///
  /// - Parameters:
  ///   - number: Which.
  ///   - drops: Whether what waits is lost.
  /// - Returns: How many wait, where they keep it from being removed; 0 where it is gone.
  /// - Throws: ``JournalError``.
  package func removeChannel(_ number: Int64, drops: Bool) throws(JournalError) -> Int {
    try perform {
      try connection.transaction {
        let waiting =
          try connection.rows(
            "SELECT count(*) FROM delivery WHERE channel = ? AND state = 'waiting'", [.integer(number)]
          ) { Int($0.integer(0)) }.first ?? 0
        guard waiting == 0 || drops else { return waiting }
        try connection.run("DELETE FROM delivery WHERE channel = ?", .integer(number))
        try connection.run("DELETE FROM channel WHERE number = ?", .integer(number))
        return 0
      }
    }
  }
}
