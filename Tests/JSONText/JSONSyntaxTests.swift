@testable import FencelineJSONText
import FencelineTestSupport
import Testing

struct JSONSyntaxTests {
  @Test(
    arguments: [
      ("", 1, 1, "a value"), (" \n\t ", 2, 3, "a value"), ("x", 1, 1, "a value"), ("+1", 1, 1, "a value"),
      (".5", 1, 1, "a value"), ("tru", 1, 1, "a value"), ("nulL", 1, 1, "a value"),
      ("falsy", 1, 1, "a value"),
      ("NaN", 1, 1, "a value"), ("'a'", 1, 1, "a value"), ("1 2", 1, 3, "the end"),
      ("nullx", 1, 5, "the end"),
      ("01", 1, 2, "the end"), ("{}}", 1, 3, "the end"), ("\u{0}", 1, 1, "a value"),
      ("{", 1, 2, "a name in quotes"), ("{1:2}", 1, 2, "a name in quotes"),
      ("{a:1}", 1, 2, "a name in quotes"),
      ("{\"a\":1,}", 1, 8, "a name in quotes"), ("{\"a\" 1}", 1, 6, "':'"), ("{\"a\"", 1, 5, "':'"),
      ("{\"a\":", 1, 6, "a value"), ("{\"a\":1 \"b\":2}", 1, 8, "',' or '}'"),
      ("{\"a\":1", 1, 7, "',' or '}'"),
      ("[", 1, 2, "a value"), ("[1,]", 1, 4, "a value"), ("[1 2]", 1, 4, "',' or ']'"),
      ("[1", 1, 3, "',' or ']'"),
      ("[1,\n  2,,3]", 2, 5, "a value"), ("{\r\n\"a\": [\n1,\n}", 4, 1, "a value"),
      ("-", 1, 2, "a digit"), ("-x", 1, 2, "a digit"), ("1.", 1, 3, "a digit"), ("1.e5", 1, 3, "a digit"),
      ("1e", 1, 3, "a digit"), ("1e+", 1, 4, "a digit"),
      ("[ 1e999]", 1, 3, "a number that a Double can hold"),
      ("\"abc", 1, 5, "'\"'"), ("\"a\nb\"", 1, 3, "'\"' before the end of the line"),
      ("\"a\tb\"", 1, 3, "'\"' before the end of the line"), ("\"a\\x\"", 1, 4, "an escape"),
      ("\"\\", 1, 3, "an escape"), ("\"\\u12\"", 1, 4, "four hexadecimal digits"),
      ("\"\\u+123\"", 1, 4, "four hexadecimal digits"), ("\"\\u-000\"", 1, 4, "four hexadecimal digits"),
      ("\"\\u12", 1, 4, "four hexadecimal digits"), ("\"\\uD800\"", 1, 2, "a surrogate pair"),
      ("\"\\uD800x\"", 1, 2, "a surrogate pair"), ("\"\\uD800\\n\"", 1, 2, "a surrogate pair"),
      ("\"\\uD800\\u0041\"", 1, 2, "a surrogate pair"), ("\"a\\uDC00\"", 1, 3, "a surrogate pair"),
      ("\u{FEFF}x", 1, 1, "a value"), ("[\"ü\" 1]", 1, 7, "',' or ']'"),
    ] as [(String, Int, Int, String)])
  func everyErrorHasItsPlace(_ text: String, _ line: Int, _ column: Int, _ expected: String) {
    #expect(throws: JSONSyntaxError(line: line, column: column, expected: expected)) {
      try JSONNode(parsing: text.utf8)
    }
  }

  @Test(
    arguments: [
      ([0x22, 0xff, 0x22], 2), ([0x22, 0x61, 0xc3, 0x22], 3),
      ([0x22, 0x61, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x22], 5),
      ([0x22, 0x61, 0x80, 0x5c, 0x6e, 0x22], 3), ([0x7b, 0x22, 0xc0, 0x80, 0x22], 3),
    ] as [([UInt8], Int)])
  func textMustBeUTF8(_ bytes: [UInt8], _ column: Int) {
    #expect(throws: JSONSyntaxError(line: 1, column: column, expected: "valid UTF-8")) {
      try JSONNode(parsing: bytes)
    }
  }

  @Test func nestingHasALimit() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    _ = try JSONNode(parsing: deepest.utf8)
    let side = "[" + String(repeating: "[],", count: 500) + "[]]"
    _ = try JSONNode(parsing: side.utf8)
    #expect(throws: JSONSyntaxError(line: 1, column: 129, expected: "no deeper nesting than 128")) {
      try JSONNode(parsing: String(repeating: "[", count: 100_000).utf8)
    }
    let objects = String(repeating: "{\"a\":", count: 129)
    #expect(throws: JSONSyntaxError(line: 1, column: 641, expected: "no deeper nesting than 128")) {
      try JSONNode(parsing: objects.utf8)
    }
  }

  @Test func anErrorReadsAsAPhrase() {
    let error = JSONSyntaxError(line: 3, column: 14, expected: "',' or '}'")
    #expect(error.description == "expected ',' or '}' in line 3, column 14")
  }

  @Test func randomBytesNeverCrash() {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "1", "-", "e5", ".", "true", "\\u", "D800", "\"", " ", "\n",
      "\u{0}",
    ]
    var read = 0
    forAll(seed: 5, count: 4_000) { random, _ in
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        if random.chance(0.1) {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        } else {
          bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
        }
      }
      if (try? JSONNode(parsing: bytes)) != nil { read += 1 }
    }
    #expect(read > 0)
  }
}
