import FencelineCivilTime
import FencelineEventJournal
import FencelineGeodesy
import FencelineGeofencing
import FencelineHTTPServing
import FencelineLiveSources
import FencelinePositioning
import FencelineSystemdLink
import FencelineTestSupport

@testable import FencelineService

/// An engine on a journal, driven by hand: fixes go in, turns are made, and time is what the test says.
final class TestEngine {
  let journal: Journal
  let recorder: LiveRecorder
  let mailbox = Mailbox()
  let hub = EventHub()
  let engine: Engine
  private(set) var now: Arrival

  init(_ path: String, at start: Timestamp = time(0)) throws {
    journal = try Journal(path: path, .write)
    let configuration = try Configuration(stored: journal.settings(), flags: [:])
    recorder = try LiveRecorder(
      journal, source: "test", settings: configuration.runSettings, centre: .init())
    engine = try Engine(
      journal, recorder, mailbox,
      EventTeller(hub: hub, log: ServiceLog(finest: .error)), configuration,
      at: Arrival(utc: start, boot: start.milliseconds))
    now = Arrival(utc: start, boot: start.milliseconds)
  }

  /// Lets the clocks go on.
  func wait(_ seconds: Double) {
    now.utc.milliseconds += Int64(seconds * 1000)
    now.bootNanoseconds += Int64(seconds * 1_000_000_000)
    _ = engine.work(at: now)
  }

  /// Gives a fix that comes at its own time, and makes turns until it is committed or the journal cannot be used.
  func take(_ fix: Fix) {
    now = Arrival(utc: fix.time, boot: fix.time.milliseconds)
    mailbox.post(.event(.fix(fix, now)))
    _ = engine.work(at: now)
  }
}

/// A drive through some regions, with glitches and gaps, for a seed.
func drive(seed: UInt64, fixes: Int) -> [Fix] {
  var random = SplitMix64(seed: seed)
  var position = place(east: -600)
  var heading = 90.0
  var seconds = 0.0
  var found: [Fix] = []
  for _ in 0..<fixes {
    seconds += random.chance(0.03) ? random.uniform(1...400) : 1
    heading += random.uniform(-15...15)
    if position.distance(to: place()) > 900 { heading = position.azimuth(to: place()) }
    position = position.destination(azimuth: heading, distance: random.uniform(0...15))
    let isGlitch = random.chance(0.03)
    let seen = isGlitch ? position.destination(azimuth: 0, distance: 30_000) : position
    found.append(
      Fix(
        time: time(seconds - (random.chance(0.02) ? 5 : 0)), coordinate: seen,
        accuracy: random.uniform(3...13), source: .tpv))
  }
  return found
}

/// A place so many metres from a fixed one.
func place(east: Double = 0, north: Double = 0) -> Coordinate {
  AzimuthalPlane(centre: Coordinate(latitude: 47.5, longitude: 8.25)).unproject(east: east, north: north)
}

/// Regions round that place.
func liveRegions() -> [Region] {
  func region(_ id: String, _ east: Double, _ north: Double, _ radius: Double, _ profile: Profile) -> Region {
    var region = Region(id: id, centre: place(east: east, north: north), radius: radius)
    region.profile = profile
    region.dwell = [15, 60]
    return region
  }
  return [
    region("a", 0, 0, 150, .balanced), region("b", 200, 100, 200, .fast), region("c", -200, 0, 120, .exact),
    region("d", 0, -250, 180, .steady), region("e", 0, 0, 700, .balanced),
  ]
}

/// So many seconds after a round time.
func time(_ seconds: Double) -> Timestamp {
  Timestamp(rounding: 1_772_323_200_000 + seconds * 1000)
}

extension Moment {
  /// Half a minute past a round time.
  static var test: Moment { Moment(utc: time(30), boot: 30_000, bootID: "test") }
}
