extension JSONValue {
  /// What was read, to be written again; numbers beyond 2^53 have lost digits in reading.
  public init(_ node: JSONNode) {
    switch node.content {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let value): self = Int(exactly: value).map(JSONValue.integer) ?? .number(value)
    case .text(let value): self = .text(value)
    case .array(let values): self = .array(values.map { JSONValue($0) })
    case .object(let members): self = .object(members.map { Member($0.name, JSONValue($0.value)) })
    }
  }
}
