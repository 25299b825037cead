import Testing

@testable import FencelineCommandLineKit

struct BashLineTests {
  private static let breaks = " \t\n\"'><=;|&(:"

  @Test(
    arguments: [
      ("", [""], ""), ("p", ["p"], ""), ("p ", ["p", ""], ""), ("p a\\ b", ["p", "a b"], ""),
      ("p 'a b' \"c\\\"d\\e\" ", ["p", "a b", "c\"d\\e", ""], ""), ("p 'a b", ["p", "a b"], ""),
      ("p x'a b", ["p", "xa b"], "x"), ("p \"a'b", ["p", "a'b"], ""), ("p a:b:c", ["p", "a:b:c"], "a:b:"),
      ("p a\\:b", ["p", "a:b"], ""), ("p 'a:b", ["p", "a:b"], ""), ("p a:'b'c", ["p", "a:bc"], "a:"),
      ("p --x='a", ["p", "--x=a"], "--x="), ("p '' ", ["p", "", ""], ""), ("p a\\", ["p", "a"], ""),
      ("p > f a", ["p", "a"], ""), ("p 2>f a", ["p", "a"], ""), ("p 'é\u{301}", ["p", "é\u{301}"], ""),
      ("p\ta\n", ["p", "a", ""], ""),
    ] as [(String, [String], String)])
  func linesAreReadAsBashReadsThem(_ line: String, _ words: [String], _ kept: String) {
    let read = BashLine(line, breaks: Self.breaks)
    #expect(read.words == words)
    #expect(read.kept == kept)
    #expect(!read.isRedirection)
  }

  @Test(arguments: ["p >", "p > ", "p 2> f", "p a >> 'f", "p <f"])
  func filesOfRedirectionsAreToldApart(_ line: String) {
    #expect(BashLine(line, breaks: Self.breaks).isRedirection)
  }

  @Test(
    arguments: [
      ("p ", "my home", "my\\ home"), ("p ", "a:b=c", "a:b=c"), ("p a:", "a:b c", "b\\ c"),
      ("p ", "zürich", "zürich"),
      (
        "p ", "$x`y'\"!#~*{}[]?;&|<>()^\\",
        "\\$x\\`y\\'\\\"\\!\\#\\~\\*\\{\\}\\[\\]\\?\\;\\&\\|\\<\\>\\(\\)\\^\\\\"
      ),
      ("p '", "it's $x", "it'\\''s $x"), ("p \"", "a$b`c\"d\\e!f", "a\\$b\\`c\\\"d\\\\e\"'!'\"f"),
      ("p x'a", "xa b", "a b"),
      ("p a:", "b", nil),
    ] as [(String, String, String?)])
  func wordsAreQuotedForTheirPlace(_ line: String, _ word: String, _ text: String?) {
    #expect(BashLine(line, breaks: Self.breaks).replacement(for: word) == text)
  }
}
