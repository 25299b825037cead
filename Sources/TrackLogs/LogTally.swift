import FencelineGeodesy

/// Why something in a log gave no fix.
package enum LogOmission: String, Sendable, CaseIterable {
  // NMEA 0183
  case wrongChecksum
  case missingChecksum
  case malformedTime
  case malformedPosition
  case noFix
  case conflictingEpoch
  case estimated
  case simulated
  case repeatedEpoch
  case offTheCalendar
  case foreignLine
  // Every other format
  case damagedLine
  case overlongLine
  case otherRecord
  case noTime
  case unreadableTime
  case unreadablePosition
  case offTheEarth
  // Messages
  case encrypted
  case overlongMessage
  case nameless

  /// What was left out, in the plural, as a line of a summary says it: `sentences with a wrong checksum`.
  package var name: String {
    switch self {
    case .wrongChecksum: "sentences with a wrong checksum"
    case .missingChecksum: "sentences cut off or without a checksum"
    case .malformedTime: "sentences with a malformed time"
    case .malformedPosition: "sentences with a malformed position"
    case .noFix: "reports without a fix"
    case .conflictingEpoch: "positions that their receiver calls invalid"
    case .estimated: "estimated positions"
    case .simulated: "simulated positions"
    case .repeatedEpoch: "positions with the time of the one before"
    case .offTheCalendar: "positions before the year 1 or after 9999"
    case .foreignLine: "lines that are no sentences"
    case .damagedLine: "damaged lines"
    case .overlongLine: "lines that are too long"
    case .otherRecord: "records that are not positions"
    case .noTime: "points without a time"
    case .unreadableTime: "points with an unreadable time"
    case .unreadablePosition: "points with an unreadable position"
    case .offTheEarth: "points off the Earth"
    case .encrypted: "encrypted messages"
    case .overlongMessage: "messages that are too long"
    case .nameless: "messages whose topic cannot name a device"
    }
  }
}

/// How many fixes a log gave, and how many things in it gave none, by reason.
package struct LogTally: Sendable, Equatable {
  /// Fixes handed out.
  package internal(set) var fixes = 0
  private var counts: [LogOmission: Entry] = [:]

  private struct Entry: Sendable, Equatable {
    var count: Int
    var firstLine: Int?
  }

  /// Nothing yet.
  package init() {}

  /// How many things were left out for `reason`.
  package func count(_ reason: LogOmission) -> Int {
    counts[reason]?.count ?? 0
  }

  /// The line of the log, from 1, where `reason` was met first; nil where it never was and in formats without lines.
  package func firstLine(_ reason: LogOmission) -> Int? {
    counts[reason]?.firstLine
  }

  /// The reasons that were met, in a fixed order, each with its count.
  package var omissions: [(reason: LogOmission, count: Int)] {
    LogOmission.allCases.compactMap { reason in counts[reason].map { (reason, $0.count) } }
  }

  /// Counts one thing more.
  package mutating func leaveOut(_ reason: LogOmission, line: Int? = nil) {
    counts[reason, default: Entry(count: 0, firstLine: line)].count += 1
  }

  /// A place on Earth; what is none is counted, and nil.
  mutating func place(latitude: Double?, longitude: Double?, line: Int?) -> Coordinate? {
    guard let latitude, let longitude else {
      leaveOut(.unreadablePosition, line: line)
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else {
      leaveOut(.offTheEarth, line: line)
      return nil
    }
    return coordinate
  }
}
