internal import FencelineHTTPCalling

/// A topic on a server.
struct NtfyTopic: Hashable, Sendable {
  /// Its own URL, without a slash at the end.
  let url: String
  /// Its name.
  let name: String
  /// The URL of the server, with a slash at the end.
  let server: String

  /// Nil where the path of the URL is no topic's name.
  init?(_ address: WebAddress) {
    let name = address.path.drop { $0 == "/" }
    let bytes = name.utf8
    guard (1...64).contains(bytes.count), address.text.hasSuffix("/" + name),
      bytes.allSatisfy({ NtfyTopic.isNameByte($0) })
    else { return nil }
    self.name = String(name)
    url = address.text
    server = String(address.text.dropLast(name.count))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
