import FencelineCommandLineKit
import FencelineService
import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineRegionFiles

/// `fenceline region`: the circles that are watched.
enum RegionCommands {
  static let region = Command(
    "region", "Register, change and list regions.",
    discussion:
      "A region is a circle with an id; what is wanted of it and how crossings are decided are its properties.",
    examples: [
      .init("fenceline region add home 47.3769,8.5417 150m --title Home", "Register a circle."),
      .init("fenceline region import regions.geojson", "Register the regions of a file."),
      .init("fenceline region near 47.37 8.54", "List the regions round a place."),
    ],
    subcommands: [
      add, list, show, edit, remove, enable, disable, rearm, near, RegionImportCommand.import,
      RegionExportCommand.export,
    ])

  private static let id = Positional<String>("ID", value: .regionID, help: "The region's id.")
  private static let newID = Positional<String>(
    "ID", value: .text, help: "A name for commands, unlike any other region's.")
  private static let ids = Positional<String>(
    "ID", value: .regionID, help: "The regions' ids.", repeatable: true)
  private static let place = Positional<Coordinate>(
    "LAT LON", value: .coordinate,
    help: "Latitude and longitude: 47.3769 8.5417, or '47 22 36.8 N 8 32 30 E'.")
  private static let radius = Positional<Double>(
    "RADIUS", value: .length, help: "From the centre to the perimeter: 250m.")

  // MARK: Changing

  private static let add = Command(
    "add", "Register a region.",
    examples: [
      .init(
        "fenceline region add office 47.3769 8.5417 250m --dwell 10m",
        "Tell of entries, exits and ten-minute stays."),
      .init(
        "fenceline region add gate -33.8568,151.2153 30m --profile fast --on entry",
        "Tell of entries, quickly."),
    ],
    positionals: [newID, place, radius], options: RegionProperties.options,
    run: Session.running { session in
      var region = Region(
        id: session.arguments[newID], centre: session.arguments[place], radius: session.arguments[radius])
      try RegionProperties.apply(session.arguments, to: &region)
      try RegionProperties.check(region)
      let change = try session.journal(.write).store([region], update: false)
      guard change.conflicts.isEmpty else {
        throw Failure(
          Status.cannotCreate,
          "There is a region '\(printable(region.id))' already. Change it with 'fenceline region edit', or choose another id."
        )
      }
      region.warnings.forEach(session.warn)
      session.note("region '\(printable(region.id))' added")
      return Status.done
    })

  private static let centre = Option<Coordinate>(
    "centre", value: .coordinate, valueName: "LAT,LON", help: "Move it here: '47.3769,8.5417'.")
  private static let newRadius = Option<Double>(
    "radius", value: .length, help: "From the centre to the perimeter.")
  private static let clear = Option<RegionProperties.Clearable>(
    "clear", value: .choice(name: "PROPERTY"), help: "Give a property its default again.", repeatable: true)

  private static let edit = Command(
    "edit", "Change properties of a region.",
    discussion:
      "What is not named stays. A list (--dwell, --active, --device, --tag) takes the place of the one before.",
    examples: [
      .init(
        "fenceline region edit office --radius 300m --dwell 15m", "Enlarge it and change the dwell time."),
      .init("fenceline region edit office --clear dwell", "Want no dwells any more."),
    ],
    positionals: [id], options: [centre, newRadius, clear] + RegionProperties.options,
    run: Session.running { session in
      let journal = try session.journal(.write)
      let id = session.arguments[id]
      let change = try journal.updateRegion(id) { region in
        if let centre = session.arguments[centre] { region.centre = centre }
        if let radius = session.arguments[newRadius] { region.radius = radius }
        for property in session.arguments[all: clear] { RegionProperties.clear(property, of: &region) }
        try RegionProperties.apply(session.arguments, to: &region)
        try RegionProperties.check(region)
      }
      guard let (old, region) = change else { throw try unknown(id, in: journal) }
      if region.radius != old.radius { region.warnings.forEach(session.warn) }
      session.note("region '\(printable(region.id))' \(region == old ? "is just so already" : "changed")")
      return Status.done
    })

  private static let remove = Command(
    "remove", "Remove regions; history goes on naming them.",
    examples: [.init("fenceline region remove office gate", "Remove two regions.")], positionals: [ids],
    run: Session.running { try change($0, "removed") { try $0.removeRegions($1) } })

  private static let enable = Command(
    "enable", "Watch regions again.", examples: [.init("fenceline region enable office", "Watch it again.")],
    positionals: [ids], run: Session.running { try change($0, "enabled") { try $0.enableRegions($1, true) } })

