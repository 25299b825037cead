/// How urgently a notification asks for attention.
public enum InterruptionLevel: String, Hashable, Sendable, Comparable, CaseIterable {
  /// It is listed, without banner and sound.
  case passive
  /// It is shown at once and may sound; a focus holds it back.
  case active
  /// The same, and a focus lets it through.
  case timeSensitive = "time-sensitive"
  /// It is shown and sounds whatever is set; the app needs an entitlement.
  case critical

  /// The less urgent one comes first.
  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
