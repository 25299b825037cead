internal import FencelineCivilTime
internal import FencelineGeodesy
package import FencelineGeofencing
package import FencelineJSONText

extension JSONValue {
  /// A crossing as every command prints it.
  package static func crossing(_ crossing: Crossing, run: Int64?, sequence: Int64) -> JSONValue {
    [
      "run": run.map { .integer(Int($0)) } ?? .null, "sequence": .integer(Int(sequence)),
      "device": .text(crossing.device), "region": .text(crossing.region),
      "kind": .text(crossing.kind.rawValue),
      "at": .text(crossing.at.description), "confirmedAt": .text(crossing.confirmedAt.description),
      "earliest": .text(crossing.earliest.description), "latest": .text(crossing.latest.description),
      "cause": .text(crossing.cause.rawValue), "notify": .boolean(crossing.notify),
      "latitude": degrees(crossing.coordinate.latitude), "longitude": degrees(crossing.coordinate.longitude),
    ]
  }

  /// Degrees to nine decimals, a tenth of a millimetre.
  package static func degrees(_ value: Double) -> JSONValue {
    .number(Double(value.fixed(9)) ?? value)
  }
}
