import FencelineCivilTime
import FencelineJSONText

/// The parts of a TPV that matter, under gpsd's names; what is missing or of another kind is nil.
struct TPVReport: Sendable {
  var device: String?
  var mode: Double?
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
  struct WrittenTime: Sendable {
    var timestamp: Timestamp?

    init(_ node: JSONNode) {
      timestamp =
        if let text = node.text { ISO8601(parsing: text.utf8)?.time } else {
          node.number.flatMap { unixTime($0 * 1000) }
        }
    }
  }

  init(_ object: JSONNode) {
    for (name, value) in object.members {
      switch name {
      case "device": device = value.text
      case "mode": mode = value.number
      case "time": time = WrittenTime(value)
      case "lat": lat = value.number
      case "lon": lon = value.number
      case "eph": eph = value.number
      case "epx": epx = value.number
      case "epy": epy = value.number
      case "altMSL": altMSL = value.number
      case "speed": speed = value.number
      case "track": track = value.number
      default: break
      }
    }
  }
}
