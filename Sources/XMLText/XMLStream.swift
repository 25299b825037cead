internal import CFencelineExpat
internal import Glibc

/// An XML parser for streams of any length, with bounded memory, that never expands an entity of the document's own.
///
/// It does not look up namespaces: writers of GPX leave prefixes undeclared.
@safe
public final class XMLStream {
  /// What stopped it.
  public enum Failure: Equatable, Sendable {
    /// The document has a document type declaration.
    case documentType
    /// A name, tag, comment or the like is longer than ``longestToken``.
    case overlongToken
    /// The document is not well-formed; where and in which way.
    case malformed(line: Int, reason: String)
  }

  /// The most bytes of one tag, comment or instruction.
  public static let longestToken = 1 << 20

  /// What stopped it; nil while nothing has.
  public private(set) var failure: Failure?
  private let parser: XML_Parser
  private var bytesFed = 0
  private let receiver: any XMLReceiver
  private var tellsText = true

  /// A parser that tells `receiver`; an `encoding` overrides what the document says about itself.
  public init(encoding: String?, receiver: any XMLReceiver) {
    guard let parser = unsafe XML_ParserCreate(encoding) else {
      preconditionFailure("expat cannot be set up")
    }
    unsafe self.parser = parser
    self.receiver = receiver
    // The pointer is used only while `parse` runs, and the stream frees the parser when it goes.
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(parser, beginElement, endElement)
    unsafe XML_SetCharacterDataHandler(parser, characterData)
    unsafe XML_SetStartDoctypeDeclHandler(parser, documentType)
    unsafe XML_SetUnknownEncodingHandler(parser, singleByteEncoding, nil)
  }

  deinit {
    unsafe XML_ParserFree(parser)
  }

  /// Takes the next piece; ``failure`` tells whether that went well.
  public func parse(_ bytes: Span<UInt8>, isFinal: Bool = false) {
    guard failure == nil else { return }
    let status = unsafe bytes.withUnsafeBytes { pointer in
      unsafe XML_Parse(
        parser, pointer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(pointer.count),
        isFinal ? 1 : 0)
    }
    bytesFed += bytes.count
    if status == XML_STATUS_ERROR {
      if failure == nil { failure = malformed() }
    } else if !isFinal, unsafe bytesFed - Int(XML_GetCurrentByteIndex(parser)) > Self.longestToken {
      failure = .overlongToken
    }
  }

  /// The line that is being read, from 1.
  public var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

  fileprivate func begin(
    _ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    let bytes = unsafe localName(wholeText(name))
    unsafe receiver.begin(bytes.span, XMLAttributes(list: attributes))
    heed()
  }

  fileprivate func end() {
    receiver.end()
    heed()
  }

  fileprivate func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe receiver.text(bytes.span)
  }

  /// Most of a document's text is what indents its elements: expat passes over it faster where nobody listens.
  private func heed() {
    let wants = receiver.wantsText
    guard wants != tellsText else { return }
    tellsText = wants
    unsafe XML_SetCharacterDataHandler(parser, wants ? characterData : nil)
  }

  fileprivate func refuseDocumentType() {
    failure = .documentType
    _ = unsafe XML_StopParser(parser, 0)
  }

  private func malformed() -> Failure {
    let text = unsafe XML_ErrorString(XML_GetErrorCode(parser))
    return .malformed(line: line, reason: unsafe text.map { unsafe String(cString: $0) } ?? "not well-formed")
  }
}

@available(*, unavailable)
extension XMLStream: Sendable {}

/// Who listens to an ``XMLStream``.
public protocol XMLReceiver: AnyObject {
  /// Whether the text of the innermost element is wanted; asked where an element has begun or ended.
  var wantsText: Bool { get }
  /// An element begins. Its name is without the prefix, in UTF-8.
  func begin(_ name: Span<UInt8>, _ attributes: XMLAttributes)
  /// The innermost element ends.
  func end()
  /// A piece of the innermost element's text.
  func text(_ bytes: Span<UInt8>)
}

