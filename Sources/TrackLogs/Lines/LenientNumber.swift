/// A number in JSON that some writers put in quotes.
struct LenientNumber: Decodable, Sendable {
  var value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      value = number
      return
    }
    let text = try container.decode(String.self)
    guard let number = decimalNumber(Array(text.utf8).span) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
    }
    value = number
  }
}
