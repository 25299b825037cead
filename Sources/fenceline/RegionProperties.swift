import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy
import FencelineGeofencing

/// The properties of a region as options of `region add` and `region edit`.
enum RegionProperties {
  private enum Notification: String, Sendable, CaseIterable { case entry, exit, none }

  private static let title = Option<String>("title", value: .text, help: "Its name for people.")
  private static let on = Option<[Notification]>(
    "on", value: ValueType<Notification>.choice(name: "KIND").list(), help: "Which crossings are wanted.",
    defaultText: "entry,exit", group: "Notifications")
  private static let dwell = Option<Double>(
    "dwell", value: .duration, help: "Also tell when a visit has lasted so long.", repeatable: true,
    group: "Notifications")
  private static let once = Flag(
    "once", help: "Notify only once, until it is armed again.", invertible: true, group: "Notifications")
  private static let cooldown = Option<Double>(
    "cooldown", value: .duration, help: "After a notification want none for so long.", group: "Notifications")
  private static let active = Option<ActiveWindow>(
    "active", value: .activeWindow,
    help: "When notifications are wanted: 'Mon-Fri 08:00-18:00 Europe/Zurich'.",
    repeatable: true, group: "Notifications")
  private static let profile = Option<Profile>(
    "profile", value: .choice(name: "PROFILE"), help: "How much evidence makes a crossing.",
    defaultText: "that of the run: balanced", group: "Evidence")
  private static let enterAfter = Option<Double>(
    "enter-after", value: .duration, help: "An entry counts after so long inside.",
    defaultText: "the profile's",
    group: "Evidence")
  private static let exitAfter = Option<Double>(
    "exit-after", value: .duration, help: "An exit counts after so long outside.",
    defaultText: "the profile's",
    group: "Evidence")
  private static let exitMargin = Option<Double>(
    "exit-margin", value: .length, help: "A fix speaks for outside so far beyond the perimeter.",
    defaultText: "the profile's", group: "Evidence")
  private static let initial = Option<InitialCrossing>(
    "initial", value: .choice(name: "CROSSING"), help: "What a device gives that is found inside at first.",
    defaultText: "none", group: "Evidence")
  private static let expires = Option<Timestamp>("expires", value: .time, help: "When the region ends.")
  private static let device = Option<String>(
    "device", value: .deviceGlob, help: "Only for devices whose name matches.", defaultText: "*",
    repeatable: true)
  private static let tag = Option<String>(
    "tag", value: .text, help: "A word to group it by.", repeatable: true)
  private static let priority = Option<Int>(
    "priority", value: .integer(in: Region.Limits.priority),
    help: "Which of several comes first; higher first.",
    defaultText: "0")

  /// What `region edit` can take away again.
  enum Clearable: String, Sendable, CaseIterable {
    case title, dwell, cooldown, active, profile, enterAfter = "enter-after", exitAfter = "exit-after"
    case exitMargin = "exit-margin", expires, device, tag
  }

  static let options: [any Declaration] = [
    title, device, tag, priority, expires, on, dwell, once, cooldown, active, profile, enterAfter, exitAfter,
    exitMargin,
    initial,
  ]

  /// Puts what was given into a region.
  static func apply(_ arguments: Arguments, to region: inout Region) throws {
    if let title = arguments[title] { region.title = title }
    if let kinds = arguments[on] {
      guard kinds == [.none] || !kinds.contains(.none) else {
        throw UsageError("With '--on none' no other kind can be wanted.")
      }
      region.notifyOnEntry = kinds.contains(.entry)
      region.notifyOnExit = kinds.contains(.exit)
    }
    if !arguments[all: dwell].isEmpty { region.dwell = arguments[all: dwell].sorted() }
    if let once = arguments[ifGiven: once] { region.repeats = !once }
    if let cooldown = arguments[cooldown] { region.cooldown = cooldown }
    if !arguments[all: active].isEmpty { region.active = arguments[all: active] }
    if let profile = arguments[profile] { region.profile = profile }
    if let seconds = arguments[enterAfter] { region.enterAfter = seconds }
    if let seconds = arguments[exitAfter] { region.exitAfter = seconds }
    if let metres = arguments[exitMargin] { region.exitMargin = metres }
    if let initial = arguments[initial] { region.initial = initial }
    if let time = arguments[expires] { region.expires = time }
    if !arguments[all: device].isEmpty { region.devices = arguments[all: device] }
    if !arguments[all: tag].isEmpty { region.tags = arguments[all: tag] }
    if let priority = arguments[priority] { region.priority = priority }
  }

  /// Gives a property its default again.
  static func clear(_ property: Clearable, of region: inout Region) {
    switch property {
    case .title: region.title = nil
    case .dwell: region.dwell = []
    case .cooldown: region.cooldown = nil
    case .active: region.active = []
    case .profile: region.profile = nil
    case .enterAfter: region.enterAfter = nil
    case .exitAfter: region.exitAfter = nil
    case .exitMargin: region.exitMargin = nil
    case .expires: region.expires = nil
    case .device: region.devices = ["*"]
    case .tag: region.tags = []
    }
  }

  /// Refuses a region that may not stand, with all that is wrong.
  static func check(_ region: Region) throws {
    let problems = region.problems()
    guard problems.isEmpty else {
      throw Failure(Status.usage, problems.map(\.message).joined(separator: " "))
    }
  }
}
