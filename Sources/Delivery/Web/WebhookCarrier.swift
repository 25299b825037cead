internal import FencelineHTTPCalling
internal import FencelineJSONText
internal import Glibc

/// Sends each parcel to a URL.
final class WebhookCarrier: Carrier {
  private let access: WebAccess
  private let headers: [WebHeader]
  private let template: BodyTemplate?
  private let contentType: String
  private let source: String

  let most = 1

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    access = try WebAccess(setup, context)
    var headers: [WebHeader] = []
    for line in setup[all: "header"] { headers.append(try WebHeader(line, isSecret: false)) }
    self.headers = headers
    source = setup["source"] ?? "/fenceline"
    guard WebRequest.isValue(source), source.unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " }) else {
      throw ChannelError(
        "The source '\(source)' is no URI. Write it like /fenceline or https://example.org/boat.")
    }
    let path = setup["template-file"]
    contentType = setup["content-type"] ?? (path == nil ? "application/cloudevents+json" : "application/json")
    guard WebRequest.isValue(contentType), contentType.contains("/") else {
      throw ChannelError("'\(contentType)' is no content type. Write it like application/json.")
    }
    let language = BodyTemplate.Language(contentType: contentType)
    if let path {
      template = try BodyTemplate(ChannelSetup.read(path, for: setup.name), language)
    } else {
      guard language == .json else {
        throw ChannelError(
          "CloudEvents are JSON, which '\(contentType)' is not. Leave it out, or say with --template-file what is sent."
        )
      }
      template = nil
    }
    let places = ["url", "url-file", "url-env"].filter { setup.isSet($0) }
    guard places.count == 1 else {
      throw ChannelError(
        "The channel '\(setup.name)' has \(places.isEmpty ? "no URL" : "several URLs"). Give one: as it is, or with --url-file or --url-env."
      )
    }
    if let url = setup["url"] { _ = try address(url, isSecret: false) }
  }

  private func address(_ text: String, isSecret: Bool) throws(ChannelError) -> WebAddress {
    try access.address(
      text, isSecret: isSecret,
      login: "write 'Authorization: Basic …' into a file and name that with --headers-file.")
  }

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    carryEach(parcels, report: report) { parcel in
      do throws(ChannelError) { return try carry(parcel) } catch { return .failed(error.message) }
    }
  }

  func stop() { access.client.stop() }

  private func carry(_ parcel: Parcel) throws(ChannelError) -> CarryOutcome {
    let setup = access.setup
    let hidden = try setup.secret("url", access.context)
    let address = try address(hidden ?? setup["url"] ?? "", isSecret: hidden != nil)
    let body = Array((template?.fill(parcel) ?? parcel.cloudEvent(source: source).line).utf8)
    var all: [(name: String, value: String)] = [("Content-Type", contentType)]
    let id = WebRequest.isValue(parcel.key) ? parcel.key : BodyTemplate.percentEncoded(parcel.key)
    all.append(("Idempotency-Key", id))
    for header in headers { all.append((header.name, header.value)) }
    // A server may repeat a part of it alone.
    var secrets = [hidden].compactMap { $0 }
    secrets += (hidden ?? "").split { "/?&=#".contains($0) }.map(String.init).filter { $0.utf8.count > 5 }
    if let path = setup["headers-file"] {
      for line in try lines(of: path) {
        let header = try WebHeader(line, isSecret: true)
        all.append((header.name, header.value))
        // The server may repeat the last word of it alone.
        secrets +=
          [header.value] + header.value.split(separator: " ").map(String.init).filter { $0.count > 5 }
      }
    }
    let keys = try signingSecrets()
    secrets += keys
    if !keys.isEmpty {
      guard let signature = WebhookSignature(secrets: keys) else {
        throw ChannelError(
          "The secret of channel '\(setup.name)' is no base64. Make one with 'openssl rand -base64 32'.")
      }
      all += signature.headers(id: id, seconds: time(nil), body: body)
    }
    let request = try access.request(setup["method"] ?? "POST", address, headers: all, body: body)
    return access.carry(request, hiding: secrets)
  }

  private func signingSecrets() throws(ChannelError) -> [String] {
    let setup = access.setup
    // Whether it is there at all, and not empty.
    guard let first = try setup.secret("secret", access.context) else { return [] }
    guard !setup.isSet("secret-env"), let path = setup["secret-file"] else { return [first] }
    return try lines(of: path)
  }

  private func lines(of path: String) throws(ChannelError) -> [String] {
    let text = try ChannelSetup.read(path, for: access.setup.name)
    return text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
  }
}
