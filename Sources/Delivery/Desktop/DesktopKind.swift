extension ChannelKind {
  /// Shows each event on the desktop.
  package static let desktop = ChannelKind(
    "desktop", "Show notifications on the desktop of the user who runs the service.", audience: .people,
    options: [
      ChannelOption(
        "address", .text("ADDRESS"),
        "The session bus, such as unix:path=/run/user/1000/bus. The one of the service's environment where unset."
      ),
      ChannelOption(
        "app-name", .text("NAME"), "Who notifies, for all of them. The app of each where unset."),
      ChannelOption(
        "alarm", .words("PROGRAM"),
        "A program with its arguments that runs for each critical one, such as a player of sounds: a desktop that is not to be disturbed "
          + "may hold back even those. No shell reads them."),
    ],
    examples: [
      ("fenceline channel add desktop screen", "Show notifications on this desktop."),
      (
        "fenceline channel add desktop screen --alarm '[\"paplay\",\"/tmp/a.oga\"]'",
        "Sound an alarm for critical ones too."
      ),
    ],
    make: { setup, context throws(ChannelError) in
      for name in ["address", "app-name"] where setup.isSet(name) {
        guard let value = setup[name], !value.isEmpty, !value.utf8.contains(0) else {
          throw ChannelError(
            "--\(name) of channel '\(setup.name)' is empty. Give it a value, or leave it out.")
        }
      }
      let alarm = setup[all: "alarm"]
      guard alarm.first != "", !alarm.contains(where: { $0.utf8.contains(0) }) else {
        throw ChannelError("'\(alarm[0])' is no program for --alarm of channel '\(setup.name)'. Name one.")
      }
      return DesktopCarrier(
        channel: setup.name, address: setup["address"], appName: setup["app-name"], alarm: alarm,
        context: context)
    })
}
