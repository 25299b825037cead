import FencelineCivilTime
import Testing

@Suite("Spans of time as text") struct SpanTextTests {
  @Test(
    arguments: [
      ("90", 90), ("1.5h", 5400), ("1d2h3m4s", 93_784), ("0", 0), ("", nil), ("h", nil), ("-1", nil),
      ("1m1h", nil),
      ("1h30", nil), ("1 h", nil), ("1e400d", nil), ("+1h", nil), ("inf", nil), ("0x10", nil),
    ] as [(String, Double?)])
  func spansAreRead(_ text: String, _ seconds: Double?) {
    #expect(SpanText.seconds(text) == seconds)
  }
}
