/// JSON to be written: members keep their order, numbers their shortest exact form.
///
/// ```swift
/// let line: JSONValue = ["run": 3, "region": .text("office"), "left": .null]
/// print(line.line)  // {"run":3,"region":"office","left":null}
/// ```
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A finite number; any other is written as null.
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// The name, any text.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// A member of an object.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value as text on one line, without spaces.
  public var line: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The value as text for people: two spaces of indentation, arrays of plain values on one line.
  public var indented: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += JSONValue.numeral(value)
    case .text(let value): JSONValue.quote(value, to: &text)
    case .array(let values):
      let inner = values.allSatisfy(\.isPlain) ? nil : indent.map { $0 + 1 }
      JSONValue.list(values, "[", "]", to: &text, indent: inner) { value, text in
        value.write(to: &text, indent: inner)
      }
    case .object(let members):
      let inner = indent.map { $0 + 1 }
      JSONValue.list(members, "{", "}", to: &text, indent: inner) { member, text in
        JSONValue.quote(member.name, to: &text)
        text += inner == nil ? ":" : ": "
        member.value.write(to: &text, indent: inner)
      }
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String, indent: Int?,
    _ write: (Element, inout String) -> Void
  ) {
    func newLine(_ depth: Int, _ text: inout String) {
      text += "\n"
      for _ in 0..<depth { text += "  " }
    }
    text += open
    for (place, element) in elements.enumerated() {
      if place > 0 { text += "," }
      if let indent { newLine(indent, &text) }
      write(element, &text)
    }
    if let indent, !elements.isEmpty { newLine(indent - 1, &text) }
    text += close
  }

  /// A whole number without a point, any other as the shortest text that gives the same number again.
  private static func numeral(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<" ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  /// An object.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Nothing.
  public init(nilLiteral: ()) { self = .null }
}
