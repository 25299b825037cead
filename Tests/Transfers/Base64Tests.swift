import FencelineTransfers
import Testing

@Suite("Base64") struct Base64Tests {
  @Test func theStandardsExamples() {
    let examples = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "foobar": "Zm9vYmFy",
    ]
    for (plain, encoded) in examples {
      #expect(Base64.text(of: Array(plain.utf8)) == encoded)
      #expect(Base64.bytes(of: encoded) == Array(plain.utf8))
      #expect(Base64.bytes(of: String(encoded.prefix { $0 != "=" })) == Array(plain.utf8))
    }
    #expect(Base64.text(of: [251, 255, 191]) == "+/+/")
  }

  @Test func everyByteComesBack() {
    for count in 250...258 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
    }
  }

  @Test func whatIsNoneIsNone() {
    for text in ["a", "abcde", "a b=", "ab===", "====", "ab-_", "größe=", "ab\n=", "=ab="] {
      #expect(Base64.bytes(of: text) == nil, "\(text)")
    }
  }
}
