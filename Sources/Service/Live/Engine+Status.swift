internal import FencelineCivilTime
internal import FencelineDecisions
internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelinePositioning

/// What the engine knows, for who tells it.
extension Engine {
  var run: Int64 { recorder.run }
  var summary: RunSummary { recorder.summary }
  /// A sentence for each region that cannot be used.
  var regionProblems: [String] { recorder.regionProblems.sorted { $0.key < $1.key }.map(\.value) }
  var regionCount: Int { pipeline.regions.count }

  var devices: [String: DeviceView] { signals.devices }
  var sources: [String: SourceView] { signals.sources }

  /// What is known of the regions near a device, for status.
  func places(of device: String) -> (
    inside: [(region: Region, since: Timestamp)], nearest: [(Region, Double)]
  )? {
    guard let last = pipeline.memory(of: device)?.last else { return nil }
    let states = pipeline.states(of: device)
    var inside: [(region: Region, since: Timestamp)] = []
    for (id, state) in states where state.side == .inside {
      if let region = recorder.region(id) { inside.append((region, Timestamp(rounding: state.visitFrom))) }
    }
    inside.sort { ($0.since, $0.region.id) < ($1.since, $1.region.id) }
    let nearest = pipeline.regions.nearest(to: last.coordinate, device: device, count: Engine.nearestShown)
    return (inside, nearest.compactMap { id, distance in recorder.region(id).map { ($0, distance) } })
  }
  private static let nearestShown = 5

  /// The names of the devices that are known, those that have said nothing yet too.
  var deviceNames: [String] {
    Set(devices.keys).union(pipeline.deviceNames).sorted()
  }

  /// The last fix of a device that counted, also one of before the service began.
  func lastFix(of device: String) -> Fix? { pipeline.memory(of: device)?.last }
}
