import Testing

@testable import FencelineCommandLineKit

struct ValueTypeTests {
  @Test(
    arguments: [
      ("90", 90), ("90s", 90), ("15m", 900), ("2h30m", 9_000), ("1d", 86_400), ("1d2h3m4s", 93_784),
      ("1.5h", 5_400),
      ("0", 0), ("0s", 0), ("", nil), ("h", nil), ("-1", nil), ("-1h", nil), ("1h-2m", nil), ("1h1h", nil),
      ("1m1h", nil),
      ("1h30", nil), ("1w", nil), ("1 h", nil), ("é", nil), ("1e400d", nil), ("+1h", nil), ("nan", nil),
      ("٣h", nil),
    ] as [(String, Double?)])
  func durations(_ text: String, _ seconds: Double?) {
    #expect((try? ValueType.duration.parse(text)) == seconds)
  }

  @Test(
    arguments: [
      ("100", 100), ("100m", 100), ("1.5km", 1_500), ("0.2nmi", 0.2 * 1852), ("300ft", 300 * 0.3048),
      ("0.5mi", 804.672), ("0", 0), ("1e3", 1_000), ("", nil), ("m", nil), ("km", nil), ("-5", nil),
      ("-5km", nil),
      ("5 km", 5_000), ("0.5nm", 926), ("2NM", 3704), ("5  km", nil), ("5cm", nil), ("5M", nil),
      ("infm", nil), ("1e308km", nil), ("5kmkm", nil),
    ] as [(String, Double?)])
  func lengths(_ text: String, _ metres: Double?) {
    #expect((try? ValueType.length.parse(text)) == metres)
  }

  @Test(
    arguments: [("5", 5), ("-5", -5), ("+5", 5), ("6", nil), ("5.0", nil), ("", nil), ("x", nil)]
      as [(String, Int?)])
  func integers(_ text: String, _ value: Int?) {
    #expect((try? ValueType.integer(in: -5...5).parse(text)) == value)
  }

  @Test func listsAreSplitAtCommas() throws {
    let lengths = ValueType<Double>.length.list()
    #expect(try lengths.parse("1,2km") == [1, 2_000])
    #expect(throws: ValueError.self) { try lengths.parse("1,,2") }
    #expect(lengths.name == "LENGTH,…")
  }

  @Test func theHintSaysWhatCompletesAValue() {
    #expect(Sample.profile.parameter.hint == .choices(["exact", "fast", "balanced", "steady"]))
    #expect(Sample.files.parameter.hint == .file)
    #expect(ValueType<String>.directory.hint == .directory)
    #expect(Sample.names.parameter.hint == .region)
    #expect(
      [ValueHint.run, .replay, .device] == [.listed("runs"), .listed("replays"), .listed("devices")])
  }
}
