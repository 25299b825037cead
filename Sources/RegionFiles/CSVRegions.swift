internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// Regions as CSV with named columns: `id,title,latitude,longitude,radius` and the other properties.
enum CSVRegions {
  private static let latitudes = ["latitude", "lat", "y", "ycoord"]
  private static let longitudes = ["longitude", "lon", "lng", "long", "x", "xcoord"]
  private static let shapes = ["wkt", "geometry", "geom", "thegeom", "area"]

  /// The delimiter, where the first line names the columns of places; nil for another kind of file.
  static func delimiter(of bytes: [UInt8]) -> UInt8? {
    CSVTable.delimiter(of: bytes) { names in
      let plain = Set(names.map(RegionProperty.plain))
      return names.count > 1 && (!plain.isDisjoint(with: latitudes) && !plain.isDisjoint(with: longitudes))
        || !plain.isDisjoint(with: shapes)
    }
  }

  /// Reads the rows: one entry for each, good or bad, in the order of the file.
  static func entries(in table: CSVTable) -> [RegionEntry] {
    let plain = table.names.map(RegionProperty.plain)
    func column(_ names: [String]) -> Int? {
      for name in names { if let index = plain.firstIndex(of: name) { return index } }
      return nil
    }
    let columns = Columns(
      latitude: column(latitudes), longitude: column(longitudes), shape: column(shapes),
      // Where columns are separated by semicolons, the comma stands before the decimals.
      allowsComma: table.delimiter != UInt8(ascii: ","))
    return table.rows.enumerated().map { place, row in
      entry(row, table.names, columns, "row \(place + 1)")
    }
  }

  private struct Columns {
    var latitude: Int?
    var longitude: Int?
    var shape: Int?
    var allowsComma: Bool
  }

  private static func entry(
    _ row: (line: Int, fields: [String]), _ names: [String], _ columns: Columns, _ place: String
  ) -> RegionEntry {
    var entry = RegionEntry(line: row.line, place: place)
    if row.fields.count > names.count, row.fields[names.count...].contains(where: { !$0.isEmpty }) {
      entry.problems.append(
        "It has \(row.fields.count) fields, the first line \(names.count): is there a '\(Character(Unicode.Scalar(columns.allowsComma ? 0x3b : 0x2c)))' in a text without quotes?"
      )
    }
    for (index, text) in row.fields.prefix(names.count).enumerated()
    where ![columns.latitude, columns.longitude, columns.shape].contains(index) {
      var text = text
      if columns.allowsComma, RegionProperty.named(names[index])?.kind == .number,
        let number = PropertyText.number(text, allowsComma: true)
      {
        text = number.decimal
      }
      entry.read(names[index], text: text)
    }
    func field(_ index: Int?) -> String {
      guard let index, index < row.fields.count else { return "" }
      return row.fields[index]
    }
    let (latitude, longitude) = (field(columns.latitude), field(columns.longitude))
    if let shape = columns.shape, columns.latitude == nil || !field(shape).isEmpty {
      if let north = PropertyText.number(latitude), let east = PropertyText.number(longitude) {
        (entry.latitude, entry.longitude) = (north, east)
      }
      WellKnownText.take(field(shape), into: &entry)
    } else if let north = PropertyText.number(latitude, allowsComma: columns.allowsComma),
      let east = PropertyText.number(longitude, allowsComma: columns.allowsComma)
    {
      entry.take(.point(Coordinate(latitude: north, longitude: east)))
    } else {
      do throws(CoordinateTextError) {
        entry.take(.point(try Coordinate(latitude: latitude, longitude: longitude)))
      } catch {
        entry.lackPlace(
          latitude.isEmpty || longitude.isEmpty
            ? "The latitude or longitude is missing." : error.description.printable)
      }
    }
    return entry
  }

  /// Regions as a CSV file: the columns of places, and those of properties that a region has.
  static func text(_ regions: [Region], as drawing: RegionDrawing) -> String {
    let members = regions.map { region in
      Dictionary(uniqueKeysWithValues: region.textMembers.map { ($0.name, $0.value) })
    }
    let used = Set(members.flatMap(\.keys))
    let others = RegionProperty.all.map(\.name).filter { $0 != "title" && used.contains($0) }
    let shape = drawing == .polygons ? ["wkt"] : []
    var text =
      (["id", "title", "latitude", "longitude", "radius"] + others + shape).joined(separator: ",") + "\n"
    for (region, members) in zip(regions, members) {
      var fields = [
        region.id, region.title ?? "", region.centre.latitude.decimal, region.centre.longitude.decimal,
      ]
      fields.append(region.radius.decimal)
      fields += others.map { members[$0] ?? "" }
      if drawing == .polygons { fields.append(WellKnownText.text(CircleOutline(region).rings)) }
      text += fields.map(CSVTable.field).joined(separator: ",") + "\n"
    }
    return text
  }
}
