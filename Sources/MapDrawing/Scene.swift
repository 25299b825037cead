internal import FencelineGeodesy
internal import FencelineGeofencing

/// What is seen of a picture's content: the view, and the regions that matter in it.
struct Scene {
  let view: View
  /// The identifiers of regions in which something happened.
  let crossed: Set<String>

  /// The view of some content; nil where there is nothing to see.
  ///
  /// What has happened decides. A region that was crossed is shown whole unless that would make the picture three times as wide; one
  /// that was not, if it lies near and widens it by no more than a third. Where nothing has happened, all regions are shown.
  init?(_ content: MapContent) {
    crossed = Set(content.crossings.map(\.region))
    var places = content.tracks.flatMap { $0.pieces.flatMap(\.points) } + content.crossings.map(\.coordinate)
    if places.isEmpty {
      places = content.regions.flatMap { Scene.rim($0, content) }
      guard !places.isEmpty else { return nil }
    } else {
      let base = View(of: places)
      for region in Scene.near(content, base, crossed) { places += Scene.rim(region, content) }
    }
    view = View(of: places)
  }

  /// The regions that the view is widened for.
  private static func near(_ content: MapContent, _ base: View, _ crossed: Set<String>) -> [Region] {
    struct Candidate {
      let region: Region
      let extent: PlaneExtent
      let holdsMiddle: Bool
    }
    let core = base.extent
    let candidates = content.regions.map { region in
      let centre = base.plane.project(region.centre)
      let (dx, dy) = (centre.east - core.middle.east, centre.north - core.middle.north)
      return Candidate(
        region: region, extent: PlaneExtent(round: centre, region.radius + content.margin(of: region)),
        holdsMiddle: dx * dx + dy * dy <= region.radius * region.radius)
    }.sorted { ($0.region.radius, $0.region.id) < ($1.region.radius, $1.region.id) }
    var extent = core
    var chosen: [Region] = []
    for isCrossed in [true, false] {
      let size = extent.size
      for candidate in candidates where crossed.contains(candidate.region.id) == isCrossed {
        var union = extent
        union.add(candidate.extent)
        let isNear = isCrossed || core.distance(to: candidate.extent) <= 0.15 * size
        let most =
          isCrossed ? max(3 * core.size, 2_000) : max(1.33 * size, candidate.holdsMiddle ? 2_000 : 300)
        guard isNear, union.size <= most else { continue }
        extent = union
        chosen.append(candidate.region)
      }
    }
    return chosen
  }

  /// The four outermost points of a region and its band.
  private static func rim(_ region: Region, _ content: MapContent) -> [Coordinate] {
    let reach = region.radius + content.margin(of: region)
    return [0, 90, 180, 270].map { region.centre.destination(azimuth: $0, distance: reach) }
  }
}
