internal import CFencelineExpat
internal import Glibc

/// The tag with which an element is just beginning; it can be read until the receiver has taken it, and no longer.
@safe
public struct XMLTag {
  private let parser: XML_Parser
  private let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

  init(parser: XML_Parser, list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    unsafe self.parser = parser
    unsafe self.list = list
  }

  /// The line on which it begins, from 1.
  public var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

  /// The value of the attribute `name`, else of one that has a prefix before that name; nil where there is none.
  public subscript(name: StaticString) -> String? {
    value(of: name) { $0.text }
  }

  /// Reads the same value where it lies.
  ///
  /// - Parameters:
  ///   - name: The attribute.
  ///   - read: What to make of the value, in UTF-8.
  /// - Returns: What `read` returns; nil where there is no such attribute.
  @inlinable
  public func value<Value>(of name: StaticString, _ read: (Span<UInt8>) -> Value?) -> Value? {
    guard let value = unsafe value(of: name) else { return nil }
    return unsafe read(value.span)
  }

  @usableFromInline
  func value(of name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard var pair = unsafe list else { return nil }
    let wanted = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: XML_Char.self)
    var prefixed: UnsafePointer<XML_Char>?
    while let key = unsafe pair[0], let value = unsafe pair[1] {
      if unsafe strcmp(key, wanted) == 0 { return unsafe wholeText(value) }
      if unsafe prefixed == nil, let colon = unsafe strrchr(key, 0x3a), unsafe strcmp(colon + 1, wanted) == 0
      {
        unsafe prefixed = value
      }
      unsafe pair += 2
    }
    return unsafe prefixed.map { unsafe wholeText($0) }
  }

  /// All attributes, by their local names; where one bears the name of another that has a prefix, it comes first.
  public var attributes: [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var prefixed: [(name: String, value: String)] = []
    guard var pair = unsafe list else { return [] }
    while let key = unsafe pair[0], let value = unsafe pair[1] {
      let name = unsafe localName(key).span.text
      let member = unsafe (name: name, value: String(cString: value))
      if unsafe strchr(key, 0x3a) == nil { found.append(member) } else { prefixed.append(member) }
      unsafe pair += 2
    }
    return found + prefixed
  }
}

@available(*, unavailable)
extension XMLTag: Sendable {}

extension Span<UInt8> {
  /// The text that it is in UTF-8.
  public var text: String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Whether it is the ASCII text `text`.
  @inlinable @inline(__always)
  public func isText(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for place in 0..<count where unsafe self[unchecked: place] != text.utf8Start[place] { return false }
    return true
  }
}

/// The bytes of a text up to its end.
private func wholeText(_ text: UnsafePointer<XML_Char>) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).bindMemory(to: UInt8.self)
}

/// What follows the last colon of a name.
func localName(_ name: UnsafePointer<XML_Char>) -> UnsafeBufferPointer<UInt8> {
  var (start, end) = (0, 0)
  while unsafe name[end] != 0 {
    if unsafe name[end] == 0x3a { start = end + 1 }
    end += 1
  }
  return unsafe UnsafeRawBufferPointer(start: name + start, count: end - start).bindMemory(to: UInt8.self)
}
