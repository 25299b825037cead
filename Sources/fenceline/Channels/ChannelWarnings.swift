import FencelineCommandLineKit
import FencelineDelivery
import FencelineDiagnosis
import FencelineEventJournal
import FencelineGeofencing

extension Session {
  /// Warns of what a channel names and that is not there. It may come later, so that this is no error.
  ///
  /// - Parameters:
  ///   - kind: The channel's kind.
  ///   - setup: How it is set up.
  ///   - rules: Which events it carries.
  ///   - journal: Where regions are looked for.
  /// - Throws: `JournalError`.
  func warnOfAbsences(
    _ kind: ChannelKind, _ setup: ChannelSetup, _ rules: ChannelRules, _ journal: Journal
  ) throws {
    for finding in ChannelCheck.missing(kind, setup) { warn(finding.text) }
    for id in rules.regions where !id.contains(where: { "*?[".contains($0) }) {
      guard try journal.region(id) == nil else { continue }
      let known = try journal.regions(inOrder: false).map(\.region.id)
      let hint = nearest(to: id, in: known).map { " Did you mean '\($0)'?" } ?? ""
      warn("There is no region '\(id)', and the channel '\(setup.name)' carries what is about it.\(hint)")
    }
  }
}
