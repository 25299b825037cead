import Testing

@testable import FencelineMapDrawing

@Suite("Text in XML") struct EscapingTests {
  @Test func marksOfXMLAreWrittenAsEntities() {
    #expect("<a href=\"x\">&</a>".svgEscaped == "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;")
  }

  @Test func whatXMLDoesNotAllowIsReplaced() {
    #expect(
      "a\u{0}b\u{1B}[31m\u{7F}\u{9F}\u{FFFE}\u{202E}c".svgEscaped
        == "a\u{FFFD}b\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}c")
    #expect("two\nlines\tand\rmore".svgEscaped == "two lines and more")
    #expect("Zürich 駅 🚉 e\u{301}".svgEscaped == "Zürich 駅 🚉 e\u{301}")
  }
}
