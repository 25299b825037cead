internal import CFencelineYAML
internal import FencelineJSONText

/// YAML as far as people keep lists in it, read by libyaml into the same nodes as JSON.
enum YAMLText {
  /// Reads the first document.
  ///
  /// - Parameter bytes: UTF-8 or UTF-16.
  /// - Returns: Its value: plain words that are numbers, true, false or null are that, other tags than YAML's own stand before their
  ///   text (`!secret home`); nil for no document.
  /// - Throws: `RegionFileError` where it is not YAML, or its aliases would make it larger than a million values.
  static func node(parsing bytes: [UInt8]) throws(RegionFileError) -> JSONNode? {
    // libyaml looks through all anchors for each.
    guard bytes.count(where: { $0 == UInt8(ascii: "&") }) <= 5_000 else {
      throw RegionFileError(
        .content, "It has more than 5,000 marks '&', as for anchors: write the values themselves.")
    }
    // libyaml keeps the addresses of both.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    let document = UnsafeMutablePointer<yaml_document_t>.allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    unsafe document.initialize(to: yaml_document_t())
    defer {
      unsafe parser.deallocate()
      unsafe document.deallocate()
    }
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      throw RegionFileError(.content, "There is not enough memory to read it.")
    }
    defer { unsafe yaml_parser_delete(parser) }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(RegionFileError) in
      unsafe yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      guard unsafe yaml_parser_load(parser, document) == 1 else {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it is not YAML"
        throw RegionFileError(
          .content, "It is not valid YAML: \(problem) in line \(unsafe parser.pointee.problem_mark.line + 1)."
        )
      }
      defer { unsafe yaml_document_delete(document) }
      guard unsafe yaml_document_get_root_node(document) != nil else { return nil }
      var reader = unsafe YAMLDocument(document: document)
      let node = try reader.node(1, depth: 0)
      guard unsafe isAtEnd(parser) else {
        throw RegionFileError(
          .content, "More follows the end of its first YAML document: import the parts one by one.")
      }
      return node
    }
  }
}

/// Whether no other document follows.
private func isAtEnd(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> Bool {
  let next = UnsafeMutablePointer<yaml_document_t>.allocate(capacity: 1)
  unsafe next.initialize(to: yaml_document_t())
  defer { unsafe next.deallocate() }
  guard unsafe yaml_parser_load(parser, next) == 1 else { return false }
  defer { unsafe yaml_document_delete(next) }
  return unsafe yaml_document_get_root_node(next) == nil
}

/// Turns libyaml's nodes, which refer to one another by number, into a tree.
@safe
private struct YAMLDocument {
  private static let deepest = 64
  private static let most = 1_000_000

  let document: UnsafeMutablePointer<yaml_document_t>
  private var count = 0

  init(document: UnsafeMutablePointer<yaml_document_t>) {
    unsafe self.document = document
  }

  mutating func node(_ number: Int32, depth: Int) throws(RegionFileError) -> JSONNode {
    count += 1
    guard depth < YAMLDocument.deepest else {
      throw RegionFileError(.content, "Its values are nested too deeply, or refer to themselves.")
    }
    guard count <= YAMLDocument.most else {
      throw RegionFileError(
        .content, "It holds more than a million values, or some that refer to one another without end.")
    }
    guard let found = unsafe yaml_document_get_node(document, number) else {
      throw RegionFileError(.content, "It is not valid YAML.")
    }
    let node = unsafe found.pointee
    let line = Int(unsafe node.start_mark.line) + 1
    switch unsafe node.type {
    case YAML_SEQUENCE_NODE:
      var elements: [JSONNode] = []
      var item = unsafe node.data.sequence.items.start
      while let place = unsafe item, unsafe place < node.data.sequence.items.top {
        elements.append(try self.node(unsafe place.pointee, depth: depth + 1))
        unsafe item = place + 1
      }
      return JSONNode(line: line, content: .array(elements))
    case YAML_MAPPING_NODE:
      var members: [(name: String, value: JSONNode)] = []
      var merged: [JSONNode] = []
      var item = unsafe node.data.mapping.pairs.start
      while let place = unsafe item, unsafe place < node.data.mapping.pairs.top {
        let key = try self.node(unsafe place.pointee.key, depth: depth + 1)
        let value = try self.node(unsafe place.pointee.value, depth: depth + 1)
        // A merge key: what is not said here is taken from there.
        if key.text == "<<" {
          merged += value.elements ?? [value]
        } else {
          members.append((key.text ?? "", value))
        }
        unsafe item = place + 1
      }
      for member in merged.flatMap(\.members) where !members.contains(where: { $0.name == member.name }) {
        members.append(member)
      }
      return JSONNode(line: line, content: .object(members))
    default:
      let scalar = unsafe node.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      let tag =
        unsafe node.tag.map {
          unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        } ?? ""
      if tag.hasPrefix("!") { return JSONNode(line: line, content: .text("\(tag) \(text)")) }
      let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
      return JSONNode(line: line, content: isPlain ? YAMLDocument.plain(text) : .text(text))
    }
  }

  /// A word without quotes.
  ///
  /// - Source: YAML 1.2.2, 10.3.2, core schema; Home Assistant reads YAML 1.1, whose `yes` and `no` are true and false.
  private static func plain(_ text: String) -> JSONNode.Content {
    switch text.lowercased() {
    case "", "~", "null": return .null
    case "true", "yes", "on": return .boolean(true)
    case "false", "no", "off": return .boolean(false)
    default: return PropertyText.number(text).map(JSONNode.Content.number) ?? .text(text)
    }
  }
}
