/// How much evidence makes a crossing.
///
/// | profile | k in | k out | exit margin | entry: fixes, hold | exit: fixes, hold | accuracy gate |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | `exact` | 0 | 0 | 0 | 1, 0 s | 1, 0 s | none |
/// | `fast` | 0 | 1 | 5 % of r, 5 to 50 m | 1, 0 s | 1, 0 s | 200 m |
/// | `balanced` | 1 | 3 | 10 % of r, 10 to 200 m | 2, 2 s | 3, 20 s | 100 m |
/// | `steady` | 2 | 3 | 15 % of r, 20 to 300 m | 3, 5 s | 5, 30 s | 50 m |
public enum Profile: String, Hashable, Sendable, Codable, CaseIterable {
  /// Each fix is taken at its word.
  case exact
  /// Quick, with a small band against flapping.
  case fast
  /// The default: seconds late, hardly ever wrong.
  case balanced
  /// For receivers that stand near a perimeter for long.
  case steady

  /// Standard deviations that a fix must lie within the perimeter to speak for inside.
  public var sigmasInside: Double {
    switch self {
    case .exact, .fast: 0
    case .balanced: 1
    case .steady: 2
    }
  }

  /// Standard deviations that a fix must lie beyond the perimeter and the margin to speak for outside.
  public var sigmasOutside: Double {
    switch self {
    case .exact: 0
    case .fast: 1
    case .balanced, .steady: Profile.mostSigmasOutside
    }
  }

  /// The largest of ``sigmasOutside``.
  static let mostSigmasOutside = 3.0

  /// Metres beyond the perimeter from which a fix may speak for outside.
  ///
  /// - Parameter radius: The region's, in metres.
  /// - Returns: 0 or more.
  public func exitMargin(radius: Double) -> Double {
    switch self {
    case .exact: 0
    case .fast: min(max(0.05 * radius, 5), 50)
    case .balanced: min(max(0.10 * radius, 10), 200)
    case .steady: min(max(0.15 * radius, 20), 300)
    }
  }

  /// Clear fixes and seconds that confirm an entry.
  public var entry: (fixes: Int, hold: Double) {
    switch self {
    case .exact, .fast: (1, 0)
    case .balanced: (2, 2)
    case .steady: (3, 5)
    }
  }

  /// Clear fixes and seconds that confirm an exit.
  public var exit: (fixes: Int, hold: Double) {
    switch self {
    case .exact, .fast: (1, 0)
    case .balanced: (3, 20)
    case .steady: (5, 30)
    }
  }

  /// The worst accuracy of a fix that speaks for either side, as the 68 % radius in metres; nil for any.
  public var accuracyGate: Double? {
    switch self {
    case .exact: nil
    case .fast: 200
    case .balanced: 100
    case .steady: 50
    }
  }
}
