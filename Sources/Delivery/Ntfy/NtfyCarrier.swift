internal import FencelineHTTPCalling
internal import FencelineJSONText
internal import FencelineNotifying
internal import FencelineTransfers
internal import Glibc

/// Publishes each parcel to a topic, and listens for what phones answer.
final class NtfyCarrier: Carrier {
  private let access: WebAccess
  private let topic: NtfyTopic
  private let answers: NtfyTopic?
  private let listener: NtfyListener?
  private let tags: [String]

  let most = 1
  /// Larger pictures are left out; in bytes. ntfy.sh takes no more.
  private static let mostPicture = 15 << 20

  init(_ setup: ChannelSetup, _ context: ChannelContext) throws(ChannelError) {
    let access = try WebAccess(setup, context)
    self.access = access
    topic = try NtfyCarrier.topic(setup["topic"] ?? "", access)
    let isNamed = setup.isSet("password-file") || setup.isSet("password-env")
    guard setup.isSet("user") == isNamed else {
      throw ChannelError(
        "A user's name and password go together. Give both --user and --password-file, or none.")
    }
    guard !isNamed || !(setup.isSet("token-file") || setup.isSet("token-env")) else {
      throw ChannelError("The channel '\(setup.name)' has a token and a user. Give one of them.")
    }
    if let click = setup["click"] {
      guard WebRequest.isValue(click), click.contains(":"), !click.contains(" ") else {
        throw ChannelError("'\(click)' is no URL. Write it like https://example.org/map.")
      }
    }
    var tags: [String] = []
    for part in (setup["tags"] ?? "").split(separator: ",") {
      let tag = String(part.drop { $0 == " " })
      guard WebRequest.isValue(tag) else {
        throw ChannelError("'\(setup["tags"] ?? "")' are no tags. Write them like 'house,dog'.")
      }
      tags.append(tag)
    }
    self.tags = tags
    guard let text = setup["answers"] else {
      guard !setup.isSet("answers-token-file"), !setup.isSet("answers-token-env") else {
        throw ChannelError("There is a token for answers and no topic for them. Give one with --answers.")
      }
      (answers, listener) = (nil, nil)
      return
    }
    let answers = try NtfyCarrier.topic(text, access)
    guard answers.server == topic.server, answers.name != topic.name else {
      throw ChannelError(
        "'\(text)' is no topic for answers. Choose another topic of the same server, such as \(topic.url)-answers."
      )
    }
    self.answers = answers
    listener = NtfyListener(access, answers) { () throws(ChannelError) in
      if let token = try setup.secret("answers-token", context) {
        return [("Authorization", "Bearer \(token)")]
      }
      return try NtfyCarrier.login(access)
    }
  }

  private static func topic(_ text: String, _ access: WebAccess) throws(ChannelError) -> NtfyTopic {
    let address = try access.address(text, isSecret: false, login: "use --user and --password-file.")
    guard let topic = NtfyTopic(address) else {
      throw ChannelError(
        "'\(text)' is no topic. Write it like https://ntfy.sh/my-topic, with letters, digits, - and _.")
    }
    return topic
  }

  private static func login(_ access: WebAccess) throws(ChannelError) -> [(name: String, value: String)] {
    let setup = access.setup
    if let token = try setup.secret("token", access.context) { return [("Authorization", "Bearer \(token)")] }
    guard let user = setup["user"], let password = try setup.secret("password", access.context) else {
      return []
    }
    return [("Authorization", "Basic " + Base64.text(of: Array("\(user):\(password)".utf8)))]
  }

  func start() throws(ChannelError) { try listener?.start() }

  func stop() {
    access.client.stop()
    listener?.stop()
  }

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    carryEach(parcels, report: report) { parcel in
      do throws(ChannelError) { return try carry(parcel) } catch { return .failed(error.message) }
    }
  }

  private func carry(_ parcel: Parcel) throws(ChannelError) -> CarryOutcome {
    let setup = access.setup
    let login = try NtfyCarrier.login(access)
    let token = try setup.secret("answers-token", access.context)
    guard (login.map(\.value) + [token].compactMap { $0 }).allSatisfy({ WebRequest.isValue($0) }) else {
      throw ChannelError(
        "A secret of channel '\(setup.name)' holds characters that no token has. Write it anew.")
    }
    var message = NtfyMessage(parcel, tags: tags, click: setup["click"])
    if let answers, let notification = parcel.notification {
      message.actions = NtfyAnswer.buttons(for: notification, to: answers, token: token, seal: setup.seal)
    }
    let words = login.flatMap { $0.value.split(separator: " ").dropFirst().map(String.init) }
    let secrets = words + [token].compactMap { $0 }
    var detail = ""
    if setup.isSet("attach"), let picture = NtfyCarrier.picture(of: parcel) {
      if let bytes = NtfyCarrier.read(picture.path), let address = WebAddress(topic.url) {
        let request = try access.request(
          "PUT", address, headers: login + message.headers(file: picture.name), body: bytes)
        let outcome = access.carry(request, hiding: secrets)
        guard outcome.result == .refused else { return outcome }
        detail = "The picture was left out: \(outcome.detail)"
      } else {
        detail = "The picture was left out: it cannot be read, or is larger than 15 MB."
      }
    }
    guard let server = WebAddress(topic.server) else { throw ChannelError("'\(topic.server)' is no server.") }
    let body = Array(message.json(topic: topic.name).line.utf8)
    let request = try access.request(
      "POST", server,
      headers: login + [("Content-Type", "application/json"), ("Idempotency-Key", parcel.key)],
      body: body)
    var outcome = access.carry(request, hiding: secrets)
    if outcome.result == .done { outcome.detail = detail }
    return outcome
  }

  private static func picture(of parcel: Parcel) -> (path: String, name: String)? {
    guard let notification = parcel.notification else { return nil }
    for (attachment, path) in zip(notification.content.attachments, notification.files)
    where attachment.type.hasPrefix("image/") {
      return (path, attachment.name)
    }
    return nil
  }

  private static func read(_ path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= mostPicture {
      let count = unsafe Glibc.read(file, &part, part.count)
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
    return nil
  }
}
