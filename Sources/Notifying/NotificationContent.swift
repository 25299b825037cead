public import FencelineJSONText

/// What a notification says and how it is shown.
public struct NotificationContent: Hashable, Sendable {
  /// The first line.
  public var title = ""
  /// The second one.
  public var subtitle = ""
  /// The text.
  public var body = ""
  /// What is heard; nil is nothing.
  public var sound: NotificationSound?
  /// The number that the app shows from then on; 0 shows none, nil leaves it as it is.
  public var badge: Int?
  /// Whatever the app wants to find again in a response: an object.
  public var userInfo: JSONValue = .object([])
  /// Notifications of one thread are shown together.
  public var threadIdentifier: String?
  /// The category that says which actions it offers.
  public var categoryIdentifier: String?
  /// Which part of the app it belongs to.
  public var targetContentIdentifier: String?
  /// From 0 to 1: which of the app's notifications comes first in a summary.
  public var relevanceScore = 0.0
  /// How urgent it is.
  public var interruptionLevel = InterruptionLevel.active
  /// Pictures, sounds and films, as they are stored.
  public var attachments: [NotificationAttachment] = []

  /// Nothing yet.
  public init() {}

  /// What would be shown is nothing.
  var isBlank: Bool {
    [title, subtitle, body].allSatisfy { $0.allSatisfy(\.isWhitespace) } && badge == nil && sound == nil
      && attachments.isEmpty
  }

  /// The longest text that is taken, in bytes of all texts and of what the app adds.
  public static let mostBytes = 64 << 10
  /// As many pictures as can be attached.
  public static let mostAttachments = 10

  /// Says what keeps it from being shown.
  ///
  /// - Throws: ``NotificationError``.
  public func check() throws(NotificationError) {
    guard !isBlank else {
      throw NotificationError(
        .notificationInvalidNoContent,
        "There is nothing to show: give the notification a title, a body, a sound or a badge.")
    }
    if let badge { try NotificationError.check(badge: badge) }
    try sound?.check()
    guard (0...1).contains(relevanceScore) else {
      throw NotificationError(
        .notificationInvalidNoContent,
        "The relevance is \(relevanceScore), but it goes from 0 to 1. Choose one of these.")
    }
    guard case .object = userInfo else {
      throw NotificationError(
        .notificationInvalidNoContent,
        "What the app adds is no JSON object. Give it names and values, such as {\"order\":17}.")
    }
    let texts = [title, subtitle, body, userInfo.line, threadIdentifier ?? "", targetContentIdentifier ?? ""]
    let size = texts.reduce(0) { $0 + $1.utf8.count }
    guard size <= NotificationContent.mostBytes else {
      throw NotificationError(
        .notificationInvalidNoContent,
        "The notification has \(size) bytes of text, more than \(NotificationContent.mostBytes). Shorten it, or attach a file."
      )
    }
    guard attachments.count <= NotificationContent.mostAttachments else {
      throw NotificationError(
        .attachmentInvalidFileSize,
        "There are \(attachments.count) attachments, more than \(NotificationContent.mostAttachments). Leave some out."
      )
    }
  }
}

/// A file that goes with a notification, as the store of attachments has it.
public struct NotificationAttachment: Hashable, Sendable {
  /// What the app calls it.
  public var identifier: String
  /// SHA-256 of its content, in hexadecimal digits: its name in the store.
  public var hash: String
  /// Such as `image/png`.
  public var type: String
  /// Bytes.
  public var size: Int
  /// What the file was called.
  public var name: String

  /// An attachment that is stored.
  public init(identifier: String, hash: String, type: String, size: Int, name: String) {
    self.identifier = identifier
    self.hash = hash
    self.type = type
    self.size = size
    self.name = name
  }
}
