/// What a client asks for.
package struct HTTPRequest: Sendable {
  /// `GET`, `POST`, …, as the client wrote it.
  package var method: String
  /// The path without the query, with escapes resolved: `/api/v1/status`.
  package var path: String
  /// What stands behind the `?`; of equal names the last one counts, and a name without a value has an empty one.
  package var query: [String: String]
  /// Headers by their names in small letters.
  package var headers: [String: String]
  /// At most ``maximumBody`` bytes.
  package var body: [UInt8]

  /// The longest body that is taken, in bytes; a longer one is answered with 413 and not kept.
  package static let maximumBody = 1 << 20
}

/// What a client is given.
package enum HTTPAnswer: Sendable {
  /// A status, the content type and the content.
  case body(status: Int, type: String, [UInt8])
  /// Events as they come, until the client goes away, the hub is closed or the server stops; only those with a name in `names` where
  /// that is given, and first those that came after the one with the id `after`.
  case events(EventHub, names: Set<String>? = nil, after: String? = nil)

  /// JSON text.
  package static func json(_ text: String, status: Int = 200) -> HTTPAnswer {
    .body(status: status, type: "application/json", Array((text + "\n").utf8))
  }

  /// A sentence about what went wrong.
  package static func plain(_ text: String, status: Int) -> HTTPAnswer {
    .body(status: status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }
}
