import FencelineHTTPCalling
import Testing

@Suite("Web address") struct WebAddressTests {
  @Test func itsPartsAreThoseOfTheRequest() throws {
    let address = try #require(WebAddress("HTTPS://Example.org:8443/a/b?c=d#e"))
    #expect(address.scheme == "https" && address.host == "Example.org" && address.path == "/a/b")
    #expect(address.origin == "https://Example.org:8443" && !address.hasLogin && !address.isLocal)
    #expect(WebAddress("http://[2001:db8::1]:80/")?.host == "2001:db8::1")
    #expect(WebAddress("http://[2001:db8::1]:80/")?.origin == "http://[2001:db8::1]:80")
    #expect(WebAddress("http://example.org")?.path == "/")
    for text in ["http://ann@example.org/", "http://:secret@example.org/", "http://ann:secret@example.org/"] {
      #expect(WebAddress(text)?.hasLogin == true, "\(text)")
    }
  }

  @Test func whatIsNoneIsNone() {
    let texts = [
      "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http://",
      "smtp://example.org",
      "http://exa mple.org/", "http://example.org/\r\nX: y", "http://example.org/a b",
      "http://example.org:99999/",
      "http://example.org\u{0}.evil/", "javascript:alert(1)", "//example.org/", "http://[::1",
      "gopher://example.org",
    ]
    for text in texts { #expect(WebAddress(text) == nil, "\(text.debugDescription)") }
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://localhost/", "http://LocalHost./", "http://a.b.localhost/",
    "http://2130706433/",
    "http://0x7f.1/", "http://0177.1/", "http://127.1/", "http://0/", "http://[::1]/", "http://[::]/",
    "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:127.0.0.1]/",
    "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/",
    "http://169.254.169.254/latest/",
    "http://2852039166/", "http://0xa9fea9fe/", "http://example.org@127.0.0.1/",
    "http://example.org:80@localhost/",
    "http://127%2E0%2E0%2E1/", "http://loc%61lhost/",
  ])
  func itSaysThatItIsHere(_ text: String) throws {
    #expect(try #require(WebAddress(text)).isLocal)
  }

  @Test(arguments: [
    "http://127.0.0.1.example.org/", "http://localhost.example.org/", "http://notlocalhost/",
    "http://10.0.0.1/",
    "http://example.org/127.0.0.1", "http://example.org/?@localhost", "http://example.org#@localhost/",
    "http://127.0.0.1@example.org/", "http://134744072/",
  ])
  func itSaysThatItIsElsewhere(_ text: String) throws {
    #expect(try !#require(WebAddress(text)).isLocal)
  }
}
