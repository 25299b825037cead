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

  /// Whether a quoted field is still open at the end of `row`.
  static func isOpen(_ row: ArraySlice<UInt8>, delimiter: UInt8) -> Bool {
    guard row.contains(0x22) else { return false }
    var isQuoted = false
    var isBlank = true
    var hasJustClosed = false
    for byte in row {
      if isQuoted {
        hasJustClosed = byte == 0x22
        if hasJustClosed { isQuoted = false }
      } else if byte == 0x22, isBlank || hasJustClosed {
        isQuoted = true
        isBlank = false
      } else {
        hasJustClosed = false
        isBlank = byte == delimiter || (isBlank && isSpace(byte))
      }
    }
    return isQuoted
  }

  private static func trimmed(_ field: [UInt8]) -> [UInt8] {
    guard let first = field.firstIndex(where: { !isSpace($0) }),
      let last = field.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return first == 0 && last == field.count - 1 ? field : Array(field[first...last])
  }
}
