import FencelineGeodesy
import FencelineTestSupport
import Testing

@testable import FencelineTrackLogs

@Suite("Fields of NMEA sentences")
struct NMEASentenceTests {
  private func cut(_ text: [UInt8], into pieces: [Int] = []) -> NMEASentence {
    var sentence = NMEASentence()
    var place = 0
    for end in pieces.sorted() + [text.count] { sentence.take(text.span, from: &place, to: end) }
    sentence.end()
    return sentence
  }

  private func digits(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
  }

  @Test("A whole number is that of its text, whatever digits follow in the sentence")
  func wholeNumbers() {
    var wrong: [UInt64] = []
    forAll(seed: 31, count: 20_000) { random, seed in
      let text = digits(Int.random(in: 0...11, using: &random), &random) + (random.chance(0.1) ? "x" : "")
      let sentence = cut(Array("GPXXX,\(text),7".utf8))
      let expected = text.utf8.count <= 9 ? Int(text) : nil
      // A part of the field, with the rest of it behind.
      let part = Int.random(in: 0...text.utf8.count, using: &random)
      let start = sentence.range(1).lowerBound
      let isRight =
        sentence.wholeNumber(1) == expected
        && sentence.wholeNumber(start..<start + part) == (part <= 9 ? Int(text.prefix(part)) : nil)
      if !isRight { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A position is that of its text, however many digits it has")
  func positions() {
    var wrong: [UInt64] = []
    var positions = 0
    forAll(seed: 32, count: 20_000) { random, seed in
      let whole =
        random.chance(0.7)
        ? digits(2, &random) + String(Int.random(in: 0...5, using: &random)) + digits(1, &random)
        : digits(Int.random(in: 0...12, using: &random), &random)
      let decimals = digits(Int.random(in: 0...12, using: &random), &random)
      let rest = random.chance(0.9) ? ".\(decimals)" : ""
      let field = whole + rest
      let found = cut(Array("GPGLL,\(field),S,00830.0,W".utf8)).coordinate(1)
      var expected: Double?
      // Swift wants a digit behind the point.
      let minutesText = whole.suffix(2) + (rest == "." ? "" : rest)
      if (1...9).contains(whole.utf8.count), let minutes = Double(minutesText), minutes < 60 {
        let latitude = Double(Int(whole.dropLast(2)) ?? 0) + minutes / 60
        if latitude <= 90 { expected = latitude }
      }
      if expected != nil { positions += 1 }
      if found?.latitude != expected.map({ -$0 }) || found.map({ $0.longitude != -8.5 }) ?? false {
        wrong.append(seed)
      }
    }
    #expect(wrong.isEmpty)
    #expect(positions > 10_000)
  }

  @Test(
    "Time of day has any number of decimals",
    arguments: [
      ("120000.", 43_200_000), ("120000.4", 43_200_400), ("120000.0005", 43_200_001),
      ("120000.00049999", 43_200_000), ("120000.12345678", 43_200_123), ("120000.123456789", 43_200_123),
      ("120000.123999999999", 43_200_124), ("120000.12345678x", nil), ("120000.1x", nil), ("120000x", nil),
      ("12000", nil), ("235960.9999", 86_400_000),
    ] as [(String, Int?)])
  func times(_ text: String, _ milliseconds: Int?) {
    #expect(cut(Array("GPXXX,\(text),9".utf8)).timeOfDay(1) == milliseconds)
  }

  @Test("Fields, checksum and spaces are found wherever the text is cut into pieces")
  func pieces() {
    var wrong: [UInt64] = []
    forAll(seed: 33, count: 5_000) { random, seed in
      let some: [UInt8] = [0x2c, 0x2c, 0x2c, 0x20, 0x30, 0x41, 0x2e, 0x2d, 0x7e, 0x22, 0x2b]
      let count = random.chance(0.3) ? 255 : Int.random(in: 0...255, using: &random)
      let isAllCommas = random.chance(0.1)
      var text = (0..<count).map { _ in isAllCommas ? 0x2c : some.randomElement(using: &random) ?? 0 }
      let star = random.chance(0.5) && count > 0 ? Int.random(in: 0..<count, using: &random) : count
      if star < count { text[star] = 0x2a }
      let fields = text[..<star].split(separator: 0x2c, omittingEmptySubsequences: false).map { field in
        let rest = field.drop { $0 == 0x20 }
        return Array(rest[..<((rest.lastIndex { $0 != 0x20 } ?? rest.startIndex - 1) + 1)])
      }
      let cuts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0...count, using: &random)
      }
      let sentence = cut(text, into: cuts)
      let isRight =
        sentence.fieldCount == fields.count && sentence.hadChecksum == (star < count)
        && sentence.sum == text[..<star].reduce(0, ^)
        && fields.indices.allSatisfy { Array(sentence.bytes[sentence.range($0)]) == fields[$0] }
        && sentence.isEmpty(fields.count)
      if !isRight { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("A sentence takes no more than it has room for, and stops at what ends it")
  func bounds() {
    var sentence = NMEASentence()
    var place = 0
    sentence.take([UInt8](repeating: 0x2c, count: 1000).span, from: &place, to: 1000)
    #expect(place == 255 && sentence.room == 0)
    sentence.take([UInt8](repeating: 0x2c, count: 1000).span, from: &place, to: 1000)
    #expect(place == 255)
    for end in [0x0a, 0x0d, 0x1f, 0x21, 0x24, 0x7f, 0x80, 0xff] as [UInt8] {
      for length in 0...17 {
        var place = 0
        sentence.clear()
        sentence.take(
          ([UInt8](repeating: 0x41, count: length) + [end, 0x42]).span, from: &place, to: length + 2)
        #expect(place == length && sentence.length == length)
      }
    }
  }
}
