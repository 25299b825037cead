import Foundation
import Testing

@Suite("settings") struct SettingsTests {
  private struct Line: Decodable {
    var key: String
    var value: String
    var `default`: String?
    var origin: String
    var valid: Bool
  }

  private func line(_ key: String, _ scratch: Scratch, with variables: [String: String] = [:]) throws -> Line?
  {
    try scratch.fenceline("settings", "--json", with: variables).decoded(Line.self).first { $0.key == key }
  }

  @Test func aValueIsSetListedAndUnset() throws {
    let scratch = try Scratch()
    let empty = try scratch.fenceline("settings")
    #expect(empty.status == 0 && empty.lines.count == 17 && empty.output.contains("gpsd://localhost:2947"))
    #expect(try scratch.names == [])
    #expect(try scratch.fenceline("settings", "set", "silence", "1m").error == "silence is now 1m\n")
    #expect(try scratch.fenceline("settings", "set", "silence", "1m").error == "silence is already 1m\n")
    #expect(try scratch.fenceline("settings", "set", "receiver.van", "*u-blox*").status == 0)
    let silence = try #require(try line("silence", scratch))
    #expect(
      silence.value == "1m" && silence.default == "10s" && silence.origin == "database" && silence.valid)
    let receiver = try #require(try line("receiver.van", scratch))
    #expect(receiver.value == "*u-blox*" && receiver.default == nil)
    let variables = ["FENCELINE_SILENCE": "5s"]
    #expect(try line("silence", scratch, with: variables)?.origin == "environment")
    let set = try scratch.fenceline("settings", "set", "silence", "2m", with: variables)
    #expect(set.status == 0 && set.error.contains("Here the variable FENCELINE_SILENCE says '5s'"))
    #expect(try scratch.fenceline("settings", "unset", "silence").error == "silence has its default again\n")
    #expect(
      try scratch.fenceline("settings", "unset", "silence").error == "silence had its default already\n")
    #expect(try line("silence", scratch)?.origin == "default")
  }

  @Test(
    arguments: [
      (["set", "silense", "1m"], "Did you mean 'silence'?"),
      (["unset", "profil"], "Did you mean 'profile'?"),
      (["set", "receiver", "x"], "Did you mean 'receiver.NAME'?"), (["set", "quux", "1"], "lists all."),
      (["set", "profile", "gentle"], "choose exact, fast, balanced or steady"),
      (["set", "sources", "serial://ttyUSB0"], "it needs a path"),
      (["set", "silence"], "'VALUE' is missing"),
    ] as [([String], String)])
  func whatMakesNoSenseIsSaidAndNothingIsStored(_ words: [String], _ sentence: String) throws {
    let scratch = try Scratch()
    let run = try RunningProgram(
      [Project.program, "settings"] + words, environment: scratch.environment(), in: scratch.folder
    ).result()
    #expect(run.status == 64 && run.output.isEmpty && run.errors.count == 1, "\(run.error)")
    #expect(run.error.contains(sentence), "\(run.error)")
    #expect(try scratch.names == [] || scratch.sql("SELECT count(*) FROM setting") == ["0"])
  }

  @Test func whatAnotherHandHasStoredIsToldAndCanBeRemoved() throws {
    let scratch = try Scratch()
    #expect(try scratch.fenceline("settings", "set", "device", "van").status == 0)
    _ = try scratch.sql("INSERT INTO setting VALUES ('silence', 'long', 0), ('colour', 'red', 0)")
    let run = try scratch.fenceline("settings")
    #expect(run.status == 0 && run.lines.count == 17 && run.messages.count == 2)
    #expect(run.error.contains("The value 'long' is none for 'silence'") && run.error.contains("'colour'"))
    #expect(try line("silence", scratch)?.valid == false)
    #expect(try scratch.fenceline("settings", "unset", "colour").status == 0)
    #expect(try scratch.sql("SELECT key FROM setting") == ["device", "silence"])
  }

  @Test func keysAreCompleted() throws {
    let scratch = try Scratch()
    func candidates(_ word: String) throws -> [String] {
      let run = try scratch.fenceline("__complete", "fish", "--", "settings", "set", word)
      return run.lines.dropFirst().map { $0.split(separator: "\t").first.map(String.init) ?? "" }
    }
    #expect(try candidates("s") == ["sources", "silence"])
    #expect(try candidates("track") == ["track.retention"])
    #expect(try scratch.names == [])
  }
}
