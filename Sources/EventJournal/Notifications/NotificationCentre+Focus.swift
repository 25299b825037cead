package import FencelineCivilTime
internal import FencelineJSONText
package import FencelineNotifying
internal import FencelineSQLiteStore

/// A focus as the centre knows it.
package struct StoredFocus: Hashable, Sendable {
  /// Whether it follows its schedule and its place.
  package enum Mode: String, Hashable, Sendable {
    case automatic, on, off
  }

  /// What it is.
  package var focus: Focus
  /// Whether it was switched by hand.
  package var mode: Mode
  /// How long that holds; nil is until it is switched again.
  package var until: Timestamp?
  /// Whether it is on.
  package var isOn: Bool
}

extension NotificationCentre {
  /// The focus that needs no schedule.
  package static let doNotDisturb = "do-not-disturb"

  /// Every focus there is.
  ///
  /// - Parameter now: The time at which they are on or not.
  /// - Returns: They, by their names.
  /// - Throws: ``JournalError``.
  package func focuses(at now: Timestamp) throws -> [StoredFocus] {
    try journal.perform { try storedFocuses(at: now) }
  }

  private func storedFocuses(at now: Timestamp) throws -> [StoredFocus] {
    let rows = try connection.rows("SELECT definition, mode, until FROM focus ORDER BY id") { row in
      (
        focus: (try? JSONNode(parsing: row.text(0).utf8)).flatMap { Focus($0) },
        mode: StoredFocus.Mode(rawValue: row.text(1)) ?? .automatic,
        until: row.optionalInteger(2).map(Timestamp.init)
      )
    }
    var focuses: [StoredFocus] = []
    for row in rows {
      guard let focus = row.focus else { continue }
      let isOver = row.until.map { $0 <= now } ?? false
      let mode = isOver ? .automatic : row.mode
      let isOn: Bool
      switch mode {
      case .on: isOn = true
      case .off: isOn = false
      case .automatic:
        let isTime = focus.schedule.contains { isOpen($0, at: now, elsewhere: false) }
        let isPlace = try focus.region.map { try !devices(inside: $0).isEmpty } ?? false
        isOn = isTime || isPlace
      }
      focuses.append(StoredFocus(focus: focus, mode: mode, until: isOver ? nil : row.until, isOn: isOn))
    }
    return focuses
  }

  func activeFocuses(at now: Timestamp) throws -> [StoredFocus] {
    try storedFocuses(at: now).filter(\.isOn)
  }

  /// Makes a focus, or changes one; whether it is switched on or off stays.
  package func setFocus(_ focus: Focus) throws {
    try operate {
      try connection.run(
        """
        INSERT INTO focus VALUES (?1, ?2, 'automatic', NULL) ON CONFLICT (id) DO UPDATE SET definition = excluded.definition
        """, .text(focus.identifier), .text(focus.json.line))
    }
  }

  /// Switches a focus.
  ///
  /// - Parameters:
  ///   - identifier: Which; ``doNotDisturb`` need not be made before.
  ///   - mode: On, off, or by its schedule and place again.
  ///   - until: How long; nil is until it is switched again.
  /// - Returns: Whether there is such a focus.
  /// - Throws: ``JournalError``.
  package func switchFocus(_ identifier: String, _ mode: StoredFocus.Mode, until: Timestamp?) throws -> Bool {
    try operate {
      if identifier == Self.doNotDisturb {
        try connection.run(
          "INSERT OR IGNORE INTO focus VALUES (?, ?, 'automatic', NULL)", .text(identifier),
          .text(Focus(identifier: identifier).json.line))
      }
      return try connection.run(
        "UPDATE focus SET mode = ?, until = ? WHERE id = ?", .text(mode.rawValue),
        .optional(until?.milliseconds), .text(identifier)) > 0
    }
  }

  /// Removes a focus; what it holds back is shown.
  ///
  /// - Returns: Whether there was such a focus.
  /// - Throws: ``JournalError``.
  package func removeFocus(_ identifier: String) throws -> Bool {
    try operate { try connection.run("DELETE FROM focus WHERE id = ?", .text(identifier)) > 0 }
  }
}
