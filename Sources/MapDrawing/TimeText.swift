internal import FencelineCivilTime

/// Times as short as the span of a picture allows.
struct TimeText {
  private let local: (Timestamp) -> String
  private let span: ClosedRange<Timestamp>?

  /// - Parameters:
  ///   - local: An instant in 19 characters, `2026-03-18 00:49:11`.
  ///   - times: All that are shown.
  init(_ local: @escaping (Timestamp) -> String, _ times: some Sequence<Timestamp>) {
    self.local = local
    var span: ClosedRange<Timestamp>?
    for time in times {
      span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
    self.span = span
  }

  /// `00:49`; with seconds within ten minutes, with the day where the span is longer than one.
  func short(_ time: Timestamp) -> String {
    let text = local(time)
    guard let span else { return text }
    let seconds = span.upperBound.seconds(since: span.lowerBound)
    if seconds < 600 { return String(text.dropFirst(11)) }
    return String((seconds < 86_400 ? text.dropFirst(11) : text.dropFirst(5)).dropLast(3))
  }

  /// `2026-03-18 00:49:11`.
  func full(_ time: Timestamp) -> String { local(time) }

  /// `2026-03-17 23:47:02 to 2026-03-18 00:24:15`, the day only once where it is one; nil where no time is shown.
  var spanned: String? {
    guard let span else { return nil }
    let (first, last) = (local(span.lowerBound), local(span.upperBound))
    if first == last { return first }
    return first.prefix(10) == last.prefix(10)
      ? "\(first) to \(last.dropFirst(11))" : "\(first) to \(last)"
  }
}
