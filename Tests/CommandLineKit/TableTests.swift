import FencelineTestSupport
import Testing

@testable import FencelineCommandLineKit

struct TableTests {
  private func sample() -> Table {
    var table = Table([
      .init("ID"), .init("Title", shrinksTo: 6), .init("Radius", alignment: .right),
      .init("Note", priority: 1, shrinksTo: 5),
    ])
    table.append(["office", "Head office, Zürich", "100 m", "first floor"])
    table.append(["ko", "東京タワー", "1,500 m", ""])
    return table
  }

  private func terminal(_ width: Int, colour: Bool = false) -> Terminal.Stream {
    Terminal.Stream(isTerminal: true, width: width, hasColour: colour)
  }

  @Test func aPipedTableIsWhole() {
    #expect(
      sample().text(on: Terminal.plain.output) == """
        ID      Title                 Radius  Note
        office  Head office, Zürich    100 m  first floor
        ko      東京タワー           1,500 m

        """)
  }

  @Test func theLeastImportantColumnGivesWayFirst() {
    #expect(
      sample().text(on: terminal(44)) == """
        ID      Title                 Radius  Note
        office  Head office, Zürich    100 m  first…
        ko      東京タワー           1,500 m

        """)
    #expect(
      sample().text(on: terminal(38)) == """
        ID      Title                 Radius
        office  Head office, Zürich    100 m
        ko      東京タワー           1,500 m

        """)
  }

  @Test func aColumnWithoutRoomIsDropped() {
    #expect(
      sample().text(on: terminal(25)) == """
        ID      Title      Radius
        office  Head of…    100 m
        ko      東京タ…   1,500 m

        """)
    #expect(sample().text(on: terminal(9)) == "ID\noffice\nko\n")
    #expect(sample().text(on: terminal(4)) == "ID\noff…\nko\n")
  }

  @Test func aSentenceTakesTheRoomThatIsLeft() {
    var table = Table([
      .init("No"), .init("Carries", priority: 2, shrinksTo: 6), .init("State"),
      .init("Why", priority: 1, shrinksTo: 10, isSentence: true),
    ])
    table.append([
      "1", "notifications", "failing", "The server refused the connection: nobody listens there at all.",
    ])
    #expect(
      table.text(on: terminal(60)) == """
        No  Carries        State    Why
        1   notifications  failing  The server refused the connecti…

        """)
    // It is cut before others are, and others are dropped before it is.
    #expect(
      table.text(on: terminal(34)) == """
        No  Carries    State    Why
        1   notifica…  failing  The serve…

        """)
    #expect(
      table.text(on: terminal(30)) == """
        No  State    Why
        1   failing  The server refus…

        """)
    #expect(
      table.text(on: Terminal.plain.output).hasSuffix(
        "failing  The server refused the connection: nobody listens there at …\n"))
  }

  @Test func theHeaderIsBoldAndCellsAreTinted() {
    var table = Table([.init("Kind", tint: { $0 == "entry" ? .green : nil }), .init("Region")])
    table.append(["entry", "a"])
    table.append(["exit", "b"])
    #expect(
      table.text(on: terminal(80, colour: true))
        == "\u{1B}[1mKind\u{1B}[0m   \u{1B}[1mRegion\u{1B}[0m\n\u{1B}[32mentry\u{1B}[0m  a\nexit   b\n")
  }

  @Test func noTableIsWiderThanItsTerminal() {
    let pieces = [
      "a", "Zürich", "東京", "👩‍👩‍👧", "🇨🇭", "e\u{301}", "\u{1B}[31m", "\r\n", " ", "\u{202E}", "ㅎ", "1,000",
    ]
    var problem: String?
    forAll(seed: 2, count: 2_000) { random, seed in
      func text() -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
          .joined()
      }
      let columns = (0..<Int.random(in: 1...5, using: &random)).map { column in
        Table.Column(
          "C\(column)", alignment: random.chance(0.5) ? .left : .right,
          priority: Int.random(in: 0...2, using: &random),
          shrinksTo: random.chance(0.5) ? Int.random(in: 0...5, using: &random) : nil,
          isSentence: random.chance(0.3))
      }
      var table = Table(columns)
      for _ in 0..<4 { table.append(columns.map { _ in text() }) }
      let width = Int.random(in: 1...60, using: &random)
      let lines = table.text(on: terminal(width)).split(separator: "\n", omittingEmptySubsequences: false)
      let isSafe = lines.allSatisfy { line in
        line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      }
      if lines.count != 6 || !isSafe || lines.contains(where: { displayWidth(String($0)) > width }) {
        problem = "seed \(seed): \(width): \(lines)"
      }
    }
    #expect(problem == nil)
  }

  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("Zürich", 6), ("e\u{301}", 1), ("東京", 4), ("ｆ", 2), ("한국", 4), ("👍", 2), ("👩‍👩‍👧", 2),
      ("🇨🇭", 2),
      ("☁", 1), ("☁\u{FE0F}", 2), ("\u{200B}", 0), ("…", 1), ("–", 1), ("ﬁ", 1),
    ] as [(String, Int)])
  func displayWidths(_ text: String, _ width: Int) {
    #expect(displayWidth(text) == width)
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("a\u{1B}]0;x\u{7}b", "a␛]0;x␇b"), ("a\r\nb\tc", "a␍␊b␉c"),
      ("\u{7F}\u{9B}2J", "␡\u{FFFD}2J"),
      ("a\u{202E}b\u{2066}", "a\u{FFFD}b\u{FFFD}"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ] as [(String, String)])
  func dataCannotDriveTheTerminal(_ data: String, _ shown: String) {
    #expect(printable(data) == shown)
  }

  @Test(
    arguments: [
      ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("東京都", 4, "東…"), ("東京都", 5, "東京…"), ("ab", 1, "…"),
      ("ab", 0, ""),
    ]
      as [(String, Int, String)])
  func truncation(_ text: String, _ width: Int, _ result: String) {
    #expect(truncated(text, to: width) == result)
  }
}
