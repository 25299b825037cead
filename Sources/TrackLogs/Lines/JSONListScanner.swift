/// Finds the objects in the lists of a JSON document, one after the other, however large the document is.
///
/// The lists are the document itself, `[{…}, …]`, or members of it, `{"locations": [{…}, …], …}`; whatever else it holds is
/// passed over. Only what is round the objects is checked here: an object is parsed by who takes it.
struct JSONListScanner: Sendable {
  /// The most bytes of one object.
  static let capacity = 1 << 20

  /// The list of whose objects only the plain members are kept: what those hold in brackets is left empty.
  let shallowList: String
  /// The object found last.
  private(set) var object: [UInt8] = []
  /// The name of the list that it is in; empty where that is the document itself.
  private(set) var list = ""
  /// The number, from 1, of the line that was read last, and of the one on which the object begins.
  private(set) var line = 1
  private(set) var firstLine = 1
  /// Why the scanner cannot go on, as the end of a sentence.
  private(set) var damage: String?

  private enum Text { case none, plain, escaped }
  private var text = Text.none
  /// How many brackets are open, and at which number of them an object of a list is.
  private var depth = 0
  private var objectDepth = 0
  private var isInList = false
  private var isInObject = false
  private var isShallow = false

  init(shallowList: String) {
    self.shallowList = shallowList
  }

  /// The name of the member of the document that is being read, and whether its value may come.
  private var name: [UInt8] = []
  private var hasColon = false

  /// Reads on from `place` to the end of an object.
  ///
  /// - Returns: Whether there is one; false when all of `bytes` is read or the document is damaged.
  mutating func next(in bytes: Span<UInt8>, from place: inout Int) -> Bool {
    if !isInObject { object.removeAll(keepingCapacity: true) }
    while place < bytes.count, damage == nil {
      let byte = bytes[place]
      place += 1
      if byte == 0x0a { line += 1 }
      let wasInObject = isInObject
      let before = depth
      var isEnd = false
      if text != .none { read(text: byte) } else { isEnd = read(mark: byte) }
      guard wasInObject, !isShallow || min(before, depth) <= objectDepth else { continue }
      object.append(byte)
      if object.count > Self.capacity { damage = "a record is longer than 1 MB" }
      if isEnd { return true }
    }
    return false
  }

  /// Takes the end of the stream.
  mutating func finish() {
    if damage == nil, depth > 0 { damage = "it breaks off" }
  }

  private mutating func read(text byte: UInt8) {
    switch (text, byte) {
    case (.escaped, _): text = .plain
    case (_, 0x5c): text = .escaped
    // No text holds an end of line: a quote was lost, and the rest is not all to be taken for text.
    case (_, 0x22), (_, 0x0a): text = .none
    case _ where depth == 1 && !isInList && name.count < 64: name.append(byte)
    default: break
    }
  }

  /// Takes a byte that is in no text.
  ///
  /// - Returns: Whether an object ends with it.
  private mutating func read(mark byte: UInt8) -> Bool {
    switch byte {
    case 0x22:
      text = .plain
      if depth == 1, !isInList, !hasColon { name.removeAll(keepingCapacity: true) }
    case 0x3a: if depth == 1 { hasColon = true }
    case 0x2c: if depth == 1 { hasColon = false }
    case 0x7b, 0x5b: open(byte)
    case 0x7d, 0x5d: return close(byte)
    default:
      if depth == 0, !isSpace(byte), byte < 0x80 { damage = "it is damaged" }
    }
    return false
  }

  private mutating func open(_ byte: UInt8) {
    let isList = byte == 0x5b
    switch depth {
    case 0:
      isInList = isList
      objectDepth = isList ? 2 : 3
      hasColon = false
      list = ""
    case 1 where !isInList:
      // A value without a name: brackets before it do not match.
      if !hasColon { damage = "it is damaged" }
      if isList {
        isInList = true
        list = String(decoding: name, as: UTF8.self)
      }
    default: break
    }
    depth += 1
    if isInList, depth == objectDepth, !isList {
      isInObject = true
      isShallow = list == shallowList
      firstLine = line
      object.append(byte)
    }
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    depth -= 1
    if isInObject {
      guard depth == objectDepth - 1 else { return false }
      isInObject = false
      return true
    }
    if depth < 0 || (isInList && depth == objectDepth - 2 && byte != 0x5d) { damage = "it is damaged" }
    if isInList, depth == objectDepth - 2 { isInList = false }
    return false
  }
}
