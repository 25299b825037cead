import FencelineGeofencing
import Glibc

/// The user's names for receivers, by their paths.
struct ReceiverNames: Sendable {
  private let globs: [(name: String, pattern: Glob)]
  private let linkFolders: [String]

  /// - Parameters:
  ///   - receivers: Names with their patterns.
  ///   - linkFolders: Where names that outlast a receiver's path are kept; none where the paths are another machine's.
  init(_ receivers: [(name: String, pattern: String)], linkFolders: [String]) {
    globs = receivers.map { ($0.name, Glob($0.pattern)) }
    self.linkFolders = linkFolders
  }

  /// The name of the receiver at `path`, by that or by a link to it; nil where the user has given none.
  subscript(path: String) -> String? {
    guard !globs.isEmpty else { return nil }
    let paths = [path] + links(to: path)
    return globs.first { glob in paths.contains { glob.pattern.matches($0) } }?.name
  }

  private func links(to path: String) -> [String] {
    guard let target = Self.resolved(path) else { return [] }
    var links: [String] = []
    for folder in linkFolders {
      guard let list = unsafe opendir(folder) else { continue }
      defer { unsafe closedir(list) }
      while let entry = unsafe readdir(list) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        }
        let link = folder + "/" + name
        if name.first != ".", Self.resolved(link) == target { links.append(link) }
      }
    }
    return links
  }

  private static func resolved(_ path: String) -> String? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
