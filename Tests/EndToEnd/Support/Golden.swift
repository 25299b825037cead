import Foundation
import Testing

/// Text that must stay as it is, in `Goldens`; `UPDATE_GOLDEN=1` writes it anew.
enum Golden {
  static func check(_ text: String, against name: String, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let file = Project.folder.appending(path: "Tests/EndToEnd/Goldens/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
      return
    }
    guard let golden = try? Data(contentsOf: file) else {
      Issue.record("There is no golden '\(name)': UPDATE_GOLDEN=1 makes it.", sourceLocation: location)
      return
    }
    let expected = String(decoding: golden, as: UTF8.self)
    guard text != expected else { return }
    Attachment.record(text, named: URL(filePath: name).lastPathComponent, sourceLocation: location)
    let lines = (text: text.components(separatedBy: "\n"), golden: expected.components(separatedBy: "\n"))
    let first = zip(lines.text, lines.golden).prefix { $0 == $1 }.count
    func line(_ lines: [String]) -> String { first < lines.count ? lines[first] : "(the end)" }
    Issue.record(
      """
      '\(name)' differs first in line \(first + 1):
      \(line(lines.golden)) (golden)
      \(line(lines.text)) (now)
      """, sourceLocation: location)
  }
}
