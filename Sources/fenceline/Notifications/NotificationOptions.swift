import FencelineAttachments
import FencelineCommandLineKit
import FencelineEventJournal
import FencelineJSONText
import FencelineNotifying
import FencelineService

/// What a notification says, and what becomes of it when it is late, as options of the commands that make one.
enum NotificationOptions {
  private static let id = Option<String>(
    "id", value: .text(name: "ID", hint: .listed("requests")),
    help: "Its name; a pending one of the same name is replaced.", defaultText: "a new one")
  private static let title = Option<String>("title", value: .text, help: "The first line.", group: "Content")
  private static let subtitle = Option<String>(
    "subtitle", value: .text, help: "The second line.", group: "Content")
  private static let body = Option<String>(
    "body", value: .text,
    help: "The text; {region.title}, {device}, {crossing.at}, {visit.duration} and {due} are filled in.",
    group: "Content")
  private static let sound = Option<String>(
    "sound", value: .text(name: "NAME", hint: .text),
    help: "default, none, critical, or the name of a sound.",
    defaultText: "default", group: "Content")
  private static let volume = Option<Double>(
    "volume", value: .number(), help: "Of a critical sound, 0 to 1.", group: "Content")
  private static let badge = Option<Int>(
    "badge", value: .integer(in: Int.min...Int.max), help: "The number that the app shows then; 0 is none.",
    group: "Content")
  static let level = Option<InterruptionLevel>(
    "level", value: .choice(name: "LEVEL"), help: "How urgent it is.", defaultText: "active", group: "Content"
  )
  static let category = Option<String>(
    "category", value: .text(name: "ID", hint: .listed("categories")),
    help: "What can be done with it: REMINDER, MESSAGE, or one of your own.", group: "Content")
  private static let thread = Option<String>(
    "thread", value: .text, help: "Those of one thread are shown together.", group: "Content")
  private static let target = Option<String>(
    "target", value: .text, help: "The part of the app that it belongs to.", group: "Content")
  private static let relevance = Option<Double>(
    "relevance", value: .number(), help: "0 to 1: which comes first in a summary.", group: "Content")
  private static let info = Option<JSONValue>(
    "info", value: .jsonObject, help: "What the app wants to find again: {\"order\":17}.", group: "Content")
  private static let attach = Option<String>(
    "attach", value: .file,
    help: "A picture, sound or film (JPEG, PNG, GIF, WAV, AIFF, MP3, M4A, MPEG, MP4, AVI), which is copied.",
    repeatable: true, group: "Content")
  private static let misfire = Option<MisfirePolicy.Action>(
    "misfire", value: .misfire,
    help:
      "What becomes of times that were missed: once tells of the last, all or all:N of the last so many, skip of none.",
    defaultText: "once", group: "Late")
  private static let grace = Option<Double>(
    "grace", value: .duration, help: "How late it may be and is not missed.", defaultText: "1m", group: "Late"
  )
  private static let late = Option<Double>(
    "if-past", value: .duration, valueName: "DURATION",
    help: "Deliver at once what is over by no more than this; otherwise that is an error.", group: "Late")

  static let options: [any Declaration] = [
    id, CentreOptions.app, title, subtitle, body, sound, volume, badge, level, category, thread, target,
    relevance,
    info, attach, misfire, grace, late,
  ]

