public import FencelineGeofencing

/// What a call has changed in what is known of a device and its regions.
public struct MemoryChanges: Hashable, Sendable {
  /// Whether nothing holds that was known of any region.
  public var wasReset: Bool
  /// By region: what is known now; nil inside where nothing need be kept any more.
  public var states: [String: RegionState?]

  /// What has changed; nothing unless said otherwise.
  public init(wasReset: Bool = false, states: [String: RegionState?] = [:]) {
    self.wasReset = wasReset
    self.states = states
  }
}
