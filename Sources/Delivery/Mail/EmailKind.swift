extension ChannelKind {
  /// Events as mails.
  package static let email = ChannelKind(
    "email", "Send events as mails.", audience: .people,
    targets: [
      ChannelOption(
        "server", .text("URL"), "The mail server: smtps://mail.example.org, or smtp://mail.example.org:587.")
    ],
    options: [
      ChannelOption("from", .text("ADDRESS"), "Whom mails are from: 'Boat <boat@example.org>'."),
      ChannelOption("to", .text("ADDRESS"), "Whom they are to.", repeatable: true),
      ChannelOption("user", .text("NAME"), "The user's name at the mail server."),
    ] + ChannelOption.secret("password", "the user's password") + [
      ChannelOption(
        "digest", .duration,
        "How long events are collected after a mail, to be sent as one; urgent ones are not. 0 for never, 5m if not said."
      ),
      ChannelOption(
        "plain", .flag,
        "Do without encryption, which smtp:// must offer otherwise (STARTTLS), except on this machine."),
      ChannelOption(
        "ca-file", .file,
        "A file of certificates (PEM) that are trusted instead of the system's, for a private CA."),
      ChannelOption("timeout", .duration, "How long one mail may take, 1s to 10m; 1m if not said."),
    ],
    examples: [
      (
        "fenceline channel add email mail smtp://mail.org --from a@a.org --to b@b.org",
        "Sends mails, encrypted, at most one in 5 minutes where nothing is urgent."
      )
    ],
    make: { (setup, context) throws(ChannelError) in try EmailCarrier(setup, context) })
}
