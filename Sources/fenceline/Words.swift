import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy

/// `45 s`, `16 min 3 s`, `2 h 5 min`, `3 d 4 h`.
func spanText(_ seconds: Double) -> String { SpanText.words(seconds) }

/// A span as sums of time are told: `45 s`, `16 min 3 s`, `41 h 5 min`.
func hoursText(_ seconds: Double) -> String {
  guard seconds >= 86_400 else { return spanText(seconds) }
  let minutes = Int(seconds.rounded()) / 60
  return "\(grouped(minutes / 60)) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
}

/// `85 m`, `1.25 km`, `340 km`.
func lengthText(_ metres: Double) -> String {
  switch abs(metres) {
  case ..<10: metres.trimmed(1) + " m"
  case ..<1000: metres.trimmed(0) + " m"
  case ..<100_000: (metres / 1000).trimmed(2) + " km"
  default: (metres / 1000).trimmed(0) + " km"
  }
}

/// `1 region`, `3 regions`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}
