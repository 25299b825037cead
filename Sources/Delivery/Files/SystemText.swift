internal import Glibc

/// What the system says.
enum SystemText {
  /// The text of an error number, in small letters.
  static func reason(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code)"
  }
}