  private static let disable = Command(
    "disable", "Keep regions but do not watch them.",
    examples: [.init("fenceline region disable office", "Pause it.")], positionals: [ids],
    run: Session.running { try change($0, "disabled") { try $0.enableRegions($1, false) } })

  private static let rearm = Command(
    "rearm", "Let regions that notify only once do so again.",
    examples: [.init("fenceline region rearm office", "Tell once more.")], positionals: [ids],
    run: Session.running { try change($0, "armed") { try $0.rearmRegions($1) } })

  private static func change(
    _ session: Session, _ done: String, _ body: (Journal, [String]) throws -> [String]
  ) throws -> Int32 {
    let journal = try session.journal(.write)
    let ids = session.arguments[all: ids]
    if let missing = try body(journal, ids).first {
      throw try unknown(missing, in: journal, "; nothing was changed")
    }
    session.note("\(counted(ids.count, "region")) \(done)")
    return Status.done
  }

  private static func find(_ id: String, in journal: Journal) throws -> StoredRegion {
    guard let region = try journal.region(id) else { throw try unknown(id, in: journal) }
    return region
  }

  private static func unknown(_ id: String, in journal: Journal, _ effect: String = "") throws -> Failure {
    let ids = try journal.regions().map(\.region.id)
    let suggestion = nearest(to: id, in: ids).map { "Did you mean '\(printable($0))'?" }
    return Failure(
      Status.usage,
      "There is no region '\(printable(id))'\(effect). \(suggestion ?? "'fenceline region list' lists them.")"
    )
  }

  // MARK: Looking

  private static let tag = Option<String>(
    "tag", value: .text, help: "Only regions with this tag.", repeatable: true)

  private static let list = Command(
    "list", "List the regions.",
    examples: [
      .init("fenceline region list --json", "List them for a script."),
      .init("fenceline region list --tag work", "List some."),
    ], options: [tag],
    run: Session.running { session in
      let tags = session.arguments[all: tag]
      let regions = try session.journal(.read).regions().filter { stored in
        tags.allSatisfy(stored.region.tags.contains)
      }
      if session.isJSON {
        for region in regions { try session.output.writeLine(json(region).line) }
        return Status.done
      }
      guard !regions.isEmpty else {
        session.note(
          tags.isEmpty
            ? "There are no regions yet. Add one with 'fenceline region add', or some with 'fenceline region import'."
            : "There is no region with such a tag."
        )
        return Status.done
      }
      var table = Table([
        .init("ID", shrinksTo: 8), .init("Title", priority: 1, shrinksTo: 8, hidesEmpty: true),
        .init("Centre", priority: 5), .init("Radius", alignment: .right),
        .init("Profile", priority: 4, hidesEmpty: true), .init("Wanted", priority: 2, shrinksTo: 6),
        .init("Devices", priority: 6, shrinksTo: 6, hidesEmpty: true),
        .init("Tags", priority: 7, shrinksTo: 6, hidesEmpty: true),
        .init("State", priority: 3, hidesEmpty: true),
      ])
      for stored in regions {
        let region = stored.region
        table.append([
          region.id, region.title ?? "",
          region.centre.latitude.fixed(5) + "," + region.centre.longitude.fixed(5),
          lengthText(region.radius), region.profile?.rawValue ?? "", region.wanted,
          region.devices == ["*"] ? "" : region.devices.joined(separator: ","),
          region.tags.joined(separator: ","),
          stored.state == "enabled" ? "" : stored.state,
        ])
      }
      try session.output.write(table.text(on: session.terminal.output))
      session.note(counted(regions.count, "region"))
      return Status.done
    })

  private static let show = Command(
    "show", "Show all properties of a region.", examples: [.init("fenceline region show office", "Show it.")],
    positionals: [id],
    run: Session.running { session in
      let stored = try find(session.arguments[id], in: session.journal(.read))
      if session.isJSON {
        try session.output.writeLine(json(stored).line)
        return Status.done
      }
      let rows = stored.properties
      let width = rows.map(\.name.count).max() ?? 0
      for row in rows {
        let name = row.name + String(repeating: " ", count: width - row.name.count)
        try session.output.writeLine("\(session.terminal.output.style.bold(name))  \(printable(row.value))")
      }
      return Status.done
    })

  private static let limit = Option<Int>(
    "limit", value: .integer(in: 1...1_000_000), help: "At most so many.", defaultText: "10")

