/// What the user says about live sources.
package struct SourceOptions: Sendable {
  /// The probability with which gpsd's error radius holds the true position; above 0, below 1.
  package var gpsdConfidence = 0.95
  /// Seconds without a word after which a receiver is silent; one that seldom speaks has three of its usual intervals.
  package var silence = 10.0
  /// Names for receivers, each with a glob of the path that it has or that a link in `/dev/serial` to it has; the first that
  /// matches counts.
  package var receivers: [(name: String, pattern: String)] = []
  /// The name of a source's only receiver where there is no other source; nil stands for `default`.
  package var device: String?
  /// Whether there are other sources: a receiver without a name of the user's has its path as its name then.
  var hasCompany = false
  /// Whether a receiver of one of them may have the same path.
  var pathsMayRepeat = false
  /// Where links to this machine's serial ports are kept that outlast the ports' own paths.
  var linkFolders = ["/dev/serial/by-id", "/dev/serial/by-path"]

  /// The usual ones.
  package init() {}
}
