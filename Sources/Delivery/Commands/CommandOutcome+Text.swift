extension CommandOutcome {
  /// Both outputs as text of ``maximumOutput`` bytes at most, the standard one first: each has half of that, and what the other leaves. What
  /// is no UTF-8 is replaced, and so are zero bytes; nil where nothing was written.
  var text: String? {
    guard !output.isEmpty || !errorOutput.isEmpty else { return nil }
    let half = CommandOutcome.maximumOutput / 2
    let first = CommandOutcome.repaired(output, max(half, CommandOutcome.maximumOutput - errorOutput.count))
    let separator = first.isEmpty || first.hasSuffix("\n") ? "" : "\n"
    let room = CommandOutcome.maximumOutput - first.utf8.count - separator.utf8.count
    guard !errorOutput.isEmpty, room > 0 else { return first }
    return first + separator + CommandOutcome.repaired(errorOutput, room)
  }

  /// The beginning of bytes as text that is no longer than `most` bytes.
  private static func repaired(_ bytes: [UInt8], _ most: Int) -> String {
    var text = ""
    var count = 0
    // A character that is cut in the middle is replaced too.
    for scalar in String(decoding: bytes.prefix(most), as: UTF8.self).unicodeScalars {
      let scalar = scalar == "\0" ? "\u{fffd}" : scalar
      count += UTF8.width(scalar)
      guard count <= most else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
