import FencelineCivilTime
import FencelineDecisions
import FencelineGeodesy
import FencelineGeofencing
import FencelinePositioning
import FencelineTestSupport

/// Random regions, and the fixes of a random device among them.
struct World {
  var regions: [Region] = []
  var fixes: [Fix] = []
  var profile = Profile.balanced

  /// Places where coordinates have little edges, and ordinary ones.
  private static let places = [
    Coordinate(latitude: 47.3769, longitude: 8.5417), Coordinate(latitude: 0.002, longitude: -0.001),
    Coordinate(latitude: -16.8, longitude: 179.999), Coordinate(latitude: 69.65, longitude: -179.9995),
    Coordinate(latitude: 89.995, longitude: 40), Coordinate(latitude: -89.999, longitude: -120),
  ]

  init(_ random: inout SplitMix64, fixCount: Int = 250) {
    let centre = World.places.randomElement(using: &random) ?? World.places[0]
    profile = Profile.allCases.randomElement(using: &random) ?? .balanced
    let spread = random.length(300...20_000)
    for number in 0..<Int.random(in: 1...8, using: &random) {
      regions.append(World.region("r\(number)", near: centre, spread, &random))
    }
    walk(from: centre, spread, fixCount, &random)
  }

  private static func region(
    _ id: String, near centre: Coordinate, _ spread: Double, _ random: inout SplitMix64
  ) -> Region {
    var region = Region(
      id: id, centre: random.coordinate(within: spread, of: centre),
      radius: random.chance(0.05) ? random.uniform(1e5...1e7) : random.length(2...spread))
    if random.chance(0.5) { region.profile = Profile.allCases.randomElement(using: &random) }
    if random.chance(0.2) { region.enterAfter = random.uniform(0...60).rounded() }
    if random.chance(0.2) { region.exitAfter = random.uniform(0...90).rounded() }
    if random.chance(0.2) { region.exitMargin = random.uniform(0...100) }
    if random.chance(0.3) { region.initial = .entry }
    if random.chance(0.4) { region.dwell = [30, 5, 600].filter { _ in random.chance(0.6) } }
    if random.chance(0.1) { region.expires = Timestamp(milliseconds: Int64(random.uniform(0...3_000_000))) }
    if random.chance(0.1) { region.devices = ["other*", "d*"].filter { _ in random.chance(0.5) } + ["x"] }
    return region
  }

  private mutating func walk(
    from centre: Coordinate, _ spread: Double, _ count: Int, _ random: inout SplitMix64
  ) {
    var place = random.coordinate(within: spread, of: centre)
    var (time, course, speed) = (0.0, random.uniform(0...360), 0.0)
    var (pace, blur, track) = (1.0, 4.0, Int32(0))
    while fixes.count < count {
      if random.chance(0.08) {
        pace = [0.2, 1, 1, 3, 10, 20, 45, 100].randomElement(using: &random) ?? 1
        blur = random.length(1...400)
        speed = min(random.chance(0.3) ? 0 : random.length(0.5...120), spread / pace / 3)
        // Towards a region, mostly, so that something happens.
        if let aim = regions.randomElement(using: &random)?.centre { course = place.azimuth(to: aim) }
      }
      course += random.uniform(-10...10)
      let step = random.chance(0.02) ? random.uniform(100...900) : pace * random.uniform(0.8...1.2)
      time += max(0.05, (step * 1000).rounded() / 1000)
      place = place.destination(azimuth: course, distance: speed * min(step, 130))
      if place.distance(to: centre) > 2 * spread { course = place.azimuth(to: centre) }
      if random.chance(0.01) { track += 1 }
      var fix = Fix(
        device: "d", time: Timestamp(rounding: time * 1000),
        coordinate: place.destination(
          azimuth: random.uniform(0...360), distance: abs(random.normal()) * min(blur, 60) / 2),
        accuracy: random.chance(0.1) ? nil : blur, speed: random.chance(0.5) ? speed : nil, track: track)
      let oddity = random.uniform(0...1)
      if oddity < 0.01 {
        fix.coordinate = random.coordinate()
      } else if oddity < 0.02 {
        fix.coordinate = place.destination(azimuth: course, distance: random.length(1_000...100_000))
      } else if oddity < 0.03 {
        fix.time.milliseconds -= Int64(random.uniform(0...600_000))
      } else if oddity < 0.034 {
        time -= random.uniform(0...3_000)
      } else if oddity < 0.04 {
        fix.accuracy = 900
      } else if oddity < 0.05 {
        fixes.append(fix)
      } else if oddity < 0.052 {
        fix.coordinate = Coordinate(latitude: 0, longitude: 0)
      }
      fixes.append(fix)
    }
  }
}

/// The crossings that a pipeline finds.
func crossings(_ fixes: [Fix], _ regions: [Region], _ profile: Profile = .balanced) -> [Crossing] {
  var pipeline = Pipeline(regions: RegionSet(regions, defaultProfile: profile))
  var outcomes: [Outcome] = []
  for fix in fixes { pipeline.process(fix, into: &outcomes) }
  return outcomes.crossings
}

extension [Outcome] {
  var crossings: [Crossing] {
    compactMap { if case .crossing(let crossing) = $0 { crossing } else { nil } }
  }
}
