public import FencelineSpatialIndex

extension CrossingEvaluator {
  /// Working storage of ``process(_:_:in:scratch:into:)``; one serves any number of evaluators, one after the other.
  public struct Scratch: Sendable {
    var near: [CircleIndex.Slot] = []
    let tracksChanges: Bool
    let usesCalm: Bool
    /// The regions of which something else is known than before the last call, for who keeps that in a database; some may be
    /// named twice.
    public internal(set) var changed: [CircleIndex.Slot] = []
    /// How many fixes could not bring anything about, as far as was known before, and were not looked at.
    public internal(set) var passedOver = 0
    /// Whether nothing holds that was known before the last call.
    public private(set) var wasReset = false

    /// Empty storage.
    ///
    /// - Parameters:
    ///   - tracksChanges: Whether ``changed`` is wanted.
    ///   - usesCalm: Whether fixes that cannot bring anything about are passed over; without, the outcomes are the same.
    public init(tracksChanges: Bool = false, usesCalm: Bool = true) {
      self.tracksChanges = tracksChanges
      self.usesCalm = usesCalm
    }

    mutating func begin(anew: Bool) {
      changed.removeAll(keepingCapacity: true)
      wasReset = anew
    }
  }
}
