/// JSON that was read, each value with the line on which it begins.
///
/// Foundation's decoder cannot say where a file is wrong, and people mend files by line.
public struct JSONNode: Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// The value.
  public var content: Content

  /// A value on a line.
  public init(line: Int, content: Content) {
    self.line = line
    self.content = content
  }

  /// A value by its kind.
  public enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([JSONNode])
    /// Members in the order of the file.
    case object([(name: String, value: JSONNode)])

    /// Equal values; members in the same order.
    public static func == (a: Content, b: Content) -> Bool {
      switch (a, b) {
      case (.null, .null): true
      case (.boolean(let a), .boolean(let b)): a == b
      case (.number(let a), .number(let b)): a == b
      case (.text(let a), .text(let b)): a == b
      case (.array(let a), .array(let b)): a == b
      case (.object(let a), .object(let b)): a.elementsEqual(b) { $0 == $1 }
      default: false
      }
    }

    /// Feeds what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .null: hasher.combine(0)
      case .boolean(let value): hasher.combine(value)
      case .number(let value): hasher.combine(value)
      case .text(let value): hasher.combine(value)
      case .array(let values): hasher.combine(values)
      case .object(let members):
        for member in members {
          hasher.combine(member.name)
          hasher.combine(member.value)
        }
      }
    }
  }

  // The accessors below are never inlined: where two of them are, the optimiser of Swift 6.3.1 ends in an ownership error
  // (CopyPropagation).

  /// The value of a member of an object, the last one of that name; nil where this is no object or has none.
  @inline(never) public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The members of an object; empty where this is none.
  @inline(never) public var members: [(name: String, value: JSONNode)] {
    if case .object(let members) = content { members } else { [] }
  }

  /// The values of an array; nil where this is none.
  @inline(never) public var elements: [JSONNode]? {
    if case .array(let values) = content { values } else { nil }
  }

  /// The text; nil where this is none.
  @inline(never) public var text: String? {
    if case .text(let value) = content { value } else { nil }
  }

  /// The number; nil where this is none.
  @inline(never) public var number: Double? {
    if case .number(let value) = content { value } else { nil }
  }

  /// Whether it is the value null.
  @inline(never) public var isNull: Bool { content == .null }
}

/// Where and why a text is not JSON.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// In bytes, counted from 1.
  public var column: Int
  /// What should stand there, or what is wrong: `a value`, `',' or '}'`.
  public var expected: String
}

extension JSONSyntaxError: CustomStringConvertible {
  /// `expected ',' or '}' in line 3, column 14`.
  public var description: String { "expected \(expected) in line \(line), column \(column)" }
}
