internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelineNotifying

/// A text with places for what a parcel has: `{"text": "{title}: {body}"}`.
///
/// `{`, a name of small letters, `}` is such a place; every other brace stands for itself. What fills it is written so that it cannot end the text
/// in which it stands.
struct BodyTemplate: Sendable {
  /// How what is filled in is written.
  enum Language: Hashable, Sendable {
    /// Within quotes; numbers without.
    case json
    /// Of URLs and forms.
    case form
    /// Between tags or within quotes.
    case markup
    /// As it is.
    case plain

    /// That of a content type.
    init(contentType: String) {
      let type = (contentType.lowercased().split(separator: ";").first ?? "").filter { !$0.isWhitespace }
      if type == "application/json" || type.hasSuffix("+json") {
        self = .json
      } else if type == "application/x-www-form-urlencoded" {
        self = .form
      } else if type.hasSuffix("/xml") || type.hasSuffix("+xml") || type == "text/html" {
        self = .markup
      } else {
        self = .plain
      }
    }

    func escape(_ text: String) -> String {
      switch self {
      case .json: String(JSONValue.text(text).line.dropFirst().dropLast())
      case .form: BodyTemplate.percentEncoded(text)
      case .markup:
        text.reduce(into: "") {
          $0 += ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"][$1] ?? String($1)
        }
      case .plain: text
      }
    }
  }

  private enum Piece: Hashable, Sendable {
    case text(String)
    case place(String)
  }

  private let pieces: [Piece]
  private let language: Language

  /// The names of places.
  static let names = [
    "title", "body", "kind", "type", "level", "key", "at", "device", "region", "place", "tags", "app",
    "identifier", "number", "run", "sequence", "latitude", "longitude", "json",
  ]

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - text: The template.
  ///   - language: What it is written in.
  /// - Throws: ``ChannelError`` where it names what there is not, or would be no JSON when it is filled.
  init(_ text: String, _ language: Language) throws(ChannelError) {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      plain += rest[..<open]
      let name = rest[rest.index(after: open)...].prefix { $0.isASCII && $0.isLowercase }
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
        plain += "{"
        rest = rest[rest.index(after: open)...]
        continue
      }
      guard BodyTemplate.names.contains(String(name)) else {
        throw ChannelError(
          "The template has a place '{\(name)}', and there is nothing of that name. There are: \(BodyTemplate.names.joined(separator: ", "))."
        )
      }
      pieces += [.text(plain), .place(String(name))]
      plain = ""
      rest = rest[rest.index(after: name.endIndex)...]
    }
    self.pieces = pieces + [.text(plain + rest)]
    self.language = language
    guard language == .json else { return }
    let sample = Parcel(
      number: 0, key: "0", device: "", at: Timestamp(milliseconds: 0), json: .object([]), title: "", body: "")
    do { _ = try JSONNode(parsing: fill(sample).utf8) } catch {
      throw ChannelError(
        "The template is no JSON when it is filled: \(error). Mend it, put texts into quotes, or name another --content-type."
      )
    }
  }

  /// The text with everything filled in.
  func fill(_ parcel: Parcel) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .place(let name): text += value(name, of: parcel)
      }
    }
    return text
  }

  private func value(_ name: String, of parcel: Parcel) -> String {
    switch name {
    case "number": return number(parcel.notification.map { .integer(Int($0.number)) })
    case "run": return number(parcel.run.map { .integer(Int($0)) })
    case "sequence": return number(parcel.sequence.map { .integer(Int($0)) })
    case "latitude": return number(parcel.crossing.map { .number($0.coordinate.latitude) })
    case "longitude": return number(parcel.crossing.map { .number($0.coordinate.longitude) })
    case "json": return language == .json ? parcel.json.line : language.escape(parcel.json.line)
    default: return language.escape(BodyTemplate.text(name, of: parcel))
    }
  }

  /// JSON has a word for a number that is not there.
  private func number(_ value: JSONValue?) -> String { value?.line ?? (language == .json ? "null" : "") }

  private static func text(_ name: String, of parcel: Parcel) -> String {
    switch name {
    case "title": parcel.title
    case "body": parcel.body
    case "kind": parcel.crossing?.kind.rawValue ?? parcel.type
    case "type": parcel.type
    case "level": parcel.level.rawValue
    case "key": parcel.key
    case "at": parcel.at.description
    case "device": parcel.device
    case "region": parcel.crossing?.region ?? parcel.place?.region ?? ""
    case "place": parcel.place?.title ?? parcel.crossing?.region ?? ""
    case "tags": parcel.place?.tags.joined(separator: ",") ?? ""
    case "app": parcel.notification?.app ?? ""
    case "identifier": parcel.notification?.identifier ?? ""
    default: ""
    }
  }

  /// - Source: URL Standard, application/x-www-form-urlencoded, but a space is `%20`, which every reader takes.
  static func percentEncoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      if isPlain || "-._~".utf8.contains(byte) {
        result.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += Array("%\(byte < 16 ? "0" : "")\(digits)".utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
