package import FencelineEventJournal

/// Where positions come from.
package enum PositionOrigin: Hashable, Sendable {
  /// From sources of their own.
  case sources
  /// From channels alone, by their names.
  case channels([String])
  /// From nowhere: somebody should mend that.
  case nowhere

  /// Where positions come from.
  ///
  /// - Parameters:
  ///   - hasSources: Whether there are sources that are no channels.
  ///   - channels: All channels.
  package init(hasSources: Bool, _ channels: [StoredChannel]) {
    let names = channels.filter { $0.isEnabled && $0.receives }.map(\.name)
    self = hasSources ? .sources : names.isEmpty ? .nowhere : .channels(names)
  }

  /// What there is to say of it; nil where sources of their own say that.
  package var sentence: String? {
    switch self {
    case .sources: nil
    case .channels(let names):
      "Positions come by channels alone: \(names.map { "'\($0)'" }.joined(separator: ", "))."
    case .nowhere:
      "Nothing gives positions: 'sources' is none, and no channel that is switched on has --receive."
    }
  }
}

extension StoredChannel {
  /// Whether positions come in by it.
  var receives: Bool { options["receive"] != nil }
}
