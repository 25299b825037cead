/// A value that goes into a statement.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The value, or null for nil.
  package static func optional(_ value: Int64?) -> SQLiteValue { value.map(SQLiteValue.integer) ?? .null }
  /// The value, or null for nil.
  package static func optional(_ value: Double?) -> SQLiteValue { value.map(SQLiteValue.real) ?? .null }
  /// The value, or null for nil.
  package static func optional(_ value: String?) -> SQLiteValue { value.map(SQLiteValue.text) ?? .null }
  /// 1 or 0.
  package static func boolean(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// An integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// A text.
  package init(stringLiteral value: String) { self = .text(value) }
}
