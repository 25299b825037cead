/// What a check has found.
package struct Finding: Hashable, Sendable {
  /// How good it is.
  package enum Verdict: String, Hashable, Sendable {
    /// As it should be.
    case ok
    /// Works, with a reserve; or is needed for some purposes only.
    case warning
    /// Keeps the service from its work.
    case problem
  }

  /// What was looked at: `gpsd`.
  package var subject: String
  /// How good it is.
  package var verdict: Verdict
  /// What was found, in a sentence.
  package var text: String
  /// What to type, or a sentence; nil where nothing is to be done.
  package var advice: String?

  /// A finding.
  package init(_ subject: String, _ verdict: Verdict, _ text: String, advice: String? = nil) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.advice = advice
  }
}
