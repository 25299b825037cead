import Foundation
import Testing

@Suite("Manual pages") struct ManualTests {
  /// All pages, written to `man`.
  private func written() throws -> (Scratch, [String]) {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "man"), withIntermediateDirectories: false)
    let run = try scratch.fenceline("man", "--output", "man")
    try #require(run.status == 0, "\(run.error)")
    let pages = try FileManager.default.contentsOfDirectory(atPath: scratch.path("man")).sorted()
    #expect(run.error == "\(pages.count) pages written to 'man'\n")
    return (scratch, pages)
  }

  @Test func everyPageIsRenderedWithoutAWarning() throws {
    let (scratch, pages) = try written()
    #expect(pages.count >= 20)
    for page in pages {
      for reader in [
        "groff -man -Tutf8 -ww -P-bcu", "mandoc -Tlint -W warning", "man --warnings -l -P cat",
      ] {
        let run = try scratch.shell("\(reader) man/\(page)", with: ["MANWIDTH": "80"])
        #expect(run.status == 0 && run.error == "", "\(reader) \(page)")
        guard !reader.contains("lint") else {
          #expect(run.output == "", "\(page)")
          continue
        }
        // It can be copied: no dash or quote of the typographer's.
        #expect(run.output.contains("NAME") && run.output.contains("--db"))
        #expect(
          run.output.unicodeScalars.allSatisfy { !"‐−–’‘“”".unicodeScalars.contains($0) }, "\(reader) \(page)"
        )
      }
    }
  }

  @Test func thePagesAreThoseOfTheHelp() throws {
    let (scratch, pages) = try written()
    let goldens = try FileManager.default.contentsOfDirectory(
      atPath: Project.folder.appending(path: "Tests/EndToEnd/Goldens/help").path)
    #expect(pages == goldens.map { $0.replacing(".txt", with: ".1") }.sorted())
    for page in pages {
      let text = try scratch.text("man/" + page)
      for title in [
        "NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO",
      ] {
        #expect(text.contains("\n.SH \(title)\n"), "\(page)")
      }
      // What it refers to is there.
      for reference in text.matches(of: /\n\.BR (\S+) \(1\)/) {
        #expect(pages.contains(reference.1.replacing("\\-", with: "-") + ".1"), "\(page)")
      }
      let words = page.dropLast(2).split(separator: "-").dropFirst().map(String.init)
      let one = try RunningProgram(
        [Project.program, "man"] + words, environment: scratch.environment(), in: scratch.folder
      ).result()
      #expect(one.output == text)
    }
  }

  @Test func pagesAreFoundByTheirNames() throws {
    let (scratch, _) = try written()
    let name = try scratch.shell(
      "mkdir -p share && mv man share/man1 && lexgrog share/man1/fenceline-region-add.1")
    #expect(name.output.contains("\"fenceline-region-add - register a region\""))
    let shown = try scratch.shell("man -M share -P cat fenceline-region-near", with: ["MANWIDTH": "80"])
    #expect(shown.status == 0 && shown.output.contains("fenceline region near [options] LAT LON"))
  }

  @Test func mistakesAreTold() throws {
    let scratch = try Scratch()
    let unknown = try scratch.fenceline("man", "region", "ad")
    #expect(unknown.status == 64)
    #expect(
      unknown.error.hasPrefix("error: There is no command 'ad' in 'fenceline region'. Did you mean 'add'?\n"))
    try scratch.write("file", "")
    let blocked = try scratch.fenceline("man", "--output", "file/man1")
    #expect(
      blocked.status == 73 && blocked.messages.count == 1 && blocked.error.contains("'file/man1'"),
      "\(blocked.error)")
    #expect(try scratch.names == ["file"])
    #expect(try scratch.fenceline("man", "-q", "--output", "new/man1").status == 0)
    #expect(try scratch.names == ["file", "new"])
  }
}
