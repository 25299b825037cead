/// Whom a mail is from or to: an address, and perhaps a name.
package struct MailAddress: Hashable, Sendable {
  /// `ann@example.org`.
  package let address: String
  /// What people call it; empty where it has none.
  package let name: String

  /// Reads `ann@example.org`, `<ann@example.org>` or `Ann Smith <ann@example.org>`; nil where it is none of these, or an address that needs more
  /// than ASCII or quotes.
  package init?(_ text: String) {
    var name = ""
    var address = text
    if text.hasSuffix(">"), let open = text.lastIndex(of: "<") {
      name = text[..<open].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
        name = String(name.dropFirst().dropLast())
      }
      address = String(text[text.index(after: open)...].dropLast())
    }
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ MailAddress.isDotted($0) }), address.utf8.count <= 254,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    self.name = name
    self.address = address
  }

  /// What stands behind the `@`.
  package var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }

  /// As it stands in a message's head.
  package var headerText: String {
    name.isEmpty ? address : "\(MailText.words(name, always: true)) <\(address)>"
  }

  /// Atoms with single points between them.
  ///
  /// - Source: RFC 5322, 3.2.3 (dot-atom).
  private static func isDotted(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.utf8.allSatisfy { isAtomByte($0) }
    }
  }

  private static func isAtomByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
  }
}
