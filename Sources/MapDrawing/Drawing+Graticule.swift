internal import FencelineGeodesy

extension Drawing {
  /// Metres across from which meridians and parallels help.
  private static let smallest = 300_000.0
  /// Degrees between two lines; the last is used for the whole world.
  private static let steps = [1.0, 2, 5, 10, 15, 30]

  /// Draws meridians and parallels where the map shows some hundred kilometres or more.
  mutating func drawGraticule() {
    let across = frame.area.width / frame.scale
    guard across > Drawing.smallest else { return }
    // About six lines across, 111 km a degree.
    let step = Drawing.steps.first { across / 111_000 / $0 <= 7 } ?? 30
    var path = SVGPath()
    let reach = min(frame.reach * 1.05, View.rim)
    let latitudes = stride(from: -90 + step, through: 90 - step, by: step)
    for latitude in latitudes {
      // The distance along a meridian is the least there is between two latitudes.
      let middle = frame.middle.latitude
      guard abs(latitude - middle) * 110_000 < reach else { continue }
      let points = stride(from: -180.0, through: 180, by: 1).map {
        Coordinate(latitude: latitude, longitude: $0)
      }
      draw(
        points, latitude == 0 ? "equator" : "\(abs(latitude).trimmed(0))°\(latitude < 0 ? "S" : "N")",
        isMeridian: false, into: &path)
    }
    for longitude in stride(from: -180.0, to: 180, by: step) {
      // Near a pole every other meridian would do; the last step is where they end.
      let end = longitude.truncatingRemainder(dividingBy: 90) == 0 ? 90 : 90 - step
      let points = stride(from: -end, through: end, by: 1).map {
        Coordinate(latitude: $0, longitude: longitude)
      }
      let name =
        longitude == -180
        ? "180°" : "\(abs(longitude).trimmed(0))°\(longitude < 0 ? "W" : longitude > 0 ? "E" : "")"
      draw(points, name, isMeridian: true, into: &path)
    }
    guard !path.isEmpty else { return }
    graticule = "<path d=\"\(path.data)\" \(palette.stroke(.graticule)) fill=\"none\"/>\n"
  }

  private mutating func draw(
    _ points: [Coordinate], _ name: String, isMeridian: Bool, into path: inout SVGPath
  ) {
    var isNamed = false
    for part in parts(of: points) {
      for visible in frame.area.clipped(line: part) {
        path.add(visible)
        guard !isNamed, let first = visible.first, let last = visible.last else { continue }
        // Named where it leaves the map: meridians at the bottom or top, parallels at the left or right.
        let ends = isMeridian ? [first, last].sorted { $0.y > $1.y } : [first, last].sorted { $0.x < $1.x }
        let (width, height) = (TextWidth.of(name, size: 10), 12.0)
        for end in ends where !frame.area.expanded(by: -2).contains(end) {
          var place = end
          place.x = min(frame.area.right - width / 2 - 5, max(frame.area.left + width / 2 + 5, place.x))
          place.y = min(frame.area.bottom - height / 2 - 5, max(frame.area.top + height / 2 + 5, place.y))
          guard !isNamed, placer.isFree(Box(centre: place, width: width, height: height)) else { continue }
          placer.reserve(Box(centre: place, width: width, height: height))
          labels.append(Label(text: name, centre: place, size: 10, isBold: false, ink: .quiet))
          isNamed = true
        }
      }
    }
  }

  /// A line of the graticule in pixels: its points a degree apart, halved where they lie too far from one another.
  private func parts(of points: [Coordinate]) -> [[Point]] {
    let seen = frame.area.expanded(by: 40)
    var parts: [[Point]] = [[]]
    var before: (Coordinate, Point)?
    func add(_ place: Point) {
      if let last = parts[parts.count - 1].last,
        last.squaredDistance(to: place).squareRoot() > View.rim * frame.scale / 2
      {
        parts.append([])
      }
      parts[parts.count - 1].append(place)
    }
    for point in points {
      let place = frame.place(point)
      if let (last, from) = before {
        let length = from.squaredDistance(to: place).squareRoot()
        let box = Box(
          left: min(from.x, place.x), top: min(from.y, place.y), right: max(from.x, place.x),
          bottom: max(from.y, place.y))
        if length > 20, box.intersects(seen) {
          let count = min(64, Int(length / 15) + 1)
          for number in 1..<count {
            let u = Double(number) / Double(count)
            add(
              frame.place(
                Coordinate(
                  latitude: last.latitude + u * (point.latitude - last.latitude),
                  longitude: last.longitude + u * (point.longitude - last.longitude))))
          }
        }
      }
      add(place)
      before = (point, place)
    }
    return parts.map { part in
      simplified(part, within: Frame.visible) { $0.squaredDistance(toSegmentFrom: $1, to: $2) }.map {
        part[$0]
      }
    }
  }
}
