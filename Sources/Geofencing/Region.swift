public import FencelineGeodesy

/// A circle on the Earth that devices enter, leave and stay in, and what is wanted then.
///
/// A `Region` may hold any values; ``problems()`` tells what keeps it from being used.
public struct Region: Hashable, Sendable {
  /// Its name for commands and scripts, unlike that of any other region.
  public var id: String
  /// The middle of the circle.
  public var centre: Coordinate
  /// Metres on the ground from the centre to the perimeter, which belongs to the inside; 1 to 10,000,000.
  public var radius: Double
  /// Its name for people; nil where the identifier serves.
  public var title: String?
  private var shared = SharedTerms.usual

  /// A region with the default for everything but its place.
  public init(id: String, centre: Coordinate, radius: Double) {
    self.id = id
    self.centre = centre
    self.radius = radius
  }

  /// The name to show: the title, else the identifier.
  public var name: String { title ?? id }

  /// All that is wanted of it. Regions that are copies of one another have it in common: of many thousands most want the same.
  public var terms: Terms {
    get { shared.terms }
    set { if newValue != shared.terms { shared = SharedTerms(newValue) } }
  }
}

/// What terms are shared in.
private final class SharedTerms: Hashable, Sendable {
  let terms: Region.Terms

  static let usual = SharedTerms(Region.Terms())

  init(_ terms: Region.Terms) {
    self.terms = terms
  }

  static func == (a: SharedTerms, b: SharedTerms) -> Bool { a === b || a.terms == b.terms }

  func hash(into hasher: inout Hasher) { hasher.combine(terms) }
}

/// Whether a device that is inside when it is first seen gives an entry.
public enum InitialCrossing: String, Hashable, Sendable, Codable, CaseIterable {
  /// It does not: it has not crossed the perimeter.
  case none
  /// It does, with the cause `initial`.
  case entry
}
