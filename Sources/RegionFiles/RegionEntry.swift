internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineJSONText

/// One entry of a file, before it is known whether it may stand.
struct RegionEntry {
  /// Where it begins, counted from 1.
  var line: Int
  /// What to call it: `feature 3`.
  var place: String
  /// What could be read.
  var region = Region(id: "", centre: Coordinate(latitude: 0, longitude: 0), radius: 0)
  var hasOwnID = false
  /// What people call it, where the format has a name beside identifier and title.
  var name: String?
  /// Whether the place could not be read, so that its values mean nothing.
  var lacksPlace = false
  /// Where the entry says that its centre is, beside its shape.
  var latitude: Double?
  var longitude: Double?
  var hasOwnRadius = false
  var problems: [String] = []
  /// Names of what means nothing here.
  var ignored: [String] = []

  init(line: Int, place: String) {
    self.line = line
    self.place = place
  }

  /// Whether the identifier only counts rows, as tables of other programs have it: those give the name beside it, ours a title.
  var hasRowNumber: Bool {
    guard hasOwnID, let name, region.title == nil else { return false }
    return name != region.id && !region.id.isEmpty && region.id.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Takes the members of an object.
  mutating func read(_ properties: JSONNode) {
    for (name, value) in properties.members { read(name, value) }
  }

  /// Takes a property that it knows; a value of the wrong kind is a problem, an unknown name is noted. Tables between programs make
  /// empty texts of what is not there.
  mutating func read(_ name: String, _ value: JSONNode) {
    guard !value.isNull, value.text.map({ PropertyText.trimmed($0).isEmpty }) != true else { return }
    switch RegionProperty.plain(name) {
    case "id": readID(value)
    case "name":
      if let text = value.text ?? value.number.map({ $0.trimmed(9) }) {
        self.name = text
      } else {
        problems.append("The value of 'name' is \(value.summary), not a text.")
      }
    case "latitude", "lat": latitude = value.number ?? value.text.flatMap { PropertyText.number($0) }
    case "longitude", "lon": longitude = value.number ?? value.text.flatMap { PropertyText.number($0) }
    default:
      guard let property = RegionProperty.named(name) else {
        ignored.append(name)
        return
      }
      // Tables between programs make texts of numbers, and numbers of texts.
      var value = value
      if let text = value.text { value = PropertyText.node(text, as: property.kind, line: value.line) }
      if property.kind == .text, let number = value.number { value.content = .text(number.trimmed(9)) }
      guard property.take(value, &region) else {
        problems.append("The value of '\(name.printable)' is \(value.summary), not \(property.expected).")
        return
      }
      if property.name == RegionProperty.radius.name { hasOwnRadius = true }
    }
  }

  /// Takes a property of a format that knows only texts.
  mutating func read(_ name: String, text: String) {
    read(name, JSONNode(line: line, content: .text(text)))
  }

  mutating func readID(_ value: JSONNode) {
    if let id = value.text ?? value.number.flatMap(Int.init(exactly:)).map(String.init) {
      region.id = id
      hasOwnID = true
    } else {
      problems.append("The value of 'id' is \(value.summary), not a text.")
    }
  }

  /// Takes the place, once all properties are read.
  mutating func take(_ shape: RegionShape) {
    switch shape.circle(latitude: latitude, longitude: longitude, radius: hasOwnRadius ? region.radius : nil)
    {
    case .success(let circle):
      region.centre = circle.centre
      if let radius = circle.radius {
        region.radius = radius
        hasOwnRadius = true
      }
    case .failure(let problem): lackPlace(problem.message)
    }
  }

  /// Says why there is no place.
  mutating func lackPlace(_ problem: String) {
    problems.insert(problem, at: 0)
    lacksPlace = true
  }
}

extension JSONNode {
  /// The value in a message.
  fileprivate var summary: String {
    switch content {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): value.trimmed(6)
    case .text(let value): "'\(value.prefix(80).description.printable)'"
    case .array(let values): "[\(values.prefix(5).map(\.summary).joined(separator: ", "))]"
    case .object: "an object"
    }
  }
}
