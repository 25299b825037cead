import FencelineJSONText
import FencelineTestSupport
import Glibc
import Testing

/// A program in `Tests/Delivery/Peers` that a channel talks to.
final class Peer: Sendable {
  let folder: TemporaryFolder
  let port: Int
  let process: ChildProcess

  /// Starts it and waits until it listens. It runs with Debian's Python, which has its modules.
  init(_ name: String, _ arguments: [String] = []) throws {
    folder = try TemporaryFolder()
    let script =
      "\(#filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/"))/Peers/\(name).py"
    process = try ChildProcess(
      ["/usr/bin/python3", script, folder.path] + arguments, output: folder.path("output"),
      error: folder.path("error")
    )
    let folder = folder
    let process = process
    _ = until { !folder.text("port").isEmpty || !process.isRunning }
    port = try #require(Int(folder.text("port")), "\(folder.text("error"))")
  }

  /// What it has noted.
  var log: [JSONNode] {
    folder.text("log").split(separator: "\n").compactMap { try? JSONNode(parsing: $0.utf8) }
  }

  /// The requests that it has got.
  var requests: [JSONNode] { log.filter { $0["path"] != nil } }
}

/// Waits until something is so, for half a minute at most.
func until(_ condition: () -> Bool) -> Bool {
  for _ in 0..<3000 {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}

extension JSONNode {
  /// The value of a header of a request; nil where it was not sent.
  func header(_ name: String) -> String? { headers(name).first }

  /// All values of a header of a request.
  func headers(_ name: String) -> [String] {
    let all = self["headers"]?.elements ?? []
    return all.compactMap { pair in
      guard let parts = pair.elements, parts.count == 2, parts[0].text == name else { return nil }
      return parts[1].text
    }
  }
}
