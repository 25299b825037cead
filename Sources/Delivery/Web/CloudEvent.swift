internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineJSONText

extension Parcel {
  /// The event in the form in which programs of many makers take events.
  ///
  /// - Parameter source: Where it comes from, a URI reference: `/fenceline`.
  /// - Returns: An object; the same for every attempt.
  /// - Source: CloudEvents 1.0.2, JSON Event Format 1.0.2, structured mode.
  func cloudEvent(source: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("specversion", "1.0"), .init("id", .text(key)), .init("source", .text(source)),
      .init("type", .text("org.fenceline.\(type)")), .init("time", .text(at.description)),
    ]
    // It may not be empty.
    if let subject = crossing?.region ?? place?.region ?? (device.isEmpty ? nil : device), !subject.isEmpty {
      members.append(.init("subject", .text(subject)))
    }
    members += [.init("datacontenttype", "application/json"), .init("data", json)]
    return .object(members)
  }
}
