/// A file of comma-separated values: a first row of names, and rows of texts.
///
/// - Source: RFC 4180; semicolons and tabs separate too, blank lines and lines that begin with `#` are passed over.
package struct CSVTable {
  /// The names in the first row.
  let names: [String]
  /// What separates the columns.
  let delimiter: UInt8
  /// The other rows, each with the line on which it begins, counted from 1.
  private(set) var rows: [(line: Int, fields: [String])] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - delimiter: What separates columns.
  init?(_ bytes: ArraySlice<UInt8>, delimiter: UInt8) {
    var reader = Reader(rest: bytes, delimiter: delimiter)
    var names: [String]?
    while let row = reader.next() {
      if row.fields == [""] { continue }
      if names == nil { names = row.fields } else { rows.append(row) }
    }
    guard let names else { return nil }
    self.names = names
    self.delimiter = delimiter
  }

  /// The fields of the first row alone, whichever of the usual delimiters gives more than one that `isNamed` knows.
  static func delimiter(of bytes: [UInt8], _ isNamed: ([String]) -> Bool) -> UInt8? {
    [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].first { delimiter in
      var reader = Reader(rest: bytes[...], delimiter: delimiter)
      while let row = reader.next() {
        if row.fields == [""] { continue }
        return isNamed(row.fields)
      }
      return false
    }
  }

  /// A text as a field of a row.
  package static func field(_ text: String) -> String {
    let isPlain =
      !text.utf8.contains { ",\"\n\r".utf8.contains($0) } && text == PropertyText.trimmed(text)
      && !text.hasPrefix("#")
    guard !isPlain else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    let delimiter: UInt8
    var line = 1

    /// The next row; white space round a field counts only within quotes.
    mutating func next() -> (line: Int, fields: [String])? {
      // A quote in a remark opens nothing.
      while rest.first == UInt8(ascii: "#") {
        rest = rest.drop { $0 != 0x0a && $0 != 0x0d }
        if rest.first == 0x0d, rest.dropFirst().first == 0x0a { rest.removeFirst() }
        if rest.popFirst() != nil { line += 1 }
      }
      guard !rest.isEmpty else { return nil }
      let start = line
      var fields: [String] = []
      var field: [UInt8] = []
      var isQuoted = false
      var wasQuoted = false
      func close() {
        let text = String(decoding: field, as: UTF8.self)
        fields.append(wasQuoted ? text : PropertyText.trimmed(text))
        field.removeAll(keepingCapacity: true)
        wasQuoted = false
      }
      while let byte = rest.popFirst() {
        if byte == 0x0a || (byte == 0x0d && rest.first != 0x0a) { line += 1 }
        if isQuoted {
          if byte != 0x22 {
            field.append(byte)
          } else if rest.first == 0x22 {
            field.append(0x22)
            rest.removeFirst()
          } else {
            isQuoted = false
          }
        } else if byte == delimiter {
          close()
        } else if byte == 0x0a || byte == 0x0d {
          if byte == 0x0d, rest.first == 0x0a { continue }
          close()
          return (start, fields)
        } else if byte == 0x22, !wasQuoted, field.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
          field.removeAll(keepingCapacity: true)
          isQuoted = true
          wasQuoted = true
        } else if !wasQuoted || (byte != 0x20 && byte != 0x09) {
          field.append(byte)
        }
      }
      close()
      return (start, fields)
    }
  }
}
