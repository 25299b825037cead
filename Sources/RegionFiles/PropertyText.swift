internal import FencelineGeodesy
internal import FencelineJSONText

/// Values of properties as the formats write them that know only texts.
///
/// A list stands as `work; home`; one whose elements would not come back that way stands as a JSON array.
enum PropertyText {
  /// A value as a text that ``node(_:as:line:)`` reads.
  static func text(_ value: JSONValue) -> String {
    switch value {
    case .text(let text): return text
    case .array(let values):
      let texts = values.map(text)
      let list = texts.joined(separator: "; ")
      let comesBack = elements(of: list) == texts && !list.hasPrefix("[") && !list.hasPrefix("(")
      return comesBack ? list : value.line
    default: return value.line
    }
  }

  /// The value that a text stands for; the text itself where it is none of that kind.
  static func node(_ text: String, as kind: RegionProperty.Kind, line: Int) -> JSONNode {
    func node(_ content: JSONNode.Content) -> JSONNode { JSONNode(line: line, content: content) }
    switch kind {
    case .text: return node(.text(text))
    case .number: return node(number(text).map(JSONNode.Content.number) ?? .text(text))
    case .truth:
      return switch trimmed(text).lowercased() {
      case "true", "yes", "1": node(.boolean(true))
      case "false", "no", "0": node(.boolean(false))
      default: node(.text(text))
      }
    case .numbers, .texts:
      if text.hasPrefix("["), let list = try? JSONNode(parsing: text.utf8), list.elements != nil {
        return list
      }
      let values = elements(of: text).map { element -> JSONNode.Content in
        kind == .numbers ? number(element).map(JSONNode.Content.number) ?? .text(element) : .text(element)
      }
      return node(.array(values.map(node)))
    }
  }

  private static func elements(of list: String) -> [String] {
    if let values = counted(list) { return values }
    return separated(list)
  }

  /// `(2:a,b)`, as GDAL writes a list into formats that know only texts; nil for another text.
  private static func counted(_ list: String) -> [String]? {
    guard list.hasPrefix("("), list.hasSuffix(")"), let colon = list.firstIndex(of: ":"),
      let count = Int(list[list.index(after: list.startIndex)..<colon]), count > 0
    else { return nil }
    let inner = list[list.index(after: colon)...].dropLast()
    if count == 1 { return [String(inner)] }
    let values = inner.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return values.count == count ? values : nil
  }

  private static func separated(_ list: String) -> [String] {
    list.split(separator: ";").map { trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  /// A decimal number, with a comma in place of the point where `allowsComma`.
  static func number(_ text: String, allowsComma: Bool = false) -> Double? {
    var text = trimmed(text)
    if allowsComma, !text.contains(".") {
      text = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: ".")
    }
    // Double reads names and hexadecimal digits too.
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }

  static func trimmed(_ text: String) -> String {
    guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
