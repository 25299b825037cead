internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineNotifying

extension Parcel {
  /// What programs are told about the event in single values, by names such as `DEVICE`: neither texts nor positions. What the event has
  /// not is not there.
  var facts: [String: String] {
    var facts = ["KEY": key, "TYPE": type, "AT": at.description, "LEVEL": level.rawValue]
    if !device.isEmpty { facts["DEVICE"] = device }
    facts["RUN"] = run.map { String($0) }
    facts["SEQUENCE"] = sequence.map { String($0) }
    if let crossing {
      facts["REGION"] = crossing.region
      facts["KIND"] = crossing.kind.rawValue
      facts["CAUSE"] = crossing.cause.rawValue
      facts["CONFIRMED_AT"] = crossing.confirmedAt.description
    }
    if let notification {
      facts["NOTIFICATION"] = String(notification.number)
      facts["APP"] = notification.app
      facts["REQUEST"] = notification.identifier
    }
    return facts
  }
}
