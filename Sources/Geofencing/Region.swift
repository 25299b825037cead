public import FencelineCivilTime
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
  /// Whether entries are wanted.
  public var notifyOnEntry = true
  /// Whether exits are wanted.
  public var notifyOnExit = true
  /// How long a visit lasts, in seconds, until a dwell is wanted; several are possible.
  public var dwell: [Double] = []
  /// Whether notifications go on after the first one.
  public var repeats = true
  /// How evidence becomes a crossing; nil for the default of the run.
  public var profile: Profile?
  /// Seconds inside before an entry counts; replaces the profile's hold and holds for sparse sources too; nil for the profile's.
  public var enterAfter: Double?
  /// Seconds outside before an exit counts, likewise.
  public var exitAfter: Double?
  /// Metres beyond the perimeter from which a fix speaks for outside; nil for the profile's.
  public var exitMargin: Double?
  /// What happens for a device that is found inside at first.
  public var initial = InitialCrossing.none
  /// Seconds after a notification in which no other is wanted; nil for none.
  public var cooldown: Double?
  /// When notifications are wanted; empty for always.
  public var active: [ActiveWindow] = []
  /// When the region ends; nil for never.
  public var expires: Timestamp?
  /// Which devices it is for, as globs.
  public var devices: [String] = ["*"]
  /// Words to find and group it by.
  public var tags: [String] = []
  /// Which of several regions comes first for people; higher first.
  public var priority = 0
  /// Whether it is watched at all.
  public var isEnabled = true

  /// A region with the default for everything but its place.
  public init(id: String, centre: Coordinate, radius: Double) {
    self.id = id
    self.centre = centre
    self.radius = radius
  }

  /// The name to show: the title, else the identifier.
  public var name: String { title ?? id }
}

/// Whether a device that is inside when it is first seen gives an entry.
public enum InitialCrossing: String, Hashable, Sendable, Codable, CaseIterable {
  /// It does not: it has not crossed the perimeter.
  case none
  /// It does, with the cause `initial`.
  case entry
}
