import Testing

@testable import FencelineCommandLineKit

struct StreamedTableTests {
  private func table(_ stream: Terminal.Stream) -> StreamedTable {
    StreamedTable(
      [
        (.init("Time"), 8), (.init("N", alignment: .right), 4),
        (.init("Speed", alignment: .right, priority: 1), 2),
        (.init("Name", priority: 2, shrinksTo: 4), 9),
      ], on: stream)
  }

  @Test func rowsAreWholeOnAPipe() {
    let table = table(.init(isTerminal: false))
    #expect(table.header == "Time         N  Speed  Name\n")
    #expect(table.line(["08:00:00", "7", "", "x\u{1B}y"]) == "08:00:00     7         x␛y\n")
    #expect(
      table.line(["08:00:00 UTC", "12345", "3", "a long name indeed"])
        == "08:00:00 UTC  12345      3  a long name indeed\n")
  }

  @Test(
    arguments: [
      (80, "Time         N  Speed  Name\n", "08:00:00  1234      3  a long n…\n"),
      (27, "Time         N  Speed  Name\n", "08:00:00  1234      3  a l…\n"),
      (26, "Time         N  Speed\n", "08:00:00  1234      3\n"),
      (18, "Time         N\n", "08:00:00  1234\n"),
    ] as [(Int, String, String)])
  func rowsFitTheTerminal(_ width: Int, _ header: String, _ row: String) {
    let table = table(.init(isTerminal: true, width: width))
    #expect(table.header == header)
    #expect(table.line(["08:00:00", "1234", "3", "a long name indeed"]) == row)
  }
}
