/// What is wrong with a text that should be a latitude, a longitude or both.
public enum CoordinateTextError: Error, Hashable, Sendable {
  /// The text is no angle; it is given as it was.
  case malformed(String)
  /// The text is no pair of angles; it is given as it was.
  case malformedPair(String)
  /// The latitude is outside -90...90 degrees; the text is given as it was.
  case latitudeOutOfRange(String)
  /// The longitude is outside -180...180 degrees; the text is given as it was.
  case longitudeOutOfRange(String)
  /// Both angles are latitudes, or both longitudes, or they stand the wrong way round for their letters.
  case wrongHemisphere(String)
}

extension CoordinateTextError: CustomStringConvertible {
  /// A sentence that names the text and says what to write.
  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a coordinate: write degrees such as 47.3769, or 47 22 36.8 N."
    case .malformedPair(let text):
      "'\(text)' is not a latitude and a longitude: write 47.3769,8.5417, or 47 22 36.8 N 8 32 30 E."
    case .latitudeOutOfRange(let text): "The latitude '\(text)' is outside -90 to 90 degrees."
    case .longitudeOutOfRange(let text): "The longitude '\(text)' is outside -180 to 180 degrees."
    case .wrongHemisphere(let text):
      "'\(text)' has a wrong hemisphere letter: N or S goes with the latitude, E or W with the longitude."
    }
  }
}

extension Coordinate {
  /// Reads `47.3769,8.5417`, `47.3769 8.5417`, `47°22'36.8"N 8°32'30"E`, `N47 22.614 E8 32.5` and the like.
  ///
  /// - Parameter text: Latitude, then longitude; between them a comma, or white space where that is clear.
  /// - Throws: ``CoordinateTextError``.
  public init(parsing text: String) throws(CoordinateTextError) {
    guard let (first, second) = Coordinate.halves(of: text) else { throw .malformedPair(text) }
    do throws(CoordinateTextError) {
      try self.init(latitude: String(first), longitude: String(second))
    } catch .malformed {
      throw .malformedPair(text)
    }
  }

  /// Reads a latitude and a longitude that stand apart: two arguments, two columns.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, or degrees, minutes and seconds, with a sign or one of N and S.
  ///   - longitude: The same with E and W.
  /// - Throws: ``CoordinateTextError``.
  public init(latitude: String, longitude: String) throws(CoordinateTextError) {
    guard let north = Angle(parsing: latitude) else { throw .malformed(latitude) }
    guard let east = Angle(parsing: longitude) else { throw .malformed(longitude) }
    guard north.hemisphere != "E", north.hemisphere != "W" else { throw .wrongHemisphere(latitude) }
    guard east.hemisphere != "N", east.hemisphere != "S" else { throw .wrongHemisphere(longitude) }
    guard abs(north.degrees) <= 90 else { throw .latitudeOutOfRange(latitude) }
    guard abs(east.degrees) <= 180 else { throw .longitudeOutOfRange(longitude) }
    self.init(latitude: north.degrees, longitude: east.degrees)
  }

  /// The two angles of a pair: split at the one comma, else behind or before a hemisphere letter, else at the one space.
  private static func halves(of text: String) -> (Substring, Substring)? {
    let commas = text.split(separator: ",", omittingEmptySubsequences: false)
    if commas.count == 2 { return (commas[0], commas[1]) }
    guard commas.count == 1 else { return nil }
    let trimmed = text.drop { $0.isWhitespace }
    let letters = trimmed.indices.filter { "NSEWnsew".contains(trimmed[$0]) }
    if letters.count == 2 {
      let cut = letters[0] == trimmed.startIndex ? letters[1] : trimmed.index(after: letters[0])
      return (trimmed[..<cut], trimmed[cut...])
    }
    let words = trimmed.split { $0.isWhitespace }
    return words.count == 2 ? (words[0], words[1]) : nil
  }

  /// `47.3769000,8.5417000`: seven decimals, 1 cm.
  public var text: String {
    "\(latitude.fixed(7)),\(longitude.fixed(7))"
  }
}

/// One latitude or longitude as text: a signed number, or degrees, minutes and seconds, with or without a hemisphere letter.
struct Angle {
  var degrees: Double
  /// N, S, E or W; nil where there is none.
  var hemisphere: Character?

  /// Reads an angle; nil where the text is none, or has both a sign and a letter, or sixty minutes or seconds.
  init?(parsing text: String) {
    var rest = Substring(text.uppercased()).trimmed
    for side in [true, false] {
      guard hemisphere == nil, let letter = side ? rest.last : rest.first, "NSEW".contains(letter) else {
        continue
      }
      hemisphere = letter
      rest = (side ? rest.dropLast() : rest.dropFirst()).trimmed
    }
    var negative = false
    if let sign = rest.first, sign == "-" || sign == "+" || sign == "\u{2212}" {
      guard hemisphere == nil else { return nil }
      negative = sign != "+"
      rest = rest.dropFirst()
    }
    let parts = rest.split { !$0.isASCIIDigit && $0 != "." }
    let marks = rest.filter { !$0.isASCIIDigit && $0 != "." }
    guard marks.allSatisfy({ $0.isWhitespace || "°º'′’\"″”:".contains($0) }), (1...3).contains(parts.count),
      rest.first?.isASCIIDigit == true || rest.first == "."
    else { return nil }
    var value = 0.0
    var unit = 1.0
    for (place, part) in parts.enumerated() {
      guard let number = Double(part), number.isFinite, place == 0 || number < 60,
        place == parts.count - 1 || !part.contains(".")
      else { return nil }
      value += number / unit
      unit *= 60
    }
    degrees = negative || hemisphere == "S" || hemisphere == "W" ? -value : value
  }
}

extension Substring {
  /// Without white space at either end.
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool {
    ("0"..."9").contains(self)
  }
}
