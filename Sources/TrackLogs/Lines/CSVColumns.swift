/// Which column of a CSV log holds what, by the names in its first line.
struct CSVColumns: Sendable, Equatable {
  /// A column and what its numbers are multiplied with to get metres or m/s.
  struct Column: Sendable, Equatable {
    var index: Int
    var factor = 1.0
  }

  /// How many there are.
  var count: Int
  /// What separates columns.
  var delimiter: UInt8
  var latitude: Int
  var longitude: Int
  var time: Int?
  var date: Int?
  var accuracy: Column?
  var hdop: Int?
  var speed: Column?
  var course: Int?
  var altitude: Column?
  var device: Int?

  /// The columns that a first line names; nil where it names no latitude and longitude.
  init?(header: ArraySlice<UInt8>) {
    for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      let names = CSVRow.fields(header, delimiter: delimiter)
      if names.count >= 2, let columns = CSVColumns(names: names, delimiter: delimiter) {
        self = columns
        return
      }
    }
    return nil
  }

  private init?(names: [[UInt8]], delimiter: UInt8) {
    let titles = names.map(Title.init)
    func first(_ aliases: String...) -> Int? {
      for alias in aliases {
        if let index = titles.firstIndex(where: { $0.name == alias }) { return index }
      }
      return nil
    }
    func measured(_ aliases: String...) -> Column? {
      for alias in aliases {
        if let index = titles.firstIndex(where: { $0.stem == alias && $0.factor != nil }) {
          return Column(index: index, factor: titles[index].factor ?? 1)
        }
      }
      return nil
    }
    guard let latitude = first("latitude", "lat", "y", "positionlat", "gpslatitude", "locationlatitude"),
      let longitude = first(
        "longitude", "lon", "lng", "long", "x", "positionlong", "gpslongitude", "locationlongitude")
    else { return nil }
    count = names.count
    self.delimiter = delimiter
    self.latitude = latitude
    self.longitude = longitude
    time = first(
      "time", "timestamp", "datetime", "utc", "timeutc", "utctime", "dateandtime", "fixtime", "devicetime",
      "gpstime",
      "timestampms", "unixtime", "epoch", "unix", "tst", "isotime", "locationtimestamp", "t")
    date = first("date", "utcdate", "dateutc", "gpsdate", "day")
    accuracy = measured(
      "accuracy", "acc", "hacc", "horizontalaccuracy", "haccuracy", "accuracyhorizontal", "gpsaccuracy",
      "precision")
    hdop = first("hdop")
    speed = measured("speed", "velocity", "speedoverground", "sog", "gpsspeed", "groundspeed", "vel")
    course = first("course", "bearing", "heading", "track", "direction", "cog", "courseoverground", "azimuth")
    altitude = measured("altitude", "ele", "elevation", "alt", "height", "altitudemsl", "gpsaltitude", "msl")
    device = first("device", "deviceid", "devicename", "uniqueid", "vehicle", "vehicleid", "tracker", "tid")
  }

  /// One column's name without case, spaces and marks, and what unit it names.
  private struct Title {
    /// The whole name: `speedkmh`.
    var name: String
    /// The name without its unit: `speed`.
    var stem: String
    /// What a number of the unit is in metres or m/s; nil for a unit that is not known.
    var factor: Double?

    /// Units as headers name them, the longer first.
    private static let units: [(suffix: String, factor: Double)] = [
      ("meterspersecond", 1), ("kilometersperhour", 1 / 3.6), ("milesperhour", 0.44704), ("metres", 1),
      ("meters", 1),
      ("knots", 1852.0 / 3600), ("knot", 1852.0 / 3600), ("kmph", 1 / 3.6), ("kmh", 1 / 3.6),
      ("kph", 1 / 3.6),
      ("mph", 0.44704), ("mps", 1), ("kts", 1852.0 / 3600), ("kn", 1852.0 / 3600), ("kt", 1852.0 / 3600),
      ("feet", 0.3048), ("ft", 0.3048), ("ms", 1), ("m", 1),
    ]

    init(_ bytes: [UInt8]) {
      var plain = ""
      for scalar in String(decoding: bytes, as: UTF8.self).lowercased().unicodeScalars
      where scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) {
        plain.unicodeScalars.append(scalar)
      }
      name = plain
      stem = plain
      factor = 1
      for unit in Self.units
      where plain.hasSuffix(unit.suffix) && Self.stems.contains(plain.dropLast(unit.suffix.count)) {
        stem = String(plain.dropLast(unit.suffix.count))
        factor = unit.factor
        break
      }
      // A position's or a time's unit says nothing: "latitude (deg)", "time (UTC)".
      for suffix in ["degrees", "deg"] where plain.hasSuffix(suffix) {
        name = String(plain.dropLast(suffix.count))
      }
    }

    /// Names that may bear a unit.
    private static let stems: Set<Substring> = [
      "speed", "velocity", "speedoverground", "sog", "gpsspeed", "groundspeed", "vel", "accuracy", "acc",
      "hacc",
      "horizontalaccuracy", "haccuracy", "accuracyhorizontal", "gpsaccuracy", "precision", "altitude", "ele",
      "elevation", "alt", "height", "altitudemsl", "gpsaltitude",
    ]
  }
}
