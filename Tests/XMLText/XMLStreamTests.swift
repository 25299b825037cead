import FencelineTestSupport
import FencelineXMLText
import Testing

/// Writes down what it is told; text is wanted in elements whose name begins with `t`.
private struct Listener: XMLReceiver {
  var told = ""
  private(set) var wantsText = false

  mutating func begin(_ name: Span<UInt8>, _ tag: XMLTag) {
    let name = name.text
    told += "<\(name) \(tag.line)"
    if let value = tag["v"] { told += " v=\(value)" }
    told += ">"
    wantsText = name.hasPrefix("t")
  }

  mutating func end() {
    told += "</>"
    wantsText = false
  }

  mutating func text(_ bytes: Span<UInt8>) {
    told += bytes.text
  }
}

struct XMLStreamTests {
  @Test func whereTheDocumentIsCutChangesNothing() {
    let text = "<a>\n<p:t v='1'>x &amp; y<b/>z</p:t> <u>no</u><t>\n<![CDATA[<3]]></t></a>\n"
    let whole = "<a 1><t 2 v=1>x & y<b 2></></><u 2></><t 2>\n<3</></>"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let stream = XMLStream(encoding: nil)
      var listener = Listener()
      stream.parse(bytes.span.extracting(0..<cut), telling: &listener)
      // It may be another one that listens on, at another place.
      var heir = listener
      stream.parse(bytes.span.extracting(cut..<bytes.count), isFinal: true, telling: &heir)
      #expect(heir.told == whole && stream.failure == nil)
    }
  }

  @Test(
    arguments: [
      ("v='1' x:v='2'", "1"), ("x:v='2' v='1'", "1"), ("x:v='2' y:v='3'", "2"),
      ("v:x='1' vv='2' xv='3'", nil),
      ("x:y:v='4'", "4"), ("v=''", ""),
    ] as [(String, String?)])
  func anAttributeWithoutPrefixComesFirst(_ attributes: String, _ value: String?) {
    let stream = XMLStream(encoding: nil)
    var listener = Listener()
    stream.parse(Array("<a \(attributes)/>".utf8).span, isFinal: true, telling: &listener)
    #expect(stream.failure == nil)
    #expect(listener.told == "<a 1\(value.map { " v=\($0)" } ?? "")></>")
  }

  @Test func nothingIsToldAfterAFailure() {
    for (text, failure, told) in [
      ("<!DOCTYPE a><a/>", .documentType, ""),
      ("<a></b><d/>", .malformed(line: 1, reason: "mismatched tag"), "<a 1>"),
    ] as [(String, XMLStream.Failure, String)] {
      let stream = XMLStream(encoding: nil)
      var listener = Listener()
      stream.parse(Array(text.utf8).span, telling: &listener)
      #expect(listener.told == told)
      stream.parse(Array("<c/>".utf8).span, isFinal: true, telling: &listener)
      #expect(stream.failure == failure && listener.told == told)
    }
  }
}
