import FencelineXMLText
import Testing

struct XMLNodeTests {
  @Test func elementsKeepTheirLinesAttributesAndTexts() throws {
    let text =
      "\n<?xml version=\"1.0\"?>\n<a x:lat='9' lat=\"1\">\n <b> two &amp; three\n </b>\n <p:c/>tail</a>\n"
    let root = try XMLNode(parsing: Array(text.utf8))
    #expect(root.name == "a" && root.line == 3)
    #expect(root.attributes == ["lat": "1"])
    #expect(root.children.map(\.name) == ["b", "c"] && root.children.map(\.line) == [4, 6])
    #expect(root["b"]?.content == " two & three\n " && root.text(of: "b") == "two & three")
    #expect(root.text(of: "c") == nil && root.text == "tail")
  }

  @Test(
    arguments: [
      ("<a><b></a>", 1, "mismatched tag"),
      ("<a>\n<b>", 2, "no element found"),
      ("\n\n<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a/>", 3, "a document type declaration: remove the DOCTYPE"),
      ("", 1, "no element found"),
    ] as [(String, Int, String)])
  func whatIsNotXMLIsRefused(_ text: String, _ line: Int, _ reason: String) {
    let error = #expect(throws: XMLSyntaxError.self) { try XMLNode(parsing: Array(text.utf8)) }
    #expect(error?.line == line && error?.reason == reason)
  }

  @Test func aNestingWithoutEndIsRefused() {
    let text = String(repeating: "<a>", count: 1_000_000)
    let error = #expect(throws: XMLSyntaxError.self) { try XMLNode(parsing: Array(text.utf8)) }
    #expect(error?.reason == "more than 200 elements in one another")
  }

  @Test func bytesThatAreNotTheUTF8TheyShouldBeAreWindows1252() throws {
    for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] {
      let bytes = Array((declaration + "<a>").utf8) + [0x5a, 0xfc, 0x80] + Array("</a>".utf8)
      #expect(try XMLNode(parsing: bytes).text == "Zü€")
    }
    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><a>".utf8) + [0xe1] + Array("</a>".utf8)
    #expect(try XMLNode(parsing: latin).text == "á")
  }

  @Test func textsComeBackFromTheirEscapedForm() throws {
    let text = "<&>\"'\n\r\t]]> ü 日本 \u{1f600}"
    let document = "<a b=\"\(text.xmlEscaped)\">\(text.xmlEscaped)</a>"
    let node = try XMLNode(parsing: Array(document.utf8))
    #expect(node.content == text && node.attributes["b"] == text)
    #expect("a\u{0}b\u{1b}".xmlEscaped == "a\u{fffd}b\u{fffd}")
  }
}
