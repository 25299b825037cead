import FencelineJSONText
import FencelineTestSupport
import Testing

struct JSONValueTests {
  @Test func oneLineHasNoSpaces() {
    let value: JSONValue = [
      "run": 3, "region": .text("office"), "left": nil, "ok": true, "list": [1, 2.5, "x", []],
    ]
    #expect(value.line == #"{"run":3,"region":"office","left":null,"ok":true,"list":[1,2.5,"x",[]]}"#)
  }

  @Test func textForPeopleIsIndented() {
    let value: JSONValue = [
      "a": [], "b": [:], "c": [1, 2], "d": [["e": 1], [3]], "f": ["g": ["h": nil]],
    ]
    #expect(
      value.indented == """
        {
          "a": [],
          "b": {},
          "c": [1,2],
          "d": [
            {
              "e": 1
            },
            [3]
          ],
          "f": {
            "g": {
              "h": null
            }
          }
        }
        """)
  }

  @Test(
    arguments: [
      (1, "1"), (-0.0, "0"), (1.5, "1.5"), (0.1, "0.1"), (1e14, "100000000000000"),
      (1e15, "1000000000000000.0"),
      (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (.nan, "null"),
      (-12.25, "-12.25"),
    ] as [(Double, String)])
  func numbers(_ value: Double, _ text: String) {
    #expect(JSONValue.number(value).line == text)
  }

  @Test func textIsEscapedWhereATerminalOrAScriptWouldStumble() {
    #expect(
      JSONValue.text("\"\\\n\r\t\u{0}\u{1b}\u{7f}\u{9b}\u{2028}\u{2029}ü😀/").line
        == #""\"\\\n\r\t\u0000\u001b\u007f\u009b\u2028\u2029ü😀/""#)
  }

  @Test func literalsMakeValues() {
    #expect(
      [1, 2.5, true, "x", nil]
        == JSONValue.array([.integer(1), .number(2.5), .boolean(true), .text("x"), .null]))
  }

  @Test func whatIsWrittenIsReadAgain() {
    forAll(seed: 6, count: 1_000) { random, seed in
      let value = anyValue(&random, depth: 0)
      for text in [value.line, value.indented] {
        guard let node = try? JSONNode(parsing: text.utf8), matches(node, value) else {
          Issue.record("seed \(seed): \(text)")
          return
        }
      }
      if value.line.contains("\n") { Issue.record("seed \(seed): more than one line") }
    }
  }

  private func anyValue(_ random: inout SplitMix64, depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth < 4 ? 6 : 4), using: &random) {
    case 0: return .null
    case 1: return .boolean(random.chance(0.5))
    case 2: return .integer(Int.random(in: -1_000_000...1_000_000, using: &random))
    case 3:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : 0.25)
    case 4: return .text(anyText(&random))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in anyValue(&random, depth: depth + 1) })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          .init(anyText(&random), anyValue(&random, depth: depth + 1))
        })
    }
  }

  private func anyText(_ random: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let limit: UInt32 = random.chance(0.5) ? 0xff : 0x10ffff
      text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) ?? "x")
    }
    return text
  }

  private func matches(_ node: JSONNode, _ value: JSONValue) -> Bool {
    switch (node.content, value) {
    case (.null, .null): return true
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.number(let a), .integer(let b)): return a == Double(b)
    case (.number(let a), .number(let b)): return a == b
    case (.text(let a), .text(let b)): return a.unicodeScalars.elementsEqual(b.unicodeScalars)
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy(matches)
    case (.object(let a), .object(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && matches($0.value, $1.value) }
    default: return false
    }
  }
}
