/// Rows of comma-separated values.
///
/// - Source: RFC 4180: a field in double quotes may hold the delimiter, and a quote as two of them.
enum CSVRow: Sendable {
  /// The fields of one row, without quotes and the white space round them.
  static func fields(_ row: ArraySlice<UInt8>, delimiter: UInt8) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    var field: [UInt8] = []
    var isQuoted = false
    var place = row.startIndex
    while place < row.endIndex {
      let byte = row[place]
      place += 1
      if isQuoted {
        if byte != 0x22 {
          field.append(byte)
        } else if place < row.endIndex, row[place] == 0x22 {
          field.append(byte)
          place += 1
        } else {
          isQuoted = false
        }
      } else if byte == delimiter {
        fields.append(trimmed(field))
        field.removeAll(keepingCapacity: true)
      } else if byte == 0x22, field.allSatisfy(isSpace) {
        field.removeAll(keepingCapacity: true)
        isQuoted = true
      } else {
        field.append(byte)
      }
    }
    fields.append(trimmed(field))
    return fields
  }

  /// Tells whether a quoted field is still open, as the lines of a row are read one after the other.
  struct Quotes: Sendable {
    /// Whether a quoted field is open at the end of what was read.
    private(set) var isOpen = false
    private var isBlank = true
    private var hasJustClosed = false

    /// Reads on.
    mutating func read(_ line: some Collection<UInt8>, delimiter: UInt8) {
      guard isOpen || line.contains(0x22) else { return }
      for byte in line {
        if isOpen {
          hasJustClosed = byte == 0x22
          if hasJustClosed { isOpen = false }
        } else if byte == 0x22, isBlank || hasJustClosed {
          isOpen = true
          isBlank = false
        } else {
          hasJustClosed = false
          isBlank = byte == delimiter || (isBlank && isSpace(byte))
        }
      }
    }
  }

  private static func trimmed(_ field: [UInt8]) -> [UInt8] {
    guard let first = field.firstIndex(where: { !isSpace($0) }),
      let last = field.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return first == 0 && last == field.count - 1 ? field : Array(field[first...last])
  }
}
