extension ChannelKind {
  /// Events to a URL.
  package static let webhook = ChannelKind(
    "webhook", "Send events to a URL.", audience: .machines,
    targets: [
      ChannelOption(
        "url", .text("URL"),
        "Where events go, by https:// or, without encryption, http://; left out where --url-file or --url-env says it.",
        optional: true)
    ], options: webhookOptions, threads: (usual: 2, most: 16),
    examples: [
      (
        "fenceline channel add webhook hub https://hub.example --secret-file secret",
        "Sends CloudEvents, signed."
      ),
      (
        "fenceline channel add webhook chat --url-file url --template-file chat.json",
        "Sends what a chat wants to a URL that is a secret, with chat.json such as {\"text\": \"{title}\"}."
      ),
    ],
    make: { (setup, context) throws(ChannelError) in try WebhookCarrier(setup, context) })

  private static let webhookOptions: [ChannelOption] =
    ChannelOption.secret("url", "the URL, where that is a secret itself")
    + ChannelOption.secret(
      "secret",
      "the secret that signs (Standard Webhooks), in base64 with whsec_ before it or not; a second line holds a second one"
    )
    + [
      ChannelOption("method", .choice(["POST", "PUT"]), "How it is sent; POST if not said."),
      ChannelOption(
        "header", .text("NAME: VALUE"), "A header to be sent, which everybody may see.", repeatable: true),
      ChannelOption(
        "headers-file", .file, "A file with a header on each line, for secret ones such as Authorization."),
      ChannelOption(
        "template-file", .file,
        "A file with what is sent instead of a CloudEvent; {\(BodyTemplate.names.joined(separator: "}, {"))} are filled in."
      ),
      ChannelOption(
        "content-type", .text("TYPE"),
        "What it is said to be; application/cloudevents+json, or application/json with a template, if not said."
      ),
      ChannelOption(
        "source", .text("URI"), "Where CloudEvents say that they come from; /fenceline if not said."),
    ] + WebAccess.options
}
