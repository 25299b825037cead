import FencelineCivilTime
import FencelineJSONText

/// Members of objects in objects, by their names from the outside in; nil where one is missing, null or of another kind.
extension JSONNode {
  func member(_ path: [String]) -> JSONNode? {
    var node = self
    for name in path {
      guard let next = node[name], !next.isNull else { return nil }
      node = next
    }
    return node
  }

  func text(_ path: String...) -> String? { member(path)?.text }
  func number(_ path: String...) -> Double? { member(path)?.number }
  func integer(_ path: String...) -> Int? { member(path)?.number.flatMap { Int(exactly: $0.rounded()) } }
  func list(_ path: String...) -> [JSONNode] { member(path)?.elements ?? [] }
  func counts(_ path: String...) -> [(name: String, count: Int)] {
    (member(path)?.members ?? []).compactMap { name, value in
      value.number.flatMap { Int(exactly: $0) }.map { (name, $0) }
    }
  }

  func truth(_ path: String...) -> Bool? {
    guard case .boolean(let value) = member(path)?.content else { return nil }
    return value
  }

  func time(_ path: String...) -> Timestamp? {
    member(path)?.text.flatMap { ISO8601(parsing: $0.utf8)?.time }
  }
}
