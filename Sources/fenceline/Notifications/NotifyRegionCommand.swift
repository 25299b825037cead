import FencelineCommandLineKit
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineNotifying
import FencelineService

/// `fenceline notify region`: notifications at a place.
enum NotifyRegionCommand {
  private enum Kind: String, Sendable, CaseIterable { case entry, exit, dwell }

  private static let id = Positional<String>(
    "REGION", value: .regionID,
    help: "A region that exists, or with --at the name of one that is made for this.")
  private static let on = Option<[Kind]>(
    "on", value: ValueType<Kind>.choice(name: "KIND").list(), help: "Which crossings.",
    defaultText: "entry,exit",
    group: "Place")
  private static let isRepeated = Flag("repeat", help: "Each time, not only the first.", group: "Place")
  private static let initial = Flag(
    "initial", help: "Also for a device that is inside already; else only one that comes in counts.",
    group: "Place")
  private static let place = Option<Coordinate>(
    "at", value: .coordinate, valueName: "LAT,LON",
    help: "Make a region here that is there for this request alone: '47.3769,8.5417'.", group: "Place")
  private static let radius = Option<Double>(
    "radius", value: .length, help: "Its radius.", defaultText: "100m", group: "Place")
  private static let device = Option<String>(
    "device", value: .deviceGlob, help: "Which devices it is for.", defaultText: "*", repeatable: true,
    group: "Place")

  static let region = Command(
    "region", "Be told when a device comes to a place or leaves it.",
    discussion: """
      A device that was outside and comes in makes an entry; one that is inside already does not, unless --initial is given. What a region \
      tells by itself is left to such requests where there are some.
      """,
    examples: [
      .init(
        "fenceline notify region office --on entry --title 'Badge in'",
        "The next time that a device comes in."),
      .init(
        "fenceline notify region shop --at 47.37,8.54 --on entry --title Milk",
        "At a place that is watched for this alone."),
      .init(
        "fenceline notify region site --repeat --body 'After {visit.duration}.'", "Each time."),
    ],
    positionals: [id],
    options: [on, isRepeated, initial, place, radius, device] + NotificationOptions.options,
    run: Session.running { session in
      let arguments = session.arguments
      let kinds = arguments[on] ?? [.entry, .exit]
      let trigger = LocationTrigger(
        region: arguments[id], onEntry: kinds.contains(.entry), onExit: kinds.contains(.exit),
        onDwell: kinds.contains(.dwell), repeats: arguments[isRepeated], initial: arguments[initial])
      let request = try NotificationOptions.request(session, trigger: .location(trigger))
      let own = try ownRegion(arguments, trigger)
      own?.warnings.forEach(session.warn)
      let added = try session.centre(.write).add(request, in: own, at: .now)
      try NotifyCommands.tell(added, of: request, session) { due in
        due == nil ? sentence(trigger, kinds) : "Reminder will appear now: a device is inside already."
      }
      return Status.done
    })

  private static func ownRegion(_ arguments: Arguments, _ trigger: LocationTrigger) throws -> Region? {
    guard let centre = arguments[place] else {
      guard arguments[radius] == nil, arguments[all: device].isEmpty else {
        throw UsageError(
          "A region that exists has its radius and devices. Say where a new one is with --at, or leave them out."
        )
      }
      return nil
    }
    guard !trigger.onDwell else {
      throw UsageError(
        "A region that is made for a request knows no dwell. Add it with 'fenceline region add --dwell' first."
      )
    }
    var region = Region(id: trigger.region, centre: centre, radius: arguments[radius] ?? 100)
    (region.notifyOnEntry, region.notifyOnExit) = (trigger.onEntry, trigger.onExit)
    let devices = arguments[all: device]
    if !devices.isEmpty { region.devices = devices }
    try RegionProperties.check(region)
    return region
  }

  private static func sentence(_ trigger: LocationTrigger, _ kinds: [Kind]) -> String {
    let name = "'\(printable(trigger.region))'"
    var verbs: [String] = []
    if trigger.onEntry { verbs.append("enters") }
    if trigger.onExit { verbs.append("leaves") }
    if trigger.onDwell { verbs.append("stays in") }
    return
      "Reminder will appear \(trigger.repeats ? "each time" : "the next time") a device \(verbs.joined(separator: " or ")) \(name)."
  }
}
