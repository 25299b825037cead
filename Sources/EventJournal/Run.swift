package import FencelineCivilTime
package import FencelinePositioning
internal import FencelineJSONText

/// One evaluation of a source: the live service, or one replay.
package struct Run: Hashable, Sendable {
  /// Its number, never used again.
  package var id: Int64
  /// Whether it is the live run.
  package var isLive: Bool
  /// The files that were replayed, or the receiver.
  package var source: String
  /// How it was evaluated.
  package var settings: RunSettings
  /// When it began and ended, by the system's clock; it has not ended while nil.
  package var began: Timestamp
  package var ended: Timestamp?
  /// What went in and what came out.
  package var summary: RunSummary
}

/// What, beside the source's content, decides what a replay gives.
package struct RunSettings: Hashable, Sendable {
  /// The device that all fixes were given to; nil where each kept its own.
  package var device: String?
  /// The profile of regions that name none.
  package var profile: String
  /// What the filter was strict about.
  package var filter: FixFilter.Settings
  /// The day on which a log without a date was taken to begin.
  package var startDate: CivilDate?

  /// Settings of a replay.
  package init(device: String?, profile: String, filter: FixFilter.Settings, startDate: CivilDate?) {
    self.device = device
    self.profile = profile
    self.filter = filter
    self.startDate = startDate
  }

  /// The settings as a JSON object; equal settings give equal text.
  var text: String {
    let value: JSONValue = [
      "device": device.map(JSONValue.text) ?? .null, "profile": .text(profile),
      "maxSpeed": .number(filter.maxSpeed), "maxAccuracy": .number(filter.maxAccuracy),
      "date": startDate.map { .text($0.description) } ?? .null,
    ]
    return value.line
  }

  init(text: String) {
    let node = try? JSONNode(parsing: text.utf8)
    device = node?["device"]?.text
    profile = node?["profile"]?.text ?? ""
    filter = FixFilter.Settings()
    if let speed = node?["maxSpeed"]?.number { filter.maxSpeed = speed }
    if let accuracy = node?["maxAccuracy"]?.number { filter.maxAccuracy = accuracy }
    startDate = node?["date"]?.text.flatMap { ISO8601(parsing: ($0 + "T00:00").utf8) }.map {
      CivilDate($0.time)
    }
  }
}

/// What went into a run and what came out.
package struct RunSummary: Hashable, Sendable {
  /// Fixes that were read, good and bad.
  package var fixes = 0
  /// Those that counted.
  package var accepted = 0
  /// Those that did not, by reason.
  package var rejected: [Rejection: Int] = [:]
  /// Crossings of each kind are counted by the caller; this is their sum.
  package var crossings = 0
  /// The times of the first and the last fix that counted.
  package var firstFix: Timestamp?
  package var lastFix: Timestamp?

  /// A summary of nothing.
  package init() {}

  var rejectedText: String {
    let counts = Rejection.allCases.compactMap { reason in
      rejected[reason].map { JSONValue.Member(reason.rawValue, .integer($0)) }
    }
    return JSONValue.object(counts).line
  }

  static func rejected(_ text: String) -> [Rejection: Int] {
    var counts: [Rejection: Int] = [:]
    for (name, value) in (try? JSONNode(parsing: text.utf8))?.members ?? [] {
      if let reason = Rejection(rawValue: name), let count = value.number.flatMap({ Int(exactly: $0) }) {
        counts[reason] = count
      }
    }
    return counts
  }
}
