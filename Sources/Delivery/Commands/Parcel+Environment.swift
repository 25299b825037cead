internal import FencelineGeodesy
internal import FencelineGeofencing

extension Parcel {
  /// What a program can ask its environment about the event.
  ///
  /// What the event has not is not set. Zero bytes, which no variable can hold, are left out, and so is what is longer than the system takes: all of it is on standard input.
  ///
  /// - Parameter channel: What the user calls the channel.
  /// - Returns: The variables.
  func environment(channel: String) -> [String: String] {
    var values = facts
    values["CHANNEL"] = channel
    values["ATTEMPT"] = String(attempt)
    values["TITLE"] = title
    values["BODY"] = body
    values["REGION_TITLE"] = place?.title
    if let coordinate = crossing?.coordinate {
      // A tenth of a millimetre.
      values["LATITUDE"] = coordinate.latitude.fixed(9)
      values["LONGITUDE"] = coordinate.longitude.fixed(9)
    }
    var variables: [String: String] = [:]
    for (name, value) in values {
      variables["FENCELINE_" + name] = Parcel.variable(value)
    }
    return variables
  }
  /// As much of a text as a variable can hold.
  ///
  /// - Source: execve(2), a string of the environment has 128 KiB at most, `MAX_ARG_STRLEN`.
  private static func variable(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars where scalar != "\0" {
      count += UTF8.width(scalar)
      guard count <= 65_536 else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
