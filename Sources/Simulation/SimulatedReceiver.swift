package import FencelineCivilTime
package import FencelineGeodesy

/// What a receiver says at one moment.
package struct Epoch: Sendable {
  /// How much of it there is.
  package enum Kind: Hashable, Sendable {
    /// A position.
    case fix
    /// A position, by a receiver that does not know the day yet.
    case undated
    /// The time and no position.
    case noFix
    /// Nothing is sent.
    case silent
  }

  /// When it is, by the receiver's clock.
  package var time: Timestamp
  /// Milliseconds since the start of the simulation.
  package var elapsed: Int64
  /// How much of it is said.
  package var kind: Kind
  /// Where the vehicle is.
  package var truth: Coordinate
  /// Where the receiver believes to be.
  package var place: Coordinate
  /// Metres above mean sea level.
  package var altitude: Double
  /// m/s.
  package var speed: Double
  /// Degrees clockwise from north; nil at rest.
  package var course: Double?
  /// The one-axis standard deviation in metres that the receiver claims.
  package var sigma: Double
}

/// A receiver that rides along a ``Journey``, with errors, outages and glitches that belong to a seed.
///
/// ```swift
/// var receiver = SimulatedReceiver(on: journey, SimulatedReceiver.Settings(start: now))
/// while let epoch = receiver.next() { print(writer.text(epoch), terminator: "") }
/// ```
package struct SimulatedReceiver: Sendable {
  /// A part of the simulated time.
  package struct Span: Hashable, Sendable {
    /// Milliseconds since the start.
    package var start: Int64
    /// Milliseconds; the end itself does not belong to it.
    package var length: Int64

    /// A part that begins so many seconds after the start and lasts so many.
    package init(at start: Double, for length: Double) {
      self.start = Int64((start * 1000).rounded())
      self.length = Int64((length * 1000).rounded())
    }

    func contains(_ elapsed: Int64) -> Bool { elapsed >= start && elapsed - start < length }
    var end: Int64 { start + length }
  }

  /// A glitch: positions that are wrong by far, and do not know it.
  package struct Jump: Hashable, Sendable {
    /// When it is.
    package var span: Span
    /// By how many metres, in a direction that belongs to the seed.
    package var metres: Double

    /// A glitch.
    package init(_ span: Span, metres: Double) {
      self.span = span
      self.metres = metres
    }
  }

  /// What the receiver and its day are like.
  package struct Settings: Sendable {
    /// The time of the first epoch.
    package var start: Timestamp
    /// Epochs a second, above 0, up to 1000.
    package var rate = 1.0
    /// Metres that hold the error with 68 %; 0 for none.
    package var noise = 3.0
    /// What all chance comes from.
    package var seed: UInt64 = 1
    /// How many epochs come before the receiver knows the day.
    package var undated = 0
    /// When it has no fix.
    package var outages: [Span] = []
    /// When it sends nothing.
    package var silences: [Span] = []
    /// When it is wrong by far.
    package var jumps: [Jump] = []
    /// When the vehicle stands; it goes on afterwards where it was.
    package var stays: [Span] = []
    /// Seconds to the end, where the vehicle may have arrived long before; nil ends with the journey.
    package var duration: Double?

    /// An ordinary receiver that is switched on at `start`.
    package init(start: Timestamp) {
      self.start = start
    }
  }

  /// The best accuracy that is claimed, in metres: no receiver of this kind calls itself better.
  package static let bestAccuracy = 1.0

  private let journey: Journey
  private let settings: Settings
  private let sigma: Double
  private let stays: [Span]
  /// Of each jump, in degrees.
  private let directions: [Double]
  private var random: SeededNumbers
  private var error: ReceiverError
  private var count: Int64 = 0
  /// Milliseconds to the last epoch; nil where there is none.
  package let end: Int64?

  /// A receiver on a journey.
  package init(on journey: Journey, _ settings: Settings) {
    self.journey = journey
    self.settings = settings
    // Directions come first, so that a longer journey does not change them.
    var random = SeededNumbers(seed: settings.seed)
    var directions: [Double] = []
    for _ in settings.jumps { directions.append(random.uniform(0...360)) }
    self.directions = directions
    error = ReceiverError(radius: settings.noise, &random)
    self.random = random
    sigma = ReceiverError.sigma(radius: max(settings.noise, Self.bestAccuracy))
    let stays = Self.merged(settings.stays)
    self.stays = stays
    end =
      settings.duration.map { Int64(($0 * 1000).rounded()) }
      ?? (journey.isLoop ? nil : Self.arrival(journey, stays))
  }

  /// The next epoch, whether anything of it is sent or not; nil behind the last one.
  package mutating func next() -> Epoch? {
    let elapsed = Int64((Double(count) * 1000 / settings.rate).rounded())
    if let end, elapsed > end { return nil }
    error.advance(by: 1 / settings.rate, &random)
    defer { count += 1 }
    let isStaying = stays.contains { $0.contains(elapsed) }
    let moment = journey.moment(at: Double(elapsed - stood(until: elapsed)) / 1000)
    var place = moment.place
    if settings.noise > 0 {
      place = AzimuthalPlane(centre: place).unproject(east: error.east, north: error.north)
    }
    for (jump, direction) in zip(settings.jumps, directions) where jump.span.contains(elapsed) {
      place = place.destination(azimuth: direction, distance: jump.metres)
    }
    return Epoch(
      time: Timestamp(milliseconds: settings.start.milliseconds + elapsed), elapsed: elapsed,
      kind: kind(at: elapsed), truth: moment.place, place: place, altitude: moment.altitude,
      speed: isStaying ? 0 : moment.speed, course: isStaying ? nil : moment.course, sigma: sigma)
  }

  private func kind(at elapsed: Int64) -> Epoch.Kind {
    if settings.silences.contains(where: { $0.contains(elapsed) }) { return .silent }
    if settings.outages.contains(where: { $0.contains(elapsed) }) { return .noFix }
    return count < settings.undated ? .undated : .fix
  }

  /// Milliseconds that the vehicle has stood before.
  private func stood(until elapsed: Int64) -> Int64 {
    stays.reduce(0) { $0 + min($1.length, max(0, elapsed - $1.start)) }
  }

  /// When the vehicle arrives, having stood on its way.
  private static func arrival(_ journey: Journey, _ stays: [Span]) -> Int64 {
    var end = Int64((journey.duration * 1000).rounded())
    for stay in stays where stay.start < end { end += stay.length }
    return end
  }

  /// The spans in order, those that touch as one.
  private static func merged(_ spans: [Span]) -> [Span] {
    var merged: [Span] = []
    for span in spans.sorted(by: { $0.start < $1.start }) {
      if let last = merged.last, span.start <= last.end {
        merged[merged.count - 1].length = max(last.end, span.end) - last.start
      } else {
        merged.append(span)
      }
    }
    return merged
  }
}