  private static let near = Command(
    "near", "List the regions whose perimeter is nearest to a place.",
    examples: [.init("fenceline region near 47.3769 8.5417", "List the ten nearest.")], positionals: [place],
    options: [limit],
    run: Session.running { session in
      let here = session.arguments[place]
      let found = try session.journal(.read).regions().map { stored in
        (stored: stored, region: stored.region, distance: here.distance(to: stored.region.centre))
      }
      let ranked = found.sorted {
        (abs($0.distance - $0.region.radius), $0.region.id) < (
          abs($1.distance - $1.region.radius), $1.region.id
        )
      }.prefix(session.arguments[limit] ?? 10)
      var table = Table([
        .init("Region", shrinksTo: 8), .init("Title", priority: 2, shrinksTo: 8, hidesEmpty: true),
        .init("Perimeter", alignment: .right),
        .init("Side"), .init("Centre", alignment: .right, priority: 1),
        .init("Direction", alignment: .right, priority: 1),
        .init("State", priority: 3, hidesEmpty: true),
      ])
      for (stored, region, distance) in ranked {
        let gap = distance - region.radius
        let azimuth = here.azimuth(to: region.centre)
        if session.isJSON {
          let value: JSONValue = [
            "id": .text(region.id), "perimeter": .number(Double(abs(gap).fixed(3)) ?? 0),
            "inside": .boolean(gap <= 0),
            "centre": .number(Double(distance.fixed(3)) ?? 0),
            "azimuth": .number(Double(azimuth.fixed(2)) ?? 0),
            "enabled": .boolean(region.isEnabled),
          ]
          try session.output.writeLine(value.line)
        } else {
          table.append([
            region.id, region.title ?? "", lengthText(abs(gap)), gap <= 0 ? "inside" : "outside",
            lengthText(distance),
            distance < 1 ? "" : azimuth.fixed(0) + "°", stored.state == "enabled" ? "" : stored.state,
          ])
        }
      }
      guard !session.isJSON else { return Status.done }
      guard !ranked.isEmpty else {
        session.note("There are no regions yet.")
        return Status.done
      }
      try session.output.write(table.text(on: session.terminal.output))
      return Status.done
    })

  private static func json(_ stored: StoredRegion) -> JSONValue {
    let region = stored.region
    let place: [JSONValue.Member] = [
      .init("id", .text(region.id)), .init("latitude", .number(region.centre.latitude)),
      .init("longitude", .number(region.centre.longitude)), .init("radius", .number(region.radius)),
      .init("enabled", .boolean(region.isEnabled)),
    ]
    let armed: [JSONValue.Member] = stored.isArmed ? [] : [.init("armed", false)]
    return .object(place + region.jsonMembers.filter { $0.name != "enabled" } + armed)
  }
}

extension StoredRegion {
  /// `enabled`, `disabled`, `expired` by the system's clock, or `disarmed`: it is watched and does not notify any more.
  fileprivate var state: String {
    guard region.isEnabled else { return "disabled" }
    if let expires = region.expires, expires <= LocalTime.now { return "expired" }
    return isArmed ? "enabled" : "disarmed"
  }

  /// Every property in words; those that the profile decides with what it decides.
  fileprivate var properties: [(name: String, value: String)] {
    region.properties(state: state)
  }
}

extension Region {
  /// `entry exit dwell 10 min`: which crossings are wanted.
  fileprivate var wanted: String {
    let kinds = (notifyOnEntry ? ["entry"] : []) + (notifyOnExit ? ["exit"] : [])
    let dwells = dwell.map { "dwell " + spanText($0) }
    return kinds.isEmpty && dwells.isEmpty ? "nothing" : (kinds + dwells).joined(separator: ", ")
  }

  /// Every property in words; those that the profile decides with what it decides.
  fileprivate func properties(state: String) -> [(name: String, value: String)] {
    let profile = profile ?? .balanced
    func held(_ own: Double?, _ rule: (fixes: Int, hold: Double)) -> String {
      "\(counted(rule.fixes, "clear fix", "clear fixes")), " + spanText(own ?? rule.hold)
        + (own == nil ? "" : " (asked for)")
    }
    let margin = exitMargin ?? profile.exitMargin(radius: radius)
    return [
      ("id", id), ("title", title ?? ""), ("centre", centre.text), ("radius", lengthText(radius)),
      ("state", state), ("wanted", wanted + (repeats ? "" : ", once")),
      ("cooldown", cooldown.map(spanText) ?? "none"),
      ("active", active.isEmpty ? "always" : active.map(\.description).joined(separator: "; ")),
      ("profile", self.profile?.rawValue ?? "that of the run (balanced)"),
      ("entry after", held(enterAfter, profile.entry)), ("exit after", held(exitAfter, profile.exit)),
      ("exit margin", lengthText(margin) + (exitMargin == nil ? "" : " (asked for)")),
      ("initial", initial.rawValue), ("expires", expires?.description ?? "never"),
      ("devices", devices.joined(separator: ", ")), ("tags", tags.joined(separator: ", ")),
      ("priority", String(priority)),
    ]
  }
}
