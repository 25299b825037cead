public import FencelineCivilTime

extension Region {
  /// What is wanted of a region, beside its place and names.
  public struct Terms: Hashable, Sendable {
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

    /// What is usual.
    public init() {}
  }

  /// Whether entries are wanted.
  public var notifyOnEntry: Bool {
    get { terms.notifyOnEntry }
    set { terms.notifyOnEntry = newValue }
  }
  /// Whether exits are wanted.
  public var notifyOnExit: Bool {
    get { terms.notifyOnExit }
    set { terms.notifyOnExit = newValue }
  }
  /// How long a visit lasts, in seconds, until a dwell is wanted; several are possible.
  public var dwell: [Double] {
    get { terms.dwell }
    set { terms.dwell = newValue }
  }
  /// Whether notifications go on after the first one.
  public var repeats: Bool {
    get { terms.repeats }
    set { terms.repeats = newValue }
  }
  /// How evidence becomes a crossing; nil for the default of the run.
  public var profile: Profile? {
    get { terms.profile }
    set { terms.profile = newValue }
  }
  /// Seconds inside before an entry counts; replaces the profile's hold and holds for sparse sources too; nil for the profile's.
  public var enterAfter: Double? {
    get { terms.enterAfter }
    set { terms.enterAfter = newValue }
  }
  /// Seconds outside before an exit counts, likewise.
  public var exitAfter: Double? {
    get { terms.exitAfter }
    set { terms.exitAfter = newValue }
  }
  /// Metres beyond the perimeter from which a fix speaks for outside; nil for the profile's.
  public var exitMargin: Double? {
    get { terms.exitMargin }
    set { terms.exitMargin = newValue }
  }
  /// What happens for a device that is found inside at first.
  public var initial: InitialCrossing {
    get { terms.initial }
    set { terms.initial = newValue }
  }
  /// Seconds after a notification in which no other is wanted; nil for none.
  public var cooldown: Double? {
    get { terms.cooldown }
    set { terms.cooldown = newValue }
  }
  /// When notifications are wanted; empty for always.
  public var active: [ActiveWindow] {
    get { terms.active }
    set { terms.active = newValue }
  }
  /// When the region ends; nil for never.
  public var expires: Timestamp? {
    get { terms.expires }
    set { terms.expires = newValue }
  }
  /// Which devices it is for, as globs.
  public var devices: [String] {
    get { terms.devices }
    set { terms.devices = newValue }
  }
  /// Words to find and group it by.
  public var tags: [String] {
    get { terms.tags }
    set { terms.tags = newValue }
  }
  /// Which of several regions comes first for people; higher first.
  public var priority: Int {
    get { terms.priority }
    set { terms.priority = newValue }
  }
  /// Whether it is watched at all.
  public var isEnabled: Bool {
    get { terms.isEnabled }
    set { terms.isEnabled = newValue }
  }
}
