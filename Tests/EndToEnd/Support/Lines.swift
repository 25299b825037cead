import Foundation

/// One line of `replay --json` and `history --json`.
struct CrossingLine: Codable, Hashable {
  var run: Int?
  var sequence: Int
  var device: String
  var region: String
  var kind: String
  var at: String
  var confirmedAt: String
  var earliest: String
  var latest: String
  var cause: String
  var notify: Bool
  var latitude: Double
  var longitude: Double

  /// What a golden keeps of it.
  var essence: String {
    """
    {"device":"\(device)","region":"\(region)","kind":"\(kind)","at":"\(at)","confirmedAt":"\(confirmedAt)",\
    "cause":"\(cause)"}
    """
  }

  /// The instant at the perimeter, in seconds since 1970.
  var time: Double { seconds(at) }
}

/// One line of `visits --json`.
struct VisitLine: Codable, Hashable {
  var run: Int
  var device: String
  var region: String
  var entered: String
  var left: String?
  var seconds: Double?
  var reason: String
}

/// One line of `runs --json`, as far as tests ask.
struct RunLine: Codable, Hashable {
  var run: Int
  var kind: String
  var source: String
  var fixes: Int
  var accepted: Int
  var crossings: Int
}

/// One line of `fixes --json`.
struct FixLine: Codable, Hashable {
  var time: String
  var latitude: Double
  var longitude: Double
  var accuracy: Double?
  var altitude: Double?
  var speed: Double?
  var course: Double?
  var device: String

  /// Seconds since 1970.
  var epoch: Double { seconds(time) }
}

/// The seconds since 1970 of an instant like `2026-03-01T00:03:33.892Z`; NaN where it is none.
func seconds(_ instant: String) -> Double {
  let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  return (try? style.parse(instant))?.timeIntervalSince1970 ?? .nan
}

extension ProgramRun {
  /// The lines on standard output, each an object of JSON.
  func decoded<Line: Decodable>(_ type: Line.Type = Line.self) throws -> [Line] {
    try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// The names of the members of each line, in order.
  func keys() throws -> [[String]] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object ?? [:]).keys.sorted()
    }
  }
}
