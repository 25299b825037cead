internal import FencelineGeodesy

/// The part of a picture that is a map: which metres are which pixels.
struct Frame {
  let plane: AzimuthalPlane
  /// The map's edge.
  let area: Box
  /// Pixels for a metre, in the middle.
  let scale: Double
  /// Metres from the middle of the plane to the middle of the map.
  private let offset: (east: Double, north: Double)

  /// Pixels between what is shown and the edge, where labels have room.
  private static let padding = 40.0
  /// The smallest extent in metres: less than that is the noise of a receiver.
  private static let smallest = 40.0

  /// The map of a view.
  ///
  /// - Parameters:
  ///   - view: What to show.
  ///   - left: Where the map begins, in pixels.
  ///   - top: Likewise.
  ///   - width: How wide it is; its height follows from what is shown, within 0.45 to 1 of that.
  init(_ view: View, left: Double, top: Double, width: Double) {
    plane = view.plane
    let most = 2 * View.rim
    let across = min(most, max(view.extent.width, Frame.smallest))
    let up = min(most, max(view.extent.height, Frame.smallest))
    let room = width - 2 * Frame.padding
    let height = min(width, max(0.45 * width, up * room / across + 2 * Frame.padding)).rounded()
    area = Box(left: left, top: top, right: left + width, bottom: top + height)
    scale = min(room / across, (height - 2 * Frame.padding) / up)
    offset = view.extent.middle
  }

  /// Where a point of the plane lies in the picture.
  func place(_ point: PlanePoint) -> Point {
    let middle = area.centre
    return Point(
      x: middle.x + (point.east - offset.east) * scale, y: middle.y - (point.north - offset.north) * scale)
  }

  /// Where a point of the Earth lies in the picture, perhaps beyond the map's edge.
  func place(_ point: Coordinate) -> Point {
    place(plane.project(point))
  }

  /// The point on Earth in the middle of the map.
  var middle: Coordinate { plane.unproject(east: offset.east, north: offset.north) }

  /// Metres from the middle to the farthest corner.
  var reach: Double { (area.width * area.width + area.height * area.height).squareRoot() / 2 / scale }

  /// A line on the ground as one in the picture, geodesics between its points; where it passes the antipode of the middle it is cut.
  func lines(_ points: [Coordinate]) -> [[Point]] {
    guard var before = points.first else { return [] }
    var parts: [[Point]] = [[place(before)]]
    for point in points.dropFirst() {
      let chord = EarthPoint(before).squaredDistance(to: EarthPoint(point)).squareRoot()
      for place in between(before, point, chord) + [place(point)] {
        let last = parts[parts.count - 1][parts[parts.count - 1].count - 1]
        // Only near the rim are points that are close on the ground far from one another here.
        if last.squaredDistance(to: place).squareRoot()
          > max(4 * min(chord, Frame.straight) * scale, View.rim * scale / 2)
        {
          parts.append([])
        }
        parts[parts.count - 1].append(place)
      }
      before = point
    }
    return parts.map { part in
      simplified(part, within: Frame.visible) { $0.squaredDistance(toSegmentFrom: $1, to: $2) }.map {
        part[$0]
      }
    }
  }

  /// Pixels below which nobody sees a difference.
  static let visible = 0.3
  /// Metres up to which a geodesic is drawn straight: it bends by less than 50 m there.
  private static let straight = 50_000.0

  private func between(_ a: Coordinate, _ b: Coordinate, _ chord: Double) -> [Point] {
    guard chord > Frame.straight else { return [] }
    let (length, azimuth) = (a.distance(to: b), a.azimuth(to: b))
    let count = Int((length / Frame.straight).rounded(.up))
    return (1..<count).map {
      place(a.destination(azimuth: azimuth, distance: length * Double($0) / Double(count)))
    }
  }
}
