internal import Glibc

/// Why a file cannot go with a notification.
package struct AttachmentError: Error, Hashable, Sendable {
  /// The kinds, by the numbers that Apple's framework gives them.
  package enum Code: Int, Hashable, Sendable {
    /// There is no such file, it is something else than a file, or it cannot be read.
    case attachmentInvalidURL = 100
    /// It is of no type that can be attached.
    case attachmentUnrecognizedType = 101
    /// It is empty, or larger than its type may be.
    case attachmentInvalidFileSize = 102
    /// The store has no file of that name.
    case attachmentNotInDataStore = 103
    /// It cannot be copied into the store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// It is cut off or damaged.
    case attachmentCorrupt = 105
  }

  /// What kind of failure it is.
  package var code: Code
  /// A sentence that names the file and says what to do.
  package var message: String

  /// A file that somebody wants to attach, and what is wrong with it.
  init(_ code: Code, attaching path: String, _ reason: String, _ advice: String) {
    self.code = code
    message = "Cannot attach '\(printable(path))': \(reason). \(advice)"
  }

  /// What the system says of a place in the store, by its error number.
  init(store path: String, systemError: Int32) {
    code = .attachmentMoveIntoDataStoreFailed
    let advice =
      switch systemError {
      case ENOSPC, EDQUOT: "Free some space and try again."
      case EACCES, EPERM, EROFS: "Make it writable for this user, or name another database with --db."
      default: "Move away what is in its place, or name another database with --db."
      }
    message = "Cannot store attachments in '\(printable(path))': \(systemMessage(systemError)). \(advice)"
  }

  /// A file of the store that is not there.
  init(missing hash: String, in path: String) {
    code = .attachmentNotInDataStore
    message =
      "There is no attachment '\(printable(hash))' in '\(printable(path))'. Add the notification again with its file."
  }
}

/// The system's words for an error number: `no such file or directory`.
func systemMessage(_ number: Int32) -> String {
  let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  return text.prefix(1).lowercased() + text.dropFirst()
}

/// A text with every control character shown as `?`, so that a message about it stays on its line.
private func printable(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: shown.append("?")
    default: shown.append(scalar)
    }
  }
  return String(shown)
}
