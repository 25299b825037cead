/// The best accuracy of a session's fixes, for each version of the regions from which on one may ask.
///
/// Of two fixes the later one answers for the earlier too if it was as good, so few are kept: their accuracies get worse from the
/// oldest to the newest.
public struct BestAccuracies: Hashable, Sendable {
  /// An accuracy that no later fix has reached.
  public struct Entry: Hashable, Sendable {
    /// The version of the regions when the fix came.
    public var version: Int64
    /// Its accuracy: the 68 % radius in metres.
    public var accuracy: Double

    /// An accuracy and when it was reached.
    public init(version: Int64, accuracy: Double) {
      self.version = version
      self.accuracy = accuracy
    }
  }

  /// The oldest and best first; never more than ``limit``.
  public private(set) var entries: [Entry] = []

  /// How many are kept: what is dropped then makes an old region, far from every fix, unknown rather than outside.
  public static let limit = 16

  /// No fix yet.
  public init() {}

  /// What ``entries`` held.
  public init(_ entries: some Sequence<Entry>) {
    for entry in entries { take(entry.accuracy, at: entry.version) }
  }

  /// Takes a fix with an accuracy in metres, `version` being that of the regions.
  public mutating func take(_ accuracy: Double, at version: Int64) {
    if let newest = entries.last, newest.version == version, newest.accuracy <= accuracy { return }
    while let newest = entries.last, newest.accuracy >= accuracy { entries.removeLast() }
    if entries.count == BestAccuracies.limit { entries.removeFirst() }
    entries.append(Entry(version: version, accuracy: accuracy))
  }

  /// The best accuracy in metres of the fixes that came at `version` or later; nil where there were none.
  public func best(since version: Int64) -> Double? {
    entries.first { $0.version >= version }?.accuracy
  }
}
