import Testing

@testable import FencelineCommandLineKit

struct LegibleTests {
  static let long = String(repeating: "x", count: 100)

  @Test(
    arguments: [
      ("", ""), ("No quotes, don't.", "No quotes, don't."), ("It is '\u{1B}[2J'.", "It is '␛[2J'."),
      ("A '\(long)'.", "A '\(long)'."),
      ("A '/\(long)/end' and 'b'.", "A '/\(long.prefix(59))…\(long.prefix(35))/end' and 'b'."),
      (
        "'\(long)it's' it's '\(long)xyz'",
        "'\(long.prefix(60))…\(long.prefix(35))it's' it's '\(long.prefix(60))…\(long.prefix(36))xyz'"
      ),
      ("The argument '\(long)y", "The argument '\(long)y"), ("'' ''", "'' ''"), ("'", "'"),
    ] as [(String, String)])
  func whatIsQuotedIsCutInItsMiddle(_ message: String, _ text: String) {
    #expect(legible(message) == text)
  }

  @Test func usageErrorsAreLegible() {
    for line in [
      "x\(Self.long)", "--x\(Self.long)", "region add x 1 2 3\(Self.long)", "--db=\(Self.long) --db=y x",
    ] {
      guard case .misuse(let text) = Sample.outcome(line) else {
        Issue.record("\(line.prefix(20)) is no misuse")
        continue
      }
      #expect(text.split(separator: "\n").first.map { $0.count < 250 && !$0.contains(Self.long) } == true)
    }
  }
}
