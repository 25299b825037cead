package import FencelineJSONText
package import FencelinePositioning
import FencelineCivilTime
import FencelineGeodesy

/// What one message of OwnTracks says of a position.
///
/// - Source: owntracks.org/booklet/tech/json, type `location`.
package enum OwnTracksReport {
  /// The fix that a message holds.
  ///
  /// - Parameters:
  ///   - report: The message.
  ///   - device: Whose it is.
  ///   - line: Where it stands; nil where it is in no file.
  ///   - tally: Counts why there is none.
  /// - Returns: Nil where there is none.
  package static func fix(in report: JSONNode, device: String, line: Int? = nil, _ tally: inout LogTally)
    -> Fix?
  {
    let type = report["_type"]
    guard type == nil || type?.text == "location" else {
      tally.leaveOut(.otherRecord, line: line)
      return nil
    }
    guard
      let coordinate = tally.place(
        latitude: report["lat"]?.lenientNumber, longitude: report["lon"]?.lenientNumber, line: line)
    else { return nil }
    guard let written = report["tst"], !written.isNull else {
      tally.leaveOut(.noTime, line: line)
      return nil
    }
    guard let time = written.lenientNumber.flatMap({ unixTime($0 * 1000) }) else {
      tally.leaveOut(.unreadableTime, line: line)
      return nil
    }
    return Fix(
      device: device, time: time, coordinate: coordinate,
      accuracy: report["acc"]?.lenientNumber.flatMap { positiveValue($0) },
      altitude: report["alt"]?.lenientNumber.flatMap { $0 == -1 ? nil : $0 },
      speed: report["vel"]?.lenientNumber.flatMap { nonNegative($0) }.map { $0 / 3.6 },
      course: report["cog"]?.lenientNumber.flatMap { courseInDegrees($0) }, source: .ownTracks)
  }

  /// The device that a topic names, `owntracks/jane/phone`: what follows the first level. Nil where it names none.
  package static func device(ofTopic topic: String) -> String? {
    let parts = topic.split(separator: "/")
    guard let last = parts.last else { return nil }
    return parts.count >= 3 ? parts.dropFirst().prefix(2).joined(separator: "/") : String(last)
  }
}
