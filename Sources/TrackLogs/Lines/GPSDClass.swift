/// What a line from gpsd is, by its class.
enum GPSDClass: Sendable {
  case report, device, devices, other

  private static let others: Set<String> = [
    "VERSION", "WATCH", "SKY", "GST", "ATT", "IMU", "TOFF", "PPS", "OSC", "POLL", "ERROR", "AIS",
    "RTCM2",
    "RTCM3", "SUBFRAME", "RAW",
  ]

  /// Reads the first `"class"` of an object; nil where gpsd has no such class or the object is cut off.
  init?(of object: ArraySlice<UInt8>) {
    guard let last = object.last(where: { !isSpace($0) }), last == 0x7d, let name = Self.name(in: object)
    else {
      return nil
    }
    switch name {
    case "TPV": self = .report
    case "DEVICE": self = .device
    case "DEVICES": self = .devices
    default:
      guard Self.others.contains(name) else { return nil }
      self = .other
    }
  }

  /// Whether gpsd has a class of this name.
  static func isKnown(_ name: String) -> Bool {
    ["TPV", "DEVICE", "DEVICES"].contains(name) || others.contains(name)
  }

  /// The value of the first `"class"`.
  static func name(in object: ArraySlice<UInt8>) -> String? {
    let key = Array(#""class""#.utf8)
    var place = object.startIndex
    while let quote = object[place...].firstIndex(of: 0x22) {
      guard object[quote...].starts(with: key) else {
        place = quote + 1
        continue
      }
      var rest = object[(quote + key.count)...].drop(while: isSpace)
      guard rest.first == 0x3a else { return nil }
      rest = rest.dropFirst().drop(while: isSpace)
      guard rest.first == 0x22 else { return nil }
      let name = rest.dropFirst().prefix { $0 != 0x22 }
      return name.count <= 16 ? String(decoding: name, as: UTF8.self) : nil
    }
    return nil
  }
}