/// The attributes of an element that is just beginning.
@safe
public struct XMLAttributes {
  fileprivate let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

  /// The value of the attribute `name`, else of one that has a prefix before that name; nil where there is none.
  public subscript(name: StaticString) -> String? {
    value(of: name) { unsafe $0.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
  }

  /// Reads the same value where it lies.
  ///
  /// - Parameters:
  ///   - name: The attribute.
  ///   - read: What to make of the value, in UTF-8.
  /// - Returns: What `read` returns; nil where there is no such attribute.
  public func value<Value>(of name: StaticString, _ read: (Span<UInt8>) -> Value?) -> Value? {
    guard var pair = unsafe list else { return nil }
    var prefixed: UnsafePointer<XML_Char>?
    while let key = unsafe pair[0], let value = unsafe pair[1] {
      let whole = unsafe wholeText(key)
      if unsafe whole.span.isText(name) { return unsafe read(wholeText(value).span) }
      if unsafe prefixed == nil && localName(whole).span.isText(name) { unsafe prefixed = value }
      unsafe pair += 2
    }
    guard let value = unsafe prefixed else { return nil }
    return unsafe read(wholeText(value).span)
  }

  /// All of them, by their local names; where one bears the name of another that has a prefix, it comes first.
  public var all: [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var prefixed: [(name: String, value: String)] = []
    guard var pair = unsafe list else { return [] }
    while let key = unsafe pair[0], let value = unsafe pair[1] {
      let name = unsafe String(decoding: localName(wholeText(key)), as: UTF8.self)
      let member = unsafe (name: name, value: String(cString: value))
      if unsafe strchr(key, 0x3a) == nil { found.append(member) } else { prefixed.append(member) }
      unsafe pair += 2
    }
    return found + prefixed
  }
}

@available(*, unavailable)
extension XMLAttributes: Sendable {}

extension Span<UInt8> {
  /// Whether it is the ASCII text `text`.
  public func isText(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      for place in indices where unsafe self[place] != wanted[place] { return false }
      return true
    }
  }
}

/// The bytes of a text up to its end.
private func wholeText(_ text: UnsafePointer<XML_Char>) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).bindMemory(to: UInt8.self)
}

/// What follows the last colon of a name.
private func localName(_ name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  guard let colon = unsafe name.lastIndex(of: 0x3a) else { return unsafe name }
  return unsafe UnsafeBufferPointer(rebasing: name[(colon + 1)...])
}

private func stream(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<XMLStream>? {
  unsafe pointer.map { unsafe Unmanaged<XMLStream>.fromOpaque($0) }
}

private func beginElement(
  _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name = unsafe name else { return }
  unsafe stream(user)?._withUnsafeGuaranteedRef { unsafe $0.begin(name, attributes) }
}

private func endElement(_ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  unsafe stream(user)?._withUnsafeGuaranteedRef { $0.end() }
}

private func characterData(
  _ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ length: Int32
) {
  guard let text = unsafe text else { return }
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length)).bindMemory(to: UInt8.self)
  unsafe stream(user)?._withUnsafeGuaranteedRef { unsafe $0.text(bytes) }
}

private func documentType(
  _ user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
  _: UnsafePointer<XML_Char>?, _: Int32
) {
  unsafe stream(user)?._withUnsafeGuaranteedRef { $0.refuseDocumentType() }
}

/// Reads every encoding that expat does not know as Windows-1252: its ASCII half, where all numbers and tags are, is common to
/// all that occur, and names do not matter here.
private func singleByteEncoding(
  _: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
) -> Int32 {
  guard let encoding = unsafe encoding else { return 0 }
  unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { bytes in
    let map = unsafe bytes.bindMemory(to: Int32.self)
    for code in 0..<256 { unsafe map[code] = Int32(code) }
    for (place, scalar) in Windows1252.upperControls.enumerated() { unsafe map[0x80 + place] = Int32(scalar) }
  }
  return 1
}
