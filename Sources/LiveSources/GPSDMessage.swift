import FencelineJSONText

/// What gpsd says beside its reports, as far as it matters here.
enum GPSDMessage {
  /// Its greeting.
  case version
  /// The paths of all its receivers.
  case devices([String])
  /// It has taken a receiver on.
  case activated(String)
  /// It has let a receiver go.
  case deactivated(String)
  /// Anything else that is gpsd's.
  case other

  /// Reads a line; nil where it is none of gpsd's.
  ///
  /// libgps 3.22 does not understand that a receiver was let go, hence this reads the line itself.
  init?(parsing line: ArraySlice<UInt8>) {
    guard line.first == 0x7b else { return nil }
    // Views of the sky are frequent and long.
    guard !line.starts(with: Self.sky) else {
      self = .other
      return
    }
    guard let object = try? JSONNode(parsing: line), let name = object["class"]?.text else { return nil }
    switch name {
    case "VERSION": self = .version
    case "DEVICES":
      var paths: [String] = []
      for device in object["devices"]?.elements ?? [] {
        if let path = device["path"]?.text { paths.append(path) }
      }
      self = .devices(paths)
    case "DEVICE":
      guard let path = object["path"]?.text else { return nil }
      self = object["activated"]?.number == 0 ? .deactivated(path) : .activated(path)
    default: self = .other
    }
  }

  private static let sky = Array(#"{"class":"SKY""#.utf8)
}
