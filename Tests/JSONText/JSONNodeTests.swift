import FencelineJSONText
import FencelineTestSupport
import Testing

struct JSONNodeTests {
  private func read(_ text: String) throws -> JSONNode {
    try JSONNode(parsing: text.utf8)
  }

  @Test func valuesAreFoundByKind() throws {
    let node = try read(
      """
      {"a": null, "b": true, "c": [1, "two"], "d": {"e": false},
       "f": -1.5e-3, "b": "again"}
      """)
    #expect(node["a"]?.isNull == true)
    #expect(node["b"]?.text == "again")
    #expect(node["c"]?.elements?.map(\.number) == [1, nil])
    #expect(node["c"]?.elements?.map(\.text) == [nil, "two"])
    #expect(node["d"]?["e"]?.content == .boolean(false))
    #expect(node["f"]?.number == -0.0015)
    #expect(node["g"] == nil)
    #expect(node.members.map(\.name) == ["a", "b", "c", "d", "f", "b"])
    #expect(node.number == nil && node.text == nil && node.elements == nil && !node.isNull)
    #expect(node["f"]?.members.isEmpty == true)
    #expect(node["f"]?["x"] == nil)
  }

  @Test func eachValueKnowsItsLine() throws {
    let node = try read("\n{\n \"a\":\n 1, \"b\": [\n\n2,\r\n\"x\"]}")
    #expect(node.line == 2)
    #expect(node["a"]?.line == 4)
    #expect(node["b"]?.line == 4)
    #expect(node["b"]?.elements?.map(\.line) == [6, 7])
  }

  @Test(
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""Z\u00fcrich""#, "Zürich"), (#""\u00FC""#, "ü"),
      (#""\uD83D\uDE00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\uD800\uDC00""#, "\u{10000}"),
      (#""\u0000""#, "\u{0}"), ("\"😀\u{7f}\"", "😀\u{7f}"), (#""""#, ""), (#""a\u0308""#, "a\u{308}"),
    ] as [(String, String)])
  func escapes(_ text: String, _ value: String) throws {
    #expect(try read(text).text?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("10", 10), ("0.5", 0.5), ("1e5", 100_000), ("1E+2", 100), ("2e-2", 0.02),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
      ("0.1", 0.1), ("123456789012345678901234567890", 0x1.8ee90ff6c373ep+96),
    ] as [(String, Double)])
  func numbers(_ text: String, _ value: Double) throws {
    #expect(try read(text).number == value)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try JSONNode(parsing: [0xef, 0xbb, 0xbf, 0x31]).number == 1)
  }

  @Test func equalityIsOfValuesAndLines() throws {
    #expect(try read("[1, {\"a\": true}]") == read("[1,{\"a\":true}]"))
    #expect(try read("[1, {\"a\": true}]").hashValue == read("[1,{\"a\":true}]").hashValue)
    #expect(try read("[1]") != read("[\n1]"))
    #expect(try read("{\"a\":1}") != read("{\"b\":1}"))
    #expect(try read("{\"a\":1}") != read("{\"a\":1,\"b\":2}"))
    #expect(try read("null") != read("false"))
    #expect(try Set([read("null"), read("\"x\""), read("1"), read("null")]).count == 3)
  }
}
