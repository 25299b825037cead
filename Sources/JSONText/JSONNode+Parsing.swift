extension JSONNode {
  /// Reads one JSON text (RFC 8259).
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark; nothing but white space may follow the value.
  ///   - progress: Told at every MiB or so how many bytes are read.
  /// - Throws: ``JSONSyntaxError`` at the first byte that is wrong; for a nesting deeper than 128; for a number beyond the range
  ///   of a Double.
  public init(
    parsing bytes: some Collection<UInt8>, progress: ((Int) -> Void)? = nil
  ) throws(JSONSyntaxError) {
    var parser = JSONParser(Array(bytes), progress)
    self = try parser.document()
  }
}

/// Reads JSON from left to right.
private struct JSONParser {
  private let bytes: [UInt8]
  private var place: Int
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  private static let deepest = 128

  private let progress: ((Int) -> Void)?
  private var nextReport = 1 << 20

  init(_ bytes: [UInt8], _ progress: ((Int) -> Void)?) {
    self.bytes = bytes
    self.progress = progress
    place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    lineStart = place
  }

  mutating func document() throws(JSONSyntaxError) -> JSONNode {
    let node = try value()
    skipSpace()
    guard place == bytes.count else { throw wrong("the end") }
    return node
  }

  private func wrong(_ expected: String, at fault: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(line: line, column: (fault ?? place) - lineStart + 1, expected: expected)
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x0a:
        line += 1
        lineStart = place + 1
      case 0x20, 0x09, 0x0d: break
      default: return
      }
      place += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONNode {
    skipSpace()
    if place >= nextReport {
      progress?(place)
      nextReport = place + 1 << 20
    }
    let start = line
    guard let next else { throw wrong("a value") }
    switch next {
    case UInt8(ascii: "{"): return JSONNode(line: start, content: .object(try object()))
    case UInt8(ascii: "["): return JSONNode(line: start, content: .array(try array()))
    case UInt8(ascii: "\""): return JSONNode(line: start, content: .text(try string()))
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(line: start, content: .number(try number()))
    default: throw wrong("a value")
    }
  }

  private mutating func word(_ text: StaticString, _ content: JSONNode.Content) throws(JSONSyntaxError)
    -> JSONNode
  {
    let spelled = "\(text)".utf8
    guard bytes[place...].starts(with: spelled) else { throw wrong("a value") }
    place += spelled.count
    return JSONNode(line: line, content: content)
  }

  private mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= JSONParser.deepest else { throw wrong("no deeper nesting than \(JSONParser.deepest)") }
    place += 1
    skipSpace()
  }

  private mutating func object() throws(JSONSyntaxError) -> [(name: String, value: JSONNode)] {
    try enter()
    defer { depth -= 1 }
    var members: [(name: String, value: JSONNode)] = []
    if take("}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw wrong("a name in quotes") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw wrong("':'") }
      members.append((name, try value()))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw wrong("',' or '}'") }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONNode] {
    try enter()
    defer { depth -= 1 }
    var values: [JSONNode] = []
    if take("]") { return values }
    while true {
      values.append(try value())
      skipSpace()
      if take("]") { return values }
      guard take(",") else { throw wrong("',' or ']'") }
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> Double {
    let start = place
    _ = take("-")
    guard let first = next, (0x30...0x39).contains(first) else { throw wrong("a digit") }
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try digits()
    }
    guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)), value.isFinite else {
      throw wrong("a number that a Double can hold", at: start)
    }
    return value
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = place
    while let next, (0x30...0x39).contains(next) { place += 1 }
    guard place > start else { throw wrong("a digit") }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    place += 1
    var text = ""
    var start = place
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        text += try plain(start..<place)
        place += 1
        return text
      case UInt8(ascii: "\\"):
        text += try plain(start..<place)
        place += 1
        text.unicodeScalars.append(try escape())
        start = place
      case 0..<0x20: throw wrong("'\"' before the end of the line")
      default: place += 1
      }
    }
    throw wrong("'\"'")
  }

  private func plain(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
    if let text = String(validating: bytes[range], as: UTF8.self) { return text }
    var rest = bytes[range].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var fault = range.lowerBound
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { fault += scalar.count }
    throw wrong("valid UTF-8", at: fault)
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let letter = next else { throw wrong("an escape") }
    let start = place - 1
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xdc00, take("\\"), take("u") else { throw wrong("a surrogate pair", at: start) }
      let low = try codeUnit()
      guard (0xdc00...0xdfff).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xd800) << 10 + UInt32(low) - 0xdc00)
      else { throw wrong("a surrogate pair", at: start) }
      return scalar
    default: throw wrong("an escape", at: start + 1)
    }
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    // A sign would be taken for a number's.
    guard place + 4 <= bytes.count, ![UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[place]),
      let unit = UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw wrong("four hexadecimal digits") }
    place += 4
    return unit
  }
}
