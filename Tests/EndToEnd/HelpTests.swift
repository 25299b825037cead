import Foundation
import Testing

@Suite("Help") struct HelpTests {
  /// The commands at every level, as the help itself lists them.
  private func commands(under path: [String], _ scratch: Scratch) throws -> [[String]] {
    let help = try help(path, scratch)
    let lines = help.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: "Commands:") else { return [path] }
    let names = lines[(start + 1)...].prefix { !$0.isEmpty }
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    var all = [path]
    for name in names { all += try commands(under: path + [name], scratch) }
    return all
  }

  private func help(_ path: [String], _ scratch: Scratch, _ word: String = "--help") throws -> String {
    let run = try RunningProgram(
      [Project.program] + path + [word], environment: scratch.environment(), in: scratch.folder
    ).result()
    #expect(run.status == 0 && run.error.isEmpty, "\(path) \(word)")
    return run.output
  }

  @Test func theHelpOfEveryCommandIsThatOfItsGolden() throws {
    let scratch = try Scratch()
    let commands = try commands(under: [], scratch)
    #expect(commands.count >= 18)
    for path in commands {
      let name = (["fenceline"] + path).joined(separator: "-")
      let text = try help(path, scratch)
      try Golden.check(text, against: "help/\(name).txt")
      #expect(try help(path, scratch, "-h") == text)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
    let goldens = try FileManager.default.contentsOfDirectory(
      atPath: Project.folder.appending(path: "Tests/EndToEnd/Goldens/help").path)
    let expected = commands.map { (["fenceline"] + $0).joined(separator: "-") + ".txt" }
    #expect(Set(goldens) == Set(expected))
    // Asking for help touches nothing.
    #expect(try scratch.names == [])
  }

  @Test func everyExampleIsOfACommandThatExists() throws {
    let scratch = try Scratch()
    let commands = try commands(under: [], scratch)
    for path in commands {
      let lines = try help(path, scratch).components(separatedBy: "\n")
      let start = try #require(lines.firstIndex(of: "Examples:"), "\(path)")
      let examples = lines[start...].filter { $0.hasPrefix("  ") && $0.contains("fenceline ") }
      #expect(!examples.isEmpty, "\(path)")
      for example in examples {
        let words = example.components(separatedBy: "fenceline ").last?.split(separator: " ").map(String.init)
        #expect(commands.contains { !$0.isEmpty && words?.starts(with: $0) == true }, "\(example)")
      }
    }
  }

  @Test func theVersionIsOneLine() throws {
    let run = try Scratch().fenceline("--version")
    #expect(run.status == 0 && run.error.isEmpty)
    #expect(run.output.wholeMatch(of: /fenceline \d+\.\d+\.\d+\n/) != nil)
  }

  @Test func groupsWithoutACommandShowTheirHelpAsAnError() throws {
    let scratch = try Scratch()
    for path in [[], ["region"]] {
      let run = try RunningProgram(
        [Project.program] + path, environment: scratch.environment(), in: scratch.folder
      ).result()
      #expect(run.status == 64 && run.output.isEmpty)
      #expect(run.error == (try help(path, scratch)))
    }
  }
}
