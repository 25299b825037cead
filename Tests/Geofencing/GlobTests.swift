import FencelineGeofencing
import FencelineTestSupport
import Testing

struct GlobTests {
  @Test(
    arguments: [
      ("*", "", true), ("*", "anything", true), ("", "", true), ("", "x", false), ("phone", "phone", true),
      ("phone", "phone2", false), ("phone", "Phone", false), ("phone*", "phone", true),
      ("*one", "phone", true),
      ("p*n*", "phone", true), ("p*x*", "phone", false), ("?", "", false), ("?", "x", true), ("?", "é", true),
      ("?", "xy", false), ("[a-f]", "c", true), ("[a-f]", "g", false), ("[!a-f]", "g", true),
      ("[!a-f]", "c", false),
      ("[abc]x", "bx", true), ("[]a]", "]", true), ("[!]a]", "]", false), ("[a-]", "-", true),
      ("[f-a]", "c", false),
      ("[a", "[a", true), ("[", "[", true), ("[]", "[]", true), ("[!]", "[!]", true), ("a**b", "axxb", true),
      ("*.*", "a.b", true),
      ("van-[0-9]?", "van-7x", true), ("Zür*", "Zürich", true),
      ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
    ] as [(String, String, Bool)])
  func patterns(_ pattern: String, _ name: String, _ matches: Bool) {
    #expect(Glob(pattern).matches(name) == matches)
  }

  @Test func itAgreesWithANaiveMatcher() {
    var matched = 0
    forAll(seed: 30, count: 20_000) { random, seed in
      func text(_ letters: [Character], _ most: Int) -> String {
        String(
          (0..<Int.random(in: 0...most, using: &random)).map { _ in
            letters.randomElement(using: &random) ?? "a"
          })
      }
      let pattern = text(["a", "b", "*", "*", "?", "[", "]", "!", "-", "c"], 8)
      let name = text(["a", "b", "c", "[", "]", "-", "!"], 7)
      let expected = naive(Array(pattern)[...], Array(name)[...])
      if expected { matched += 1 }
      guard Glob(pattern).matches(name) == expected else {
        Issue.record("seed \(seed): '\(pattern)', '\(name)'")
        return
      }
    }
    #expect(matched > 500)
  }

  /// Tries everything.
  private func naive(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" { return naive(rest, name) || (!name.isEmpty && naive(pattern, name.dropFirst())) }
    guard let letter = name.first else { return false }
    var (matches, after) = (first == "?" || first == letter, rest)
    if first == "[" {
      let isInverted = rest.first == "!"
      let members = isInverted ? rest.dropFirst() : rest
      if !members.isEmpty, let end = members.dropFirst().firstIndex(of: "]") {
        matches = contains(Array(members[..<end]), letter) != isInverted
        after = pattern[(end + 1)...]
      }
    }
    return matches && naive(after, name.dropFirst())
  }

  private func contains(_ members: [Character], _ letter: Character) -> Bool {
    var place = 0
    while place < members.count {
      if place + 2 < members.count, members[place + 1] == "-" {
        if members[place] <= letter, letter <= members[place + 2] { return true }
        place += 3
      } else {
        if members[place] == letter { return true }
        place += 1
      }
    }
    return false
  }
}
