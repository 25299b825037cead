extension ChannelKind {
  /// Every kind that this program has.
  package static let all: [ChannelKind] = [.webhook, .ntfy, .email]

  /// The kind of a name; nil where there is none.
  package static func named(_ name: String) -> ChannelKind? { all.first { $0.name == name } }
}
