package import FencelineCivilTime
internal import FencelineJSONText
internal import FencelineSQLiteStore

/// A way on which events leave.
package struct StoredChannel: Hashable, Sendable {
  /// Its row, which no other channel ever gets.
  package var number: Int64
  /// What the user calls it.
  package var name: String
  /// What kind of channel it is: `webhook`.
  package var kind: String
  /// What is set up, by the names of options.
  package var options: [String: [String]]
  /// Which events it carries.
  package var rules: ChannelRules
  /// Whether it is in use.
  package var isEnabled: Bool
  /// Why it is not, where nobody has switched it off.
  package var problem: String?
  /// Random digits that only this program knows.
  package var seal: String
  /// When it was made.
  package var created: Timestamp
  /// How often somebody has asked that what waits be tried at once.
  package var nudges: Int64

  static let columns = "number, name, kind, options, rules, enabled, problem, seal, created, nudges"

  init(_ row: Statement) {
    number = row.integer(0)
    name = row.text(1)
    kind = row.text(2)
    let node = try? JSONNode(parsing: row.text(3).utf8)
    options = [:]
    for (name, value) in node?.members ?? [] { options[name] = value.elements?.compactMap(\.text) ?? [] }
    let rules = (try? JSONNode(parsing: row.text(4).utf8)).flatMap { ChannelRules($0) }
    self.rules = rules ?? ChannelRules(events: .all)
    isEnabled = row.integer(5) != 0
    problem = row.optionalText(6)
    if node == nil || rules == nil {
      isEnabled = false
      problem = "Another program has changed its row. Remove it, and add it again."
    }
    seal = row.text(7)
    created = Timestamp(milliseconds: row.integer(8))
    nudges = row.integer(9)
  }

  /// Options as they are stored, in alphabetical order.
  static func text(_ options: [String: [String]]) -> String {
    let members = options.sorted { $0.key < $1.key }.map { option in
      JSONValue.Member(option.key, .array(option.value.map(JSONValue.text)))
    }
    return JSONValue.object(members).line
  }
}
