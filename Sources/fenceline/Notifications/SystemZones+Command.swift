import FencelineCivilTime
import FencelineCommandLineKit
import FencelineService

extension SystemZones {
  /// The zone that somebody names, else that of the system.
  ///
  /// - Throws: `UsageError` where there is none of that name, ``Failure`` where it cannot be read.
  static func asked(_ name: String?) throws -> CivilZone {
    do throws(SystemZoneError) {
      guard let name else { return try SystemZones.local() }
      return try SystemZones.zone(named: name)
    } catch {
      let sentence = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
      switch error.code {
      case .unknown:
        let near = error.suggestion ?? name.flatMap { nearest(to: $0, in: SystemZones.names) }
        throw UsageError(sentence + (near.map { " Did you mean '\($0)'?" } ?? ""))
      case .unreadable: throw Failure(Status.unreadable, sentence)
      }
    }
  }
}
