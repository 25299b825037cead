import FencelineDiagnosis
import FencelineEventJournal
import FencelineTestSupport
import Foundation
import Glibc
import Testing

@Suite("Database check") struct DatabaseCheckTests {
  let folder: TemporaryFolder
  var path: String { folder.path("fenceline.db") }

  init() throws { folder = try TemporaryFolder() }

  private func finding(_ subject: String) -> Finding? {
    DatabaseCheck.findings(path).first { $0.subject == subject }
  }

  @Test func oneThatIsNotThereIsMadeByTheFirstRegion() {
    #expect(finding("database")?.verdict == .ok)
    #expect(finding("disk")?.verdict != .problem)
    #expect(DatabaseCheck.findings(folder.path("a/b/c.db")).map(\.subject) == ["database", "disk"])
    #expect(folder.names == [])
  }

  @Test func aSoundOneIsSaidToBe() throws {
    do { _ = try Journal(path: path, .write) }
    #expect(finding("database") == Finding("database", .ok, "The database '\(path)' is sound."))
    #expect(finding("privacy")?.verdict == .ok)
    #expect(folder.names == ["fenceline.db"])
  }

  @Test func othersMayNotReadIt() throws {
    do { _ = try Journal(path: path, .write) }
    unsafe chmod(path, 0o644)
    #expect(finding("privacy")?.advice == "chmod 600 '\(path)'")
  }

  @Test func aDamagedOneIsAProblem() throws {
    do { _ = try Journal(path: path, .write) }
    // Pages behind the first one are overwritten: it opens, and is not sound.
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 3 * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 8 * 4096))
    try file.close()
    #expect(finding("database")?.verdict == .problem)
    try folder.write("fenceline.db", "no database at all")
    #expect(finding("database")?.verdict == .problem)
    #expect(finding("database")?.text.contains("damaged or no SQLite database") == true)
  }
}
