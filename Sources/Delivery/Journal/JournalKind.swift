extension ChannelKind {
  /// Writes each event into systemd's journal.
  package static let journald = ChannelKind(
    "journald", "Write each event into systemd's journal, with fields such as FENCELINE_DEVICE.",
    audience: .machines,
    options: [
      ChannelOption(
        "texts", .flag,
        "Write titles and texts too. Without it an entry says who, where by the region's identifier, and what; positions are in none."
      )
    ],
    examples: [
      ("fenceline channel add journald log", "Write crossings: 'journalctl FENCELINE_CHANNEL=log'.")
    ],
    make: { setup, _ throws(ChannelError) in
      JournalCarrier(channel: setup.name, hasTexts: setup.isSet("texts"))
    })
}
