import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("Eight bytes at once")
struct EightBytesTests {
  /// Bytes that are often digits, marks or at the edge of what is printable.
  private func bytes(_ random: inout SplitMix64) -> [UInt8] {
    let some: [UInt8] = [0x00, 0x1f, 0x20, 0x21, 0x24, 0x2a, 0x2c, 0x2f, 0x3a, 0x7e, 0x7f, 0x80, 0xac, 0xff]
    return (0..<8).map { _ in
      random.chance(0.7)
        ? UInt8.random(in: 0x30...0x39, using: &random)
        : random.chance(0.8)
          ? some.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
    }
  }

  private func list(_ places: EightBytes.Places) -> [Int] {
    Array(IteratorSequence(places))
  }

  @Test("All that is said of them is what each by itself says")
  func agreesWithBytes() {
    var wrong: [UInt64] = []
    forAll(seed: 1, count: 20_000) { random, seed in
      let bytes = bytes(&random)
      let eight = EightBytes(bytes.span, at: 0)
      let marks = list(eight.placesOfMarks)
      let digits = bytes.prefix { isDigit($0) }
      let value = digits.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
      let mark = bytes.randomElement(using: &random) ?? 0
      let same = eight.places(of: mark)
      let count = Int.random(in: 0...8, using: &random)
      let isRight =
        marks == bytes.indices.filter { bytes[$0] < 0x2d || bytes[$0] > 0x7e }
        && list(same) == bytes.indices.filter { bytes[$0] == mark }
        && list(same.prefix(count)) == list(same).filter { $0 < count }
        && eight.placesOfMarks.first(butNot: same) == marks.first { bytes[$0] != mark } ?? 8
        && (0..<8).map { eight[$0] } == bytes
        && eight.leadingNumber == (value, digits.count)
        && eight.checksum == bytes.reduce(0, ^)
        && eight.prefix(count).checksum == bytes.prefix(count).reduce(0, ^)
      if !isRight { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A field's number is that of its text, however it is written")
  func numbersOfFields() {
    var wrong: [UInt64] = []
    forAll(seed: 2, count: 20_000) { random, seed in
      let whole = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...9, using: &random)
      }
      let decimals = (0..<Int.random(in: 0...10, using: &random)).map { _ in
        Int.random(in: 0...9, using: &random)
      }
      let text =
        (random.chance(0.1) ? "-" : "") + whole.map(String.init).joined() + (random.chance(0.8) ? "." : "")
        + decimals.map(String.init).joined() + (random.chance(0.05) ? "e2" : random.chance(0.05) ? "x" : "")
      var sentence = NMEASentence()
      let line = Array("GPXXX, \(text) ,7".utf8)
      var place = 0
      sentence.take(line.span, from: &place, to: line.count)
      sentence.end()
      if sentence.number(1) != decimalNumber(Array(text.utf8).span) || sentence.number(2) != 7 {
        wrong.append(seed)
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test("What an earlier, longer sentence has left behind is no part of a later one")
  func forgetsWhatWasThere() {
    var sentence = NMEASentence()
    let lines = ["GPXXX,123456.789,1234567890,7", "GPXXX,12", "GPXXX,,"]
    let expected: [[Double?]] = [[123456.789, 1_234_567_890, 7, nil], [12, nil, nil], [nil, nil, nil]]
    for (line, numbers) in zip(lines, expected) {
      let bytes = Array(line.utf8)
      sentence.clear()
      var place = 0
      sentence.take(bytes.span, from: &place, to: bytes.count)
      sentence.end()
      #expect(numbers.indices.map { sentence.number($0 + 1) } == numbers)
    }
  }
}
