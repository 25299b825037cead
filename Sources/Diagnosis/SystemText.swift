internal import Glibc

/// The system's words for an error number, in lower case: `no such file or directory`.
func systemMessage(_ number: Int32) -> String {
  let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  return text.prefix(1).lowercased() + text.dropFirst()
}

/// A variable of the environment; nil where it is not set or empty.
func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}

/// What is known of a file; nil where it is not there or may not be looked at.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status : nil
}

/// The paths that match a pattern of the shell, in order.
func paths(matching pattern: String) -> [String] {
  var found = unsafe glob_t()
  defer { unsafe globfree(&found) }
  guard unsafe glob(pattern, 0, nil, &found) == 0 else { return [] }
  var names: [String] = []
  for place in 0..<Int(unsafe found.gl_pathc) {
    if let name = unsafe found.gl_pathv[place] { names.append(unsafe String(cString: name)) }
  }
  return names
}

/// A name in single quotes, as a shell takes it.
func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
