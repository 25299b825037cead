extension ChannelKind {
  /// Every kind that this program has.
  package static let all: [ChannelKind] = [
    .desktop, .ntfy, .email, .webhook, .mqtt, .command, .file, .journald,
  ]

  /// The kind of a name; nil where there is none.
  package static func named(_ name: String) -> ChannelKind? { all.first { $0.name == name } }
}
