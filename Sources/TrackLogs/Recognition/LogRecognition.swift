import FencelinePositioning

/// What a log's first bytes say about its format.
enum LogRecognition: Equatable, Sendable {
  case format(LogFormat)
  /// No NMEA sentence so far, and nothing else: one may come later.
  case undecided
  /// Something else; the text completes "Cannot read …:".
  case foreign(String)
  /// Content that must not be read, likewise.
  case refused(String)

  /// Looks at the first bytes of a log.
  ///
  /// - Parameters:
  ///   - head: The first bytes, unpacked and in an encoding of which ASCII is a part.
  ///   - name: The log's name, for the commands that convert it.
  init(head: [UInt8], name: LogName) {
    if let text = ForeignContent.binary(head, name) {
      self = .foreign(text)
      return
    }
    let start = head.firstIndex { !isSpace($0) && ![0xef, 0xbb, 0xbf].contains($0) } ?? head.endIndex
    let text = head[start...]
    if text.first == UInt8(ascii: "<"), let recognition = LogRecognition(xml: text, name: name) {
      self = recognition
    } else if let recognition = LogRecognition(lines: text, name: name) {
      self = recognition
    } else if let foreign = ForeignContent.text(text, name) {
      self = .foreign(foreign)
    } else if LogRecognition.holdsSentence(head) {
      self = .format(.nmea)
    } else if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      self =
        LogRecognition.isGoogle(text) ? .format(.google) : .foreign(ForeignContent.json(text, name))
    } else {
      self = .undecided
    }
  }

  /// Whether the first bytes are beyond doubt a log that is a stream, whatever may follow.
  ///
  /// gpsd greets in JSON also where a receiver's own sentences follow, so its greeting alone says nothing.
  static func isStreaming(_ head: ArraySlice<UInt8>, _ name: LogName) -> Bool {
    switch LogRecognition(head: Array(head), name: name) {
    case .format(.nmea): true
    case .format(.gpsdJSON): head.containsText("\"TPV\"")
    default: false
    }
  }

  /// Finds an XML document's first element; nil where there is none in reach.
  private init?(xml text: ArraySlice<UInt8>, name: LogName) {
    var rest = text
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[open...]
      let end: ArraySlice<UInt8>.Index?
      if rest.starts(with: "<!--".utf8) {
        end = rest.end(of: "-->")
      } else if rest.starts(with: "<!DOCTYPE".utf8) {
        guard !rest.prefix(40).lowercasedText.contains("html") else {
          self = .foreign(ForeignContent.xml(root: "html", text, name))
          return
        }
        self = .refused(ForeignContent.documentType)
        return
      } else if rest.starts(with: "<?".utf8) {
        end = rest.end(of: "?>")
      } else {
        let tag = rest.dropFirst().prefix {
          !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        let local = tag.split(separator: UInt8(ascii: ":")).last ?? tag
        let root = String(decoding: local, as: UTF8.self)
        guard let first = root.unicodeScalars.first, first.properties.isAlphabetic, root.utf8.count <= 64,
          root.unicodeScalars.allSatisfy(\.isNameScalar)
        else { return nil }
        self =
          root.lowercased() == "gpx" ? .format(.gpx) : .foreign(ForeignContent.xml(root: root, text, name))
        return
      }
      guard let end else { break }
      rest = rest[end...]
    }
    // The first element is farther away: the decoder will see.
    guard text.starts(with: "<?xml".utf8) || text.starts(with: "<!--".utf8) else { return nil }
    self = .format(.gpx)
  }

  /// Knows formats of lines by what the lines hold; nil where none does.
  private init?(lines text: ArraySlice<UInt8>, name: LogName) {
    var isGPSD = false
    var isFirst = true
    for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      guard let first = line.first(where: { !isSpace($0) }) else { continue }
      if isFirst, first != UInt8(ascii: "#") {
        isFirst = false
        if CSVColumns(header: line) != nil {
          self = .format(.csv)
          return
        }
      }
      guard let brace = line.firstIndex(of: UInt8(ascii: "{")), brace - line.startIndex <= 80 else {
        continue
      }
      let object = line[brace...]
      if let name = GPSDClass.name(in: object), GPSDClass.isKnown(name) {
        isGPSD = true
        if name == "TPV" { break }
      } else if let type = object.end(of: "\"_type\""), object[..<type].count(where: { $0 == 0x7b }) == 1 {
        let isRecord = line[..<brace].count(where: { $0 == 0x09 }) >= 2
        if isRecord || brace == line.firstIndex(where: { !isSpace($0) }) {
          self = .format(.ownTracks)
          return
        }
      } else if line[..<brace].count(where: { $0 == 0x09 }) >= 2, object.containsText("\"tst\"") {
        self = .format(.ownTracks)
        return
      }
    }
    guard isGPSD else { return nil }
    // `gpspipe -r` greets with gpsd's JSON too before it sends the receiver's own sentences.
    let hasReport = text.containsText("\"TPV\"")
    self = .format(!hasReport && LogRecognition.holdsSentence(Array(text)) ? .nmea : .gpsdJSON)
  }

  /// Whether JSON has members of which only Google's location history has the like.
  private static func isGoogle(_ text: ArraySlice<UInt8>) -> Bool {
    let names = [
      "latitudeE7", "semanticSegments", "rawSignals", "timelinePath", "timelineObjects", "topCandidate",
    ]
    return names.contains { text.containsText("\"\($0)\"") }
  }

  private static func holdsSentence(_ bytes: [UInt8]) -> Bool {
    var decoder = NMEADecoder(options: LogOptions())
    var nothing: [Fix] = []
    decoder.decode(bytes.span, into: &nothing)
    return decoder.hasSeenSentence
  }
}

extension Unicode.Scalar {
  /// Whether an element's name may hold it; names that matter are plainer than XML allows.
  fileprivate var isNameScalar: Bool {
    properties.isAlphabetic || (0x30...0x39).contains(value) || "_-.".unicodeScalars.contains(self)
  }
}

extension ArraySlice<UInt8> {
  /// The place behind the first `text`; nil where it does not occur.
  func end(of text: String) -> Index? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return startIndex }
    var rest = self
    while let place = rest.firstIndex(of: first) {
      if self[place...].starts(with: wanted) { return place + wanted.count }
      rest = self[(place + 1)...]
    }
    return nil
  }

  /// Whether `text` occurs.
  func containsText(_ text: String) -> Bool { end(of: text) != nil }

  var lowercasedText: String { String(decoding: self, as: UTF8.self).lowercased() }
}
