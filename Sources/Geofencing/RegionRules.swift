internal import FencelineCivilTime
internal import FencelineGeodesy

/// A region's properties and its profile's, resolved to the numbers that the evaluator works with.
///
/// An object, since it is looked at for each fix and copied by nobody.
final class RegionRules: Sendable {
  let id: String
  let plane: AzimuthalPlane
  /// Metres.
  let radius: Double
  let sigmasInside: Double
  let sigmasOutside: Double
  /// Metres.
  let exitMargin: Double
  /// The worst accuracy that speaks for outside, metres.
  let gate: Double
  /// The worst accuracy that speaks for inside and for passes, metres.
  let insideGate: Double
  let entry: Confirmation
  let exit: Confirmation
  /// Milliseconds, ascending.
  let dwell: [Double]
  let entersInitially: Bool
  let notifyOnEntry: Bool
  let notifyOnExit: Bool
  let expires: Timestamp?
  /// nil where every device is meant.
  let devices: [Glob]?
  /// The change after which something may be known of the region; 0 where it has always been there.
  let since: Int64

  /// How many clear fixes confirm a crossing, and for how long they must.
  struct Confirmation: Sendable {
    let fixes: Int
    /// Milliseconds.
    let hold: Double
    /// Whether the hold was asked for: a sparse source does not waive it then.
    let isExplicit: Bool
    /// The most fixes that a sparse source needs.
    let sparseFixes: Int
  }

  init(_ region: Region, defaultProfile: Profile, since: Int64 = 0) {
    let terms = region.terms
    let profile = terms.profile ?? defaultProfile
    id = region.id
    plane = AzimuthalPlane(centre: region.centre)
    radius = region.radius
    sigmasInside = profile.sigmasInside
    sigmasOutside = profile.sigmasOutside
    exitMargin = terms.exitMargin ?? profile.exitMargin(radius: region.radius)
    gate = max(profile.accuracyGate ?? .infinity, region.radius)
    insideGate = profile.accuracyGate == nil ? .infinity : min(gate, 2 * region.radius)
    entry = Confirmation(
      fixes: profile.entry.fixes, hold: 1000 * (terms.enterAfter ?? profile.entry.hold),
      isExplicit: terms.enterAfter != nil, sparseFixes: 1)
    exit = Confirmation(
      fixes: profile.exit.fixes, hold: 1000 * (terms.exitAfter ?? profile.exit.hold),
      isExplicit: terms.exitAfter != nil, sparseFixes: 2)
    dwell = terms.dwell.map { 1000 * $0 }.sorted()
    entersInitially = terms.initial == .entry
    notifyOnEntry = terms.notifyOnEntry
    notifyOnExit = terms.notifyOnExit
    expires = terms.expires
    devices = terms.devices.contains("*") ? nil : terms.devices.map(Glob.init)
    self.since = since
  }

  /// Metres from the centre to the end of the band beyond the perimeter: what lies outside it, and outside the fix's own error, has
  /// nothing to say about the region.
  var reach: Double { radius + exitMargin }

  /// Metres from the centre within which a fix of one standard deviation `sigma` speaks for inside.
  func innerRadius(sigma: Double) -> Double {
    max(radius - sigmasInside * sigma, radius / 2)
  }

  /// The shortest dwell in milliseconds that is longer than one; nil where there is none.
  func nextDwell(after dwelt: Double) -> Double? {
    dwell.first { $0 > dwelt }
  }

  func concerns(_ device: String) -> Bool {
    guard let devices else { return true }
    return devices.contains { $0.matches(device) }
  }
}
