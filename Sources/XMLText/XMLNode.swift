/// An element of an XML document that was read as a whole, with the line on which it begins.
public struct XMLNode: Hashable, Sendable {
  /// Its name, without the prefix.
  public var name: String
  /// Counted from 1.
  public var line: Int
  /// Its attributes by their local names.
  public var attributes: [String: String] = [:]
  /// The elements in it, in the order of the document.
  public var children: [XMLNode] = []
  /// The text in it as it stands, not that of the elements in it.
  public var content = ""

  /// The text in it without white space at its ends.
  public var text: String {
    let scalars = content.unicodeScalars
    let isSpace: (Unicode.Scalar) -> Bool = { [" ", "\t", "\n", "\r"].contains($0) }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The first element in it of a name.
  public subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

  /// The text of the first element in it of a name; nil where there is none, or no text.
  public func text(of name: String) -> String? {
    guard let text = self[name]?.text, !text.isEmpty else { return nil }
    return text
  }

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }
}

/// Where and why a text is not XML that can be read.
public struct XMLSyntaxError: Error, Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// What is wrong: `mismatched tag`.
  public var reason: String
}

extension XMLNode {
  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, UTF-16 with a byte order mark, or what the document says; bytes that are not the UTF-8 that they should be are
  ///     Windows-1252.
  ///   - progress: Told now and then how many bytes are read.
  /// - Throws: ``XMLSyntaxError`` where it is not well-formed, for a document type declaration (nothing that is read here has one, and
  ///   some use them for attacks), for a nesting deeper than 200.
  public init(parsing bytes: [UInt8], progress: (Int) -> Void = { _ in }) throws(XMLSyntaxError) {
    var builder = Builder()
    let stream = XMLStream(encoding: XMLNode.encoding(of: bytes))
    // Blank lines before the XML declaration are an error to expat, and some writers leave them.
    let start = bytes.firstIndex { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } ?? bytes.count
    let skipped = bytes[..<start].count { $0 == 0x0a }
    var place = start
    // In pieces, since expat counts in 32 bits, and looks for its limits between them.
    while place < bytes.count, stream.failure == nil, !builder.isTooDeep {
      let end = min(place + 1 << 16, bytes.count)
      stream.parse(bytes.span.extracting(place..<end), telling: &builder)
      place = end
      progress(place)
    }
    if builder.isTooDeep {
      throw XMLSyntaxError(
        line: stream.line + skipped, reason: "more than \(Builder.deepest) elements in one another")
    }
    stream.parse(bytes.span.extracting(bytes.count..<bytes.count), isFinal: true, telling: &builder)
    switch stream.failure {
    case nil: break
    case .documentType:
      throw XMLSyntaxError(
        line: stream.line + skipped, reason: "a document type declaration: remove the DOCTYPE")
    case .overlongToken:
      throw XMLSyntaxError(line: stream.line + skipped, reason: "a tag or comment of more than 1 MB")
    case .malformed(let line, let reason): throw XMLSyntaxError(line: line + skipped, reason: reason)
    }
    guard var root = builder.root else { throw XMLSyntaxError(line: 1, reason: "no element found") }
    if skipped > 0 { root.move(by: skipped) }
    self = root
  }

  private mutating func move(by lines: Int) {
    line += lines
    for index in children.indices { children[index].move(by: lines) }
  }

  /// What overrides the document's word about its encoding.
  private static func encoding(of bytes: [UInt8]) -> String? {
    let isUTF16 = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    guard !isUTF16 else { return nil }
    let declaration = String(decoding: bytes.prefix(200).prefix { $0 != 0x3e }, as: UTF8.self).lowercased()
    if String(validating: bytes, as: UTF8.self) != nil {
      // Some writers keep the declaration of a text that was UTF-16 in memory.
      return declaration.contains("utf-16") || declaration.contains("ucs-") ? "UTF-8" : nil
    }
    let declaresAnother = declaration.contains("encoding") && !declaration.contains("utf-8")
    return declaresAnother ? nil : "windows-1252"
  }
}

/// Puts a document together.
private struct Builder: XMLReceiver {
  static let deepest = 200

  private(set) var root: XMLNode?
  private(set) var isTooDeep = false
  /// The elements that are open, the innermost last, and their texts.
  private var open: [XMLNode] = []
  private var texts: [[UInt8]] = []

  let wantsText = true

  mutating func begin(_ name: Span<UInt8>, _ tag: XMLTag) {
    guard open.count < Builder.deepest else {
      isTooDeep = true
      return
    }
    var node = XMLNode(name: name.text, line: tag.line)
    for (name, value) in tag.attributes where node.attributes[name] == nil { node.attributes[name] = value }
    open.append(node)
    texts.append([])
  }

  mutating func end() {
    guard !isTooDeep, var node = open.popLast(), let text = texts.popLast() else { return }
    node.content = String(decoding: text, as: UTF8.self)
    if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
  }

  mutating func text(_ bytes: Span<UInt8>) {
    guard !texts.isEmpty, !isTooDeep else { return }
    unsafe bytes.withUnsafeBufferPointer { unsafe texts[texts.count - 1].append(contentsOf: $0) }
  }
}
