import FencelinePositioning
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@testable import FencelineLiveSources

/// What a source has delivered so far.
final class Inbox: Sendable {
  private struct Content {
    var fixes: [(fix: Fix, arrival: Arrival)] = []
    var completed: [Fix] = []
    var signals: [Signal] = []
    var regions: [ReportedRegions] = []
  }
  private let content = Mutex(Content())

  func take(_ event: SourceEvent) {
    content.withLock { content in
      switch event {
      case .fix(let fix, let arrival): content.fixes.append((fix, arrival))
      case .completed(let fix): content.completed.append(fix)
      case .signal(let signal): content.signals.append(signal)
      case .regions(let regions): content.regions.append(regions)
      }
    }
  }

  var fixes: [(fix: Fix, arrival: Arrival)] { content.withLock { $0.fixes } }
  /// Fixes of which more was told later.
  var completed: [Fix] { content.withLock { $0.completed } }
  var regions: [ReportedRegions] { content.withLock { $0.regions } }
  var signals: [Signal] { content.withLock { $0.signals } }
  /// The states in the order in which they were told.
  var states: [SignalState] { signals.map(\.state) }

  /// Waits until something is so; a failure where it takes longer than so many seconds.
  func wait(
    _ seconds: Double = 30, until condition: (Inbox) -> Bool,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let end = Arrival.now.boot + Int64(seconds * 1000)
    while !condition(self) {
      guard Arrival.now.boot < end else {
        let told = signals.map { "\($0.device ?? "-") \($0.state.rawValue) \($0.detail ?? "")" }
        Issue.record("waited in vain; \(fixes.count) fixes, signals \(told)", sourceLocation: location)
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until the last signal says so.
  func wait(
    for state: SignalState, within seconds: Double = 30, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try await wait(seconds, until: { $0.signals.last?.state == state }, location)
  }

  /// Waits for so many fixes more.
  func wait(forFixes count: Int, _ location: SourceLocation = #_sourceLocation) async throws {
    let start = fixes.count
    try await wait(until: { $0.fixes.count >= start + count }, location)
  }
}

/// A source that runs, and stops with the test.
final class Running {
  let source: any LiveSource
  let inbox = Inbox()

  init(_ source: any LiveSource) throws {
    // A connection that breaks is an error to be read, not a reason to end; the program sees to that too.
    signal(SIGPIPE, SIG_IGN)
    self.source = source
    let inbox = inbox
    try source.start { inbox.take($0) }
  }

  /// A source by its address.
  convenience init(_ address: String, _ options: SourceOptions = SourceOptions()) throws {
    try self.init(SourceAddress(parsing: address).source(options: options))
  }

  deinit {
    source.stop()
  }

  func count(_ name: String) -> Int {
    source.counts.first { $0.name == name }?.count ?? 0
  }
}

@available(*, unavailable)
extension Running: Sendable {}

extension SourceOptions {
  /// Options with so many seconds until a receiver is silent.
  static func silence(_ seconds: Double) -> SourceOptions {
    var options = SourceOptions()
    options.silence = seconds
    return options
  }
}
