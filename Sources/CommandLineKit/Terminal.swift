/// What is known of the two streams that people may be looking at.
package struct Terminal: Sendable {
  /// One of them.
  package struct Stream: Sendable {
    /// Whether a person may be looking.
    package let isTerminal: Bool
    /// Display columns; 80 where it is no terminal or does not tell.
    package let width: Int
    /// Whether colours may be used.
    package let hasColour: Bool
    /// Whether a line can be drawn again in place.
    package let canRedraw: Bool

    /// A stream with these properties.
    package init(isTerminal: Bool, width: Int = 80, hasColour: Bool = false, canRedraw: Bool = false) {
      self.isTerminal = isTerminal
      self.width = width
      self.hasColour = hasColour
      self.canRedraw = canRedraw
    }

    /// Emphasis that fits it.
    package var style: Style { Style(isOn: hasColour) }
  }

  /// Standard output.
  package let output: Stream
  /// Standard error.
  package let error: Stream

  /// Two streams.
  package init(output: Stream, error: Stream) {
    self.output = output
    self.error = error
  }

  /// Both streams go to files or pipes.
  package static let plain = Terminal(output: Stream(isTerminal: false), error: Stream(isTerminal: false))

  /// This process's streams: colour on a terminal only, and never where `NO_COLOR` is set (no-color.org) or
  /// `TERM` is `dumb`.
  package static func current() -> Terminal {
    Terminal(
      environment: System.environment, output: System.columns(of: 1), error: System.columns(of: 2))
  }

  /// - Parameters:
  ///   - environment: Looks a variable up.
  ///   - output: Standard output's columns, 0 if it does not tell; nil if it is no terminal.
  ///   - error: The same of standard error.
  package init(environment: (String) -> String?, output: Int?, error: Int?) {
    let isDumb = environment("TERM") == "dumb"
    let hasColour = !isDumb && (environment("NO_COLOR") ?? "").isEmpty
    func stream(_ columns: Int?) -> Stream {
      guard let columns else { return Stream(isTerminal: false) }
      return Stream(
        isTerminal: true, width: columns > 0 ? columns : 80, hasColour: hasColour, canRedraw: !isDumb)
    }
    self.init(output: stream(output), error: stream(error))
  }
}

/// Emphasis by escape sequences; the plain text where it is off.
package struct Style: Sendable {
  /// The ways to stand out.
  package enum Tint: String, Sendable, CaseIterable {
    case bold = "1", dim = "2", red = "31", green = "32", yellow = "33", cyan = "36"
  }

  /// Whether there are escape sequences at all.
  package let isOn: Bool

  /// Emphasis, or none.
  package init(isOn: Bool) {
    self.isOn = isOn
  }

  /// - Source: ECMA-48, 8.3.117, select graphic rendition.
  package func apply(_ tint: Tint, to text: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Bold text.
  package func bold(_ text: String) -> String { apply(.bold, to: text) }
  /// Faint text.
  package func dim(_ text: String) -> String { apply(.dim, to: text) }
  /// Red text.
  package func red(_ text: String) -> String { apply(.red, to: text) }
  /// Green text.
  package func green(_ text: String) -> String { apply(.green, to: text) }
  /// Yellow text.
  package func yellow(_ text: String) -> String { apply(.yellow, to: text) }
  /// Cyan text.
  package func cyan(_ text: String) -> String { apply(.cyan, to: text) }
}
