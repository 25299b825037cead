/// Why a log cannot be read, or not to its end.
package struct TrackLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of trouble; more may be added.
  package struct Code: Hashable, Sendable {
    let name: String

    /// The file is not there, is a directory or cannot be read by the system.
    package static let cannotRead = Code(name: "cannotRead")
    /// The user may not read the file.
    package static let notPermitted = Code(name: "notPermitted")
    /// The content is no log that this program reads.
    package static let unrecognised = Code(name: "unrecognised")
    /// The content is forbidden: a document type declaration.
    package static let refused = Code(name: "refused")
    /// The log breaks off or is damaged; what came before counts.
    package static let damaged = Code(name: "damaged")
  }

  /// The kind of trouble.
  package var code: Code
  /// One sentence or two for the user: what was being done, to which file, what to do.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

/// A log's name in sentences.
struct LogName: Sendable {
  /// The path as the user gave it; `-` is standard input.
  let path: String
  /// Whether its bytes are packed with gzip.
  var isPacked = false

  var isStandardInput: Bool { path == "-" }

  /// `the log 'ride.gpx'`, `the log on standard input`.
  var phrase: String {
    isStandardInput ? "the log on standard input" : "the log '\(printable)'"
  }

  /// The path without characters that would disturb a terminal.
  private var printable: String {
    var text = ""
    for scalar in path.unicodeScalars {
      let control = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      text.unicodeScalars.append(control ? "?" : scalar)
    }
    return text
  }
}
