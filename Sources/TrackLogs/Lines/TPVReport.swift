import FencelineCivilTime

/// The parts of a TPV that matter, under gpsd's names.
struct TPVReport: Decodable, Sendable {
  var device: String?
  var mode: Int?
  var time: WrittenTime?
  var lat: Double?
  var lon: Double?
  var eph: Double?
  var epx: Double?
  var epy: Double?
  var altMSL: Double?
  var speed: Double?
  var track: Double?

  /// A time as ISO 8601 or, from gpsd before 2.96, as seconds since 1970; nil where it is neither.
  struct WrittenTime: Decodable, Sendable {
    var timestamp: Timestamp?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      // Text first: it is the rule, and a decoding that fails is slow.
      if let text = try? container.decode(String.self) {
        timestamp = ISO8601(parsing: text.utf8)?.time
      } else {
        timestamp = unixTime(try container.decode(Double.self) * 1000)
      }
    }
  }
}
