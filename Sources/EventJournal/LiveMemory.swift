internal import FencelineCivilTime
internal import FencelineDecisions
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText
internal import FencelinePositioning

/// What is known of devices and regions, as the texts that the journal holds; what was written is read back to the last bit.
enum LiveMemory {
  static func text(_ memory: DeviceMemory) -> String {
    let value: JSONValue = [
      "intervals": .array(memory.intervals.values.map { .integer(Int($0)) }),
      "accuracies": .array(
        memory.accuracies.entries.map { [.integer(Int($0.version)), .number($0.accuracy)] }),
      "suspects": memory.suspects.map { suspects in
        [
          "newest": fix(suspects.newest), "first": .integer(Int(suspects.first.milliseconds)),
          "count": .integer(suspects.count),
        ]
      } ?? .null,
    ]
    return value.line
  }

  static func memory(_ text: String, last: Fix) -> DeviceMemory? {
    guard let node = try? JSONNode(parsing: text.utf8), let intervals = node["intervals"]?.elements,
      let accuracies = node["accuracies"]?.elements
    else { return nil }
    var suspects: FixFilter.Suspects?
    if let held = node["suspects"], let newest = held["newest"].flatMap({ fix($0, device: last.device) }),
      let first = held["first"].flatMap(instant), let count = held["count"].flatMap(whole), count > 0
    {
      suspects = FixFilter.Suspects(newest: newest, first: first, count: count)
    }
    return DeviceMemory(
      last: last, suspects: suspects,
      intervals: Intervals(intervals.compactMap { whole($0).map(Int64.init) }),
      accuracies: BestAccuracies(
        accuracies.compactMap { entry in
          guard let pair = entry.elements, pair.count == 2, let version = whole(pair[0]),
            let accuracy = pair[1].number
          else { return nil }
          return BestAccuracies.Entry(version: Int64(version), accuracy: accuracy)
        }))
  }

  static func text(_ state: RegionState) -> String {
    let value: JSONValue = [
      "candidate": state.candidate.map {
        [.integer(Int($0.first.milliseconds)), .integer($0.fixes), place($0.place)]
      } ?? .null,
      "entered": state.entered.map(meeting) ?? .null, "left": state.left.map(meeting) ?? .null,
      "visitFrom": .number(state.visitFrom), "dwelt": .number(state.dwelt),
    ]
    return value.line
  }

  static func state(_ side: String, _ text: String) -> RegionState? {
    guard let side = RegionState.Side(rawValue: side), let node = try? JSONNode(parsing: text.utf8) else {
      return nil
    }
    var state = RegionState(side: side)
    if let values = node["candidate"]?.elements, values.count == 3, let first = instant(values[0]),
      let fixes = whole(values[1]), fixes > 0, let place = place(values[2])
    {
      state.candidate = .init(first: first, place: place, fixes: fixes)
    }
    state.entered = node["entered"].flatMap(meeting)
    state.left = node["left"].flatMap(meeting)
    state.visitFrom = node["visitFrom"]?.number ?? 0
    state.dwelt = node["dwelt"]?.number ?? 0
    return state
  }

  private static func meeting(_ meeting: Meeting) -> JSONValue {
    [
      .number(meeting.at), .integer(Int(meeting.earliest.milliseconds)),
      .integer(Int(meeting.latest.milliseconds)), .text(meeting.cause.rawValue), place(meeting.place),
    ]
  }

  private static func meeting(_ node: JSONNode) -> Meeting? {
    guard let values = node.elements, values.count == 5, let at = values[0].number,
      let earliest = instant(values[1]), let latest = instant(values[2]),
      let cause = values[3].text.flatMap(Crossing.Cause.init), let place = place(values[4])
    else { return nil }
    return Meeting(at: at, earliest: earliest, latest: latest, cause: cause, place: place)
  }

  private static func place(_ place: PlanePoint) -> JSONValue {
    [.number(place.east), .number(place.north), .number(place.distance)]
  }

  private static func place(_ node: JSONNode) -> PlanePoint? {
    guard let values = node.elements?.compactMap(\.number), values.count == 3 else { return nil }
    return PlanePoint(east: values[0], north: values[1], distance: values[2])
  }

  private static func fix(_ fix: Fix) -> JSONValue {
    [
      "time": .integer(Int(fix.time.milliseconds)), "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude), "accuracy": fix.accuracy.map(JSONValue.number) ?? .null,
      "altitude": fix.altitude.map(JSONValue.number) ?? .null,
      "speed": fix.speed.map(JSONValue.number) ?? .null, "course": fix.course.map(JSONValue.number) ?? .null,
      "source": .text(fix.source.rawValue), "track": .integer(Int(fix.track)),
    ]
  }

  private static func fix(_ node: JSONNode, device: String) -> Fix? {
    guard let time = node["time"].flatMap(instant), let latitude = node["latitude"]?.number,
      let longitude = node["longitude"]?.number, let source = node["source"]?.text.flatMap(FixSource.init)
    else { return nil }
    return Fix(
      device: device, time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      accuracy: node["accuracy"]?.number, altitude: node["altitude"]?.number, speed: node["speed"]?.number,
      course: node["course"]?.number, source: source,
      track: Int32(clamping: node["track"].flatMap(whole) ?? 0))
  }

  private static func instant(_ node: JSONNode) -> Timestamp? {
    node.number.flatMap { Int64(exactly: $0) }.map(Timestamp.init)
  }

  /// A whole number; another program may have written anything.
  private static func whole(_ node: JSONNode) -> Int? {
    node.number.flatMap { Int(exactly: $0) }
  }
}
