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

  /// A parser of a document; an `encoding` overrides what the document says about itself.
  public init(encoding: String?) {
    guard let parser = unsafe XML_ParserCreate(encoding) else {
      preconditionFailure("expat cannot be set up")
    }
    unsafe self.parser = parser
    unsafe XML_SetElementHandler(parser, beginElement, endElement)
    unsafe XML_SetStartDoctypeDeclHandler(parser, documentType)
    unsafe XML_SetUnknownEncodingHandler(parser, singleByteEncoding, nil)
  }

  deinit {
    unsafe XML_ParserFree(parser)
  }

  /// Takes the next piece and tells `receiver` what is in it; ``failure`` tells whether that went well.
  public func parse<Receiver: XMLReceiver & ~Copyable>(
    _ bytes: Span<UInt8>, isFinal: Bool = false, telling receiver: inout Receiver
  ) {
    guard failure == nil else { return }
    let status = unsafe withUnsafeMutablePointer(to: &receiver) { pointer in
      var audience = unsafe Audience(parser: parser, receiver: pointer)
      let status = unsafe audience.attend(bytes, isFinal: isFinal)
      if unsafe audience.hasDocumentType { failure = .documentType }
      return status
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

  private func malformed() -> Failure {
    let text = unsafe XML_ErrorString(XML_GetErrorCode(parser))
    return .malformed(line: line, reason: unsafe text.map { unsafe String(cString: $0) } ?? "not well-formed")
  }
}

@available(*, unavailable)
extension XMLStream: Sendable {}

/// Who is told what an ``XMLStream`` reads.
public protocol XMLReceiver: ~Copyable {
  /// Whether the text of the innermost element is wanted; asked where an element has begun or ended.
  var wantsText: Bool { get }
  /// An element begins. Its name is without the prefix, in UTF-8.
  mutating func begin(_ name: Span<UInt8>, _ tag: XMLTag)
  /// The innermost element ends.
  mutating func end()
  /// A piece of the innermost element's text.
  mutating func text(_ bytes: Span<UInt8>)
}

/// Whom expat tells while it parses a piece.
///
/// Its callbacks are functions of C and know nothing of types: the receiver's is kept beside where it lies. A pointer to it costs
/// no check of exclusive access, which a reference to an object would, several times for each element.
@unsafe
private struct Audience {
  let parser: XML_Parser
  private let receiver: UnsafeMutableRawPointer
  private let kind: any (XMLReceiver & ~Copyable).Type
  private var tellsText: Bool
  private(set) var hasDocumentType = false

  init<Receiver: XMLReceiver & ~Copyable>(parser: XML_Parser, receiver: UnsafeMutablePointer<Receiver>) {
    unsafe self.parser = parser
    unsafe self.receiver = UnsafeMutableRawPointer(receiver)
    unsafe kind = Receiver.self
    unsafe tellsText = receiver.pointee.wantsText
  }

  /// Has expat parse a piece.
  mutating func attend(_ bytes: Span<UInt8>, isFinal: Bool) -> XML_Status {
    unsafe XML_SetCharacterDataHandler(parser, tellsText ? characterData : nil)
    return unsafe withUnsafeMutablePointer(to: &self) { audience in
      // Nobody is called once the piece is parsed, so that the pointer may outlive what it points to.
      unsafe XML_SetUserData(audience.pointee.parser, audience)
      return unsafe bytes.withUnsafeBytes { pointer in
        unsafe XML_Parse(
          audience.pointee.parser, pointer.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(pointer.count), isFinal ? 1 : 0)
      }
    }
  }

  mutating func begin(_ name: UnsafeBufferPointer<UInt8>, _ tag: XMLTag) {
    unsafe heed(kind.begin(receiver, name, tag))
  }

  mutating func end() {
    unsafe heed(kind.end(receiver))
  }

  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe kind.text(receiver, bytes)
  }

  mutating func refuseDocumentType() {
    unsafe hasDocumentType = true
    _ = unsafe XML_StopParser(parser, 0)
  }

  /// Most of a document's text is what indents its elements: expat passes over it faster where nobody listens.
  private mutating func heed(_ wantsText: Bool) {
    guard unsafe wantsText != tellsText else { return }
    unsafe tellsText = wantsText
    unsafe XML_SetCharacterDataHandler(parser, wantsText ? characterData : nil)
  }
}

extension XMLReceiver where Self: ~Copyable {
  /// Tells the receiver that lies there, as do the next two.
  ///
  /// - Returns: Whether it wants text now.
  fileprivate static func begin(
    _ receiver: UnsafeMutableRawPointer, _ name: UnsafeBufferPointer<UInt8>, _ tag: XMLTag
  ) -> Bool {
    let receiver = unsafe receiver.assumingMemoryBound(to: Self.self)
    unsafe receiver.pointee.begin(name.span, tag)
    return unsafe receiver.pointee.wantsText
  }

  fileprivate static func end(_ receiver: UnsafeMutableRawPointer) -> Bool {
    let receiver = unsafe receiver.assumingMemoryBound(to: Self.self)
    unsafe receiver.pointee.end()
    return unsafe receiver.pointee.wantsText
  }

  fileprivate static func text(_ receiver: UnsafeMutableRawPointer, _ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe receiver.assumingMemoryBound(to: Self.self).pointee.text(bytes.span)
  }
}

private func audience(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Audience>? {
  unsafe pointer?.assumingMemoryBound(to: Audience.self)
}

private func beginElement(
  _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let audience = unsafe audience(user), let name = unsafe name else { return }
  let tag = unsafe XMLTag(parser: audience.pointee.parser, list: attributes)
  unsafe audience.pointee.begin(localName(name), tag)
}

private func endElement(_ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  unsafe audience(user)?.pointee.end()
}

private func characterData(
  _ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ length: Int32
) {
  guard let text = unsafe text else { return }
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length)).bindMemory(to: UInt8.self)
  unsafe audience(user)?.pointee.text(bytes)
}

private func documentType(
  _ user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
  _: UnsafePointer<XML_Char>?, _: Int32
) {
  unsafe audience(user)?.pointee.refuseDocumentType()
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
