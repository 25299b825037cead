/// Something that is asked of a service in the network.
package struct WebRequest: Sendable {
  /// `GET`, `POST`, `PUT`.
  package var method: String
  /// Where.
  package var address: WebAddress
  /// Names and values, without line breaks.
  package var headers: [(name: String, value: String)]
  /// What is sent; nil sends nothing.
  package var body: [UInt8]?
  /// A proxy's URL, perhaps with a user and a password; nil goes there directly. Variables of the environment do not count.
  package var proxy: String?
  /// Milliseconds until there must be a connection.
  package var connectLimit = 10_000
  /// Milliseconds for the whole.
  package var timeLimit = 30_000

  /// A request.
  package init(
    _ method: String, _ address: WebAddress, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
  }

  /// Whether a text can stand as a header's name: a token.
  ///
  /// - Source: RFC 9110, 5.6.2.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { Self.isTokenByte($0) }
  }

  /// Whether a text can stand as a header's value: not empty, without control characters, so that it cannot begin another header.
  package static func isValue(_ text: String) -> Bool {
    !text.isEmpty && text.first != " " && text.last != " "
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// What a service has answered.
package struct WebAnswer: Hashable, Sendable {
  /// Such as 204.
  package var status: Int
  /// The beginning of the content, ``WebClient/mostBody`` bytes at most.
  package var body: [UInt8]
  /// Whether there was more.
  package var isCut: Bool
  /// Seconds after which it wants to be asked again; nil where it does not say, or says a time that is past.
  package var retryAfter: Double?
  /// The host to which it sends elsewhere; nil where it does not.
  package var redirectHost: String?
}
