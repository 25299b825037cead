import FencelineCivilTime
import FoundationEssentials

/// A zone of the system's database.
func systemZone(_ name: String) throws -> CivilZone {
  try CivilZone(tzif: [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + name))))
}

/// A file of the time zone database, to be written.
struct TZifFile {
  var magic = "TZif"
  var version: UInt8 = 0x32
  var transitions: [(time: Int64, type: UInt8)] = []
  /// Seconds east of UTC.
  var types: [Int32] = [0]
  var leapSeconds = 0
  var footer = "\n\n"

  var bytes: [UInt8] { block(width: 4) + (version == 0 ? [] : block(width: 8) + Array(footer.utf8)) }

  private func block(width: Int) -> [UInt8] {
    var bytes = Array(magic.utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, leapSeconds, transitions.count, types.count, 4] {
      bytes += bigEndian(Int64(count), width: 4)
    }
    for each in transitions { bytes += bigEndian(each.time, width: width) }
    bytes += transitions.map(\.type)
    for offset in types { bytes += bigEndian(Int64(offset), width: 4) + [0, 0] }
    return bytes + Array("LMT\0".utf8) + [UInt8](repeating: 0, count: leapSeconds * (width + 4))
  }

  private func bigEndian(_ number: Int64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
  }
}
