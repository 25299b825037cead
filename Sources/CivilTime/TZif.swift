/// Why bytes are no time zone of the database.
public enum TZifError: Error, Hashable, Sendable {
  /// It is another kind of file.
  case otherContent
  /// It ends before its content does.
  case cutOff
  /// What it says cannot be.
  case malformed
  /// It counts leap seconds, which the system's clock does not: it would be half a minute wrong.
  case leapSeconds
}

extension CivilZone {
  /// Reads a file of the time zone database, of any version.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``TZifError``; nothing that a file may hold is more than an error.
  /// - Source: RFC 9636.
  public init(tzif bytes: [UInt8]) throws(TZifError) {
    var reader = TZifReader(bytes: bytes)
    let header = try reader.header()
    guard header.version >= 2 else {
      self = try reader.zone(header, width: 4)
      return
    }
    // The same once more, with 32 bits for each time.
    try reader.skip(header.size(width: 4))
    let wide = try reader.header()
    self = try reader.zone(wide, width: 8)
  }
}

/// Goes through the bytes of a file.
private struct TZifReader {
  let bytes: [UInt8]
  var place = 0

  struct Header {
    var version: Int
    /// Each from 0 to 2³² - 1.
    var universalCount, standardCount, leapCount, timeCount, typeCount, characterCount: Int

    /// Bytes of what follows.
    func size(width: Int) -> Int {
      timeCount * (width + 1) + typeCount * 6 + characterCount + leapCount * (width + 4) + standardCount
        + universalCount
    }
  }

  mutating func skip(_ count: Int) throws(TZifError) {
    guard count <= bytes.count - place else { throw .cutOff }
    place += count
  }

  /// A number of 4 or 8 bytes with a sign, the highest byte first; the bytes are there.
  mutating func number(width: Int) -> Int {
    var value: Int64 = 0
    for byte in bytes[place..<place + width] { value = value << 8 | Int64(byte) }
    place += width
    return width == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(value)
  }

  mutating func header() throws(TZifError) -> Header {
    let begin = place
    guard bytes[begin...].starts(with: "TZif".utf8) else { throw .otherContent }
    try skip(44)
    let version = bytes[begin + 4]
    place = begin + 20
    var counts: [6 of Int] = .init(repeating: 0)
    for index in counts.indices { counts[index] = number(width: 4) & 0xFFFF_FFFF }
    return Header(
      version: version == 0 ? 1 : Int(version) - 0x30, universalCount: counts[0], standardCount: counts[1],
      leapCount: counts[2], timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
  }

  mutating func zone(_ header: Header, width: Int) throws(TZifError) -> CivilZone {
    let begin = place
    try skip(header.size(width: width))
    guard header.leapCount == 0 else { throw .leapSeconds }
    guard header.typeCount > 0 else { throw .malformed }
    let rest = bytes[place...]
    place = begin
    var transitions: [Int] = []
    transitions.reserveCapacity(header.timeCount)
    for _ in 0..<header.timeCount {
      let time = number(width: width)
      guard time > transitions.last ?? CivilZone.beginning, time < CivilZone.end else { throw .malformed }
      transitions.append(time)
    }
    let kinds = bytes[place..<place + header.timeCount]
    place += header.timeCount
    var known: [Int] = []
    for _ in 0..<header.typeCount {
      let offset = number(width: 4)
      guard abs(offset) < CivilZone.greatestOffset else { throw .malformed }
      known.append(offset)
      place += 2
    }
    // Until the first transition the first type holds.
    var offsets = [known[0]]
    for kind in kinds {
      guard known.indices.contains(Int(kind)) else { throw .malformed }
      offsets.append(known[Int(kind)])
    }
    let future = width == 8 ? try TZifReader.footer(rest) : nil
    return CivilZone(transitions: transitions, offsets: offsets, future: future)
  }

  /// A rule between two line feeds, or nothing.
  private static func footer(_ bytes: ArraySlice<UInt8>) throws(TZifError) -> POSIXZoneRule? {
    let line = UInt8(ascii: "\n")
    guard bytes.first == line, let end = bytes.dropFirst().firstIndex(of: line) else { throw .cutOff }
    let text = bytes[(bytes.startIndex + 1)..<end]
    guard !text.isEmpty else { return nil }
    guard let rule = POSIXZoneRule(text) else { throw .malformed }
    return rule
  }
}
