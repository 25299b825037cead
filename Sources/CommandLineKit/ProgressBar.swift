/// A line on standard error that says how far the work is, drawn over itself and gone at the end.
///
/// It is silent where standard error is no terminal, and for the first second. The methods give the text to
/// write, so that time, in monotonic seconds, is the caller's.
package struct ProgressBar: Sendable {
  /// Seconds before the first drawing.
  package static let delay = 1.0
  /// Seconds between two drawings at least.
  package static let interval = 0.1

  private let unit: String
  private let stream: Terminal.Stream
  private let start: Double
  private var last: Double?

  /// - Parameters:
  ///   - unit: What is counted: `fixes`.
  ///   - stream: Standard error.
  ///   - start: When the work began.
  package init(unit: String, on stream: Terminal.Stream, from start: Double) {
    self.unit = unit
    self.stream = stream
    self.start = start
  }

  /// - Parameters:
  ///   - count: Units done; nil where they cannot be counted yet.
  ///   - fraction: Of the whole work, 0 to 1; nil if it is not known.
  ///   - now: The time.
  /// - Returns: What to write, if it is time to.
  package mutating func update(count: Int?, fraction: Double?, at now: Double) -> String? {
    let elapsed = now - start
    guard stream.canRedraw, elapsed > Self.delay, now - (last ?? -.infinity) >= Self.interval else {
      return nil
    }
    last = now
    var notes: [String] = []
    if let count {
      notes = ["\(grouped(count)) \(unit)", "\(grouped(Int(clamping: Double(count) / elapsed)))/s"]
    }
    guard let fraction, fraction >= 0 else { return redraw(notes.joined(separator: ", ")) }
    let part = min(fraction, 1)
    if part > 0 { notes.append("\(remaining(elapsed * (1 - part) / part)) left") }
    let end = notes.joined(separator: ", ")
    let percent = String(Int(part * 100))
    let head = String(repeating: " ", count: 3 - percent.count) + percent + " % "
    // One column stays free: a full line would make some terminals scroll.
    let room = min(40, stream.width - 1 - head.count - 3 - end.count)
    guard room >= 5 else { return redraw(head + end) }
    let filled = Int((Double(room) * part).rounded(.down))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled)
    return redraw("\(head)[\(bar)] \(end)")
  }

  /// What to write at the end: nothing if nothing was drawn.
  package mutating func finish() -> String? {
    guard last != nil else { return nil }
    last = nil
    return "\r\u{1B}[K"
  }

  private func redraw(_ line: String) -> String {
    "\r" + truncated(line, to: stream.width - 1) + "\u{1B}[K"
  }

  /// `12 s`, `3 min 5 s`, `2 h 10 min`.
  private func remaining(_ time: Double) -> String {
    let seconds = Int(clamping: time.rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(grouped(seconds / 3_600)) h \(seconds / 60 % 60) min"
  }
}

/// The number with a comma between thousands: `1,234,567`.
package func grouped(_ number: Int) -> String {
  let digits = Array(String(number.magnitude))
  var text = number < 0 ? "-" : ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
    text.append(digit)
  }
  return text
}

extension Int {
  /// The nearest number that fits; 0 for NaN.
  fileprivate init(clamping value: Double) {
    if let exact = Int(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : (value > 0 ? .max : .min)
    }
  }
}