  /// The request that the options describe.
  ///
  /// - Throws: `UsageError` where they contradict each other.
  static func request(_ session: Session, trigger: NotificationTrigger?) throws -> NotificationRequest {
    let arguments = session.arguments
    var content = NotificationContent()
    content.title = arguments[title] ?? ""
    content.subtitle = arguments[subtitle] ?? ""
    content.body = arguments[body] ?? ""
    content.badge = arguments[badge]
    // A badge alone is set in silence.
    content.sound = sound(
      arguments[sound] ?? (isEmpty(content) ? "none" : "default"), arguments[volume])
    content.interruptionLevel = arguments[level] ?? .active
    content.categoryIdentifier = arguments[category]
    content.threadIdentifier = arguments[thread]
    content.targetContentIdentifier = arguments[target]
    content.relevanceScore = arguments[relevance] ?? 0
    content.userInfo = arguments[info] ?? .object([])
    content.attachments = try attachments(session)
    return NotificationRequest(
      app: CentreOptions.app(session), identifier: arguments[id] ?? newIdentifier(), content: content,
      trigger: trigger,
      misfire: MisfirePolicy(arguments[misfire] ?? .once, grace: arguments[grace] ?? 60),
      pastGrace: arguments[late])
  }

  /// Copies what is attached; what becomes of no notification is removed later.
  private static func attachments(_ session: Session) throws -> [NotificationAttachment] {
    let files = session.arguments[all: attach]
    guard !files.isEmpty else { return [] }
    let store = AttachmentStore(database: Journal.trueName(of: try session.serviceDatabase().path))
    var attachments: [NotificationAttachment] = []
    for (place, file) in files.enumerated() {
      do throws(AttachmentError) {
        let stored = try store.add(path: file)
        attachments.append(
          NotificationAttachment(
            identifier: String(place + 1), hash: stored.hash, type: stored.type.mimeType, size: stored.size,
            name: stored.originalName))
      } catch {
        throw NotificationError(
          NotificationError.Code(rawValue: error.code.rawValue) ?? .attachmentInvalidURL, error.message)
      }
    }
    return attachments
  }

  private static func isEmpty(_ content: NotificationContent) -> Bool {
    (content.title + content.subtitle + content.body).allSatisfy(\.isWhitespace)
  }

  private static func sound(_ name: String, _ volume: Double?) -> NotificationSound? {
    switch name {
    case "none": nil
    case "default": NotificationSound(volume: volume)
    case "critical": NotificationSound(isCritical: true, volume: volume)
    default: NotificationSound(name: name, isCritical: volume != nil, volume: volume)
    }
  }

  /// A name that nothing else has.
  private static func newIdentifier() -> String {
    "n-" + String(UInt64.random(in: 0..<(1 << 40)), radix: 36)
  }
}

extension ValueType where Value == MisfirePolicy.Action {
  static var misfire: Self {
    .init(name: "POLICY", hint: .choices(["once", "all", "skip"])) { text throws(ValueError) in
      switch text {
      case "once": return .once
      case "skip": return .skip
      case "all": return .all(MisfirePolicy.most)
      default:
        guard text.hasPrefix("all:"), let number = Int(text.dropFirst(4)),
          (1...MisfirePolicy.most).contains(number)
        else {
          throw ValueError("choose once, skip, all or all:N, with N from 1 to \(MisfirePolicy.most)")
        }
        return .all(number)
      }
    }
  }
}

extension ValueType where Value == JSONValue {
  static var jsonObject: Self {
    .init(name: "JSON", hint: .text) { text throws(ValueError) in
      let node: JSONNode
      do throws(JSONSyntaxError) { node = try JSONNode(parsing: Array(text.utf8)) } catch {
        throw ValueError("a JSON object is needed, such as {\"order\":17}: \(error)")
      }
      guard case .object = node.content else {
        throw ValueError("a JSON object is needed, such as {\"order\":17}")
      }
      guard !node.holdsInexactNumber else {
        throw ValueError("a number in it has more than 15 digits, which are not all kept; give it as a text")
      }
      return JSONValue(node)
    }
  }
}

extension JSONNode {
  /// Whether a whole number is so large that its last digits were lost in reading.
  fileprivate var holdsInexactNumber: Bool {
    switch content {
    case .number(let value): abs(value) > 9_007_199_254_740_991 && value == value.rounded()
    case .array(let values): values.contains(where: \.holdsInexactNumber)
    case .object(let members): members.contains { $0.value.holdsInexactNumber }
    case .null, .boolean, .text: false
    }
  }
}
