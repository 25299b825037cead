import FencelineHTTPServing
import Foundation
import Synchronization

/// The local face of a service on a test's database: real server, real socket, and a status of the test's own making.
final class LocalService: Sendable {
  private final class Content: Sendable {
    let status: Mutex<String>
    let asked = Mutex<[String]>([])

    init(_ status: String) { self.status = Mutex(status) }
  }

  let hub = EventHub()
  private let content: Content
  private let server: HTTPServer

  /// Begins to serve beside a database.
  init(_ database: String, status: String = "{\"version\":\"0.1.0\"}") throws {
    let content = Content(status)
    self.content = content
    server = try HTTPServer(unixSocket: database + "-socket") { [hub] request in
      let query = request.query.map { "?\($0.key)=\($0.value)" }.sorted().joined()
      content.asked.withLock { $0.append(request.path + query) }
      return switch request.path {
      case "/api/v1/status":
        content.status.withLock { $0.isEmpty ? .plain("Try again.", status: 503) : .json($0) }
      case "/api/v1/events": .events(hub, after: request.headers["last-event-id"])
      default: .plain("There is no such page.", status: 404)
      }
    }
  }

  /// Paths with their queries, in the order in which they were asked for.
  var asked: [String] { content.asked.withLock { $0 } }

  /// Waits until so many clients follow the events, for ten seconds at most.
  ///
  /// - Returns: Whether they do.
  func waitForWatchers(_ count: Int) -> Bool {
    for _ in 0..<1000 where hub.clients != count { usleep(10_000) }
    return hub.clients == count
  }

  func stop() { server.stop() }
}
