internal import FencelineGeodesy

/// `85 m`, `1.25 km`, `340 km`.
func lengthText(_ metres: Double) -> String {
  switch metres {
  case ..<10: metres.trimmed(1) + " m"
  case ..<1000: metres.trimmed(0) + " m"
  case ..<100_000: (metres / 1000).trimmed(2) + " km"
  default: digits(Int((metres / 1000).rounded())) + " km"
  }
}

/// `1 region`, `3,000 regions`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(digits(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// `1,234,567`.
func digits(_ number: Int) -> String {
  var rest = String(number)
  var groups: [String] = []
  while rest.count > 3 {
    groups.insert(String(rest.suffix(3)), at: 0)
    rest.removeLast(3)
  }
  return ([rest] + groups).joined(separator: ",")
}

/// The text in lines that are no wider than so many pixels; a word that is wider is cut.
func wrapped(_ text: String, to width: Double, size: Double, lines most: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, lines.count == most || TextWidth.of(last + " " + word, size: size) <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines.map { TextWidth.cut($0, to: width, size: size) }
}
