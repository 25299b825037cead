internal import FencelineJSONText
package import FencelineNotifying
internal import FencelineSQLiteStore

extension NotificationCentre {
  /// The categories of an app, those that are built in first.
  package func categories(of app: String) throws -> [NotificationCategory] {
    try journal.perform { NotificationCategory.builtIn + (try ownCategories(of: app)) }
  }

  private func ownCategories(of app: String) throws -> [NotificationCategory] {
    try connection.rows("SELECT definition FROM category WHERE app = ? ORDER BY id", [.text(app)]) {
      (try? JSONNode(parsing: $0.text(0).utf8)).flatMap { NotificationCategory($0) }
    }.compactMap { $0 }
  }

  func category(_ identifier: String?, of app: String) throws -> NotificationCategory? {
    guard let identifier else { return nil }
    if let builtIn = NotificationCategory.builtIn.first(where: { $0.identifier == identifier }) {
      return builtIn
    }
    return try ownCategories(of: app).first { $0.identifier == identifier }
  }

  func check(category identifier: String?, of app: String) throws {
    guard let identifier, try category(identifier, of: app) == nil else { return }
    let names = (NotificationCategory.builtIn + (try ownCategories(of: app))).map { "'\($0.identifier)'" }
    throw NotificationError(
      .notificationInvalidNoContent,
      "'\(app)' has no category '\(identifier)'. There are \(names.joined(separator: ", ")); add one with 'fenceline category add'."
    )
  }

  /// Gives an app these categories and no others.
  ///
  /// - Throws: `NotificationError` where one is none, ``JournalError``: then nothing has changed.
  package func setCategories(_ categories: [NotificationCategory], of app: String) throws {
    for category in categories { try category.check() }
    let names = categories.map(\.identifier)
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw NotificationError(
        .notificationInvalidNoContent, "The category '\(twice)' is there twice. Leave one out.")
    }
    try operate {
      try connection.run("DELETE FROM category WHERE app = ?", .text(app))
      for category in categories { try save(category, of: app) }
    }
  }

  /// Adds a category, or changes the one of its name.
  ///
  /// - Throws: `NotificationError` where it is none, ``JournalError``.
  package func setCategory(_ category: NotificationCategory, of app: String) throws {
    try category.check()
    try operate { try save(category, of: app) }
  }

  private func save(_ category: NotificationCategory, of app: String) throws {
    try connection.run(
      "INSERT OR REPLACE INTO category VALUES (?, ?, ?)", .text(app), .text(category.identifier),
      .text(category.json.line))
  }

  /// Removes a category; notifications that name it keep only the actions that all have.
  ///
  /// - Returns: Whether there was such a category.
  /// - Throws: ``JournalError``.
  package func removeCategory(_ identifier: String, of app: String) throws -> Bool {
    try operate {
      try connection.run("DELETE FROM category WHERE app = ? AND id = ?", .text(app), .text(identifier)) > 0
    }
  }
}
