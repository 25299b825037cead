extension ChannelKind {
  /// Notifications to phones, through a server of ntfy.
  ///
  /// ntfy has no way to tell that it has got something before: an attempt whose answer is lost is shown twice.
  package static let ntfy = ChannelKind(
    "ntfy", "Send notifications to phones with ntfy.", audience: .people,
    targets: [
      ChannelOption(
        "topic", .text("URL"),
        "The topic: https://ntfy.sh/my-topic, or one of a server of your own, also without encryption by http://."
      )
    ],
    options: ChannelOption.secret("token", "an access token") + [
      ChannelOption("user", .text("NAME"), "The user's name, where there is no token.")
    ] + ChannelOption.secret("password", "the user's password") + [
      ChannelOption("tags", .text("TAGS"), "Tags or names of emojis to be added, with commas between."),
      ChannelOption("click", .text("URL"), "What is opened where a notification is tapped."),
      ChannelOption("attach", .flag, "Send the first picture of a notification along."),
      ChannelOption(
        "answers", .text("URL"),
        "Another topic of the same server, to which phones send what was tapped: up to three actions of a notification become buttons."
      ),
    ]
      + ChannelOption.secret(
        "answers-token",
        "a token for that topic, which every phone with the notification gets to know") + WebAccess.options,
    threads: (usual: 1, most: 4),
    examples: [
      (
        "fenceline channel add ntfy phone https://ntfy.sh/topic --token-file token",
        "Sends notifications to whoever has subscribed to the topic."
      )
    ],
    make: { (setup, context) throws(ChannelError) in try NtfyCarrier(setup, context) })
}
