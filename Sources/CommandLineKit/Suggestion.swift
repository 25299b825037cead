/// The word that was probably meant by `word`, nil if none is near.
///
/// The only one that begins with it; else the first with the least distance, as long as that is at most 2 or
/// a third of its length, and no more than half of it (so that three letters never become three others).
package func nearest(to word: String, in words: [String]) -> String? {
  let beginning = words.filter { $0.hasPrefix(word) }
  if beginning.count == 1, !word.isEmpty { return beginning[0] }
  guard word.count <= 64 else { return nil }
  var best: (word: String, distance: Int)?
  for candidate in words {
    let length = max(word.count, candidate.count)
    let distance = editDistance(Array(word.unicodeScalars), Array(candidate.unicodeScalars))
    guard distance <= max(2, length / 3), distance * 2 <= length else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.word
}

/// How many insertions, deletions, replacements and swaps of neighbours turn `a` into `b`.
///
/// - Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors", CACM 7
///   (3), 1964, in the form where no part is edited twice (optimal string alignment).
func editDistance<T: Equatable>(_ a: [T], _ b: [T]) -> Int {
  var older: [Int] = []
  var old = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var least = min(row[j] + 1, old[j + 1] + 1, old[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, older[j - 1] + 1) }
      row.append(least)
    }
    (older, old) = (old, row)
  }
  return old[b.count]
}

extension [String] {
  /// `a, b or c`.
  func listed(with conjunction: String) -> String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + self[count - 1]
  }
}
