import Foundation
import Testing

/// Runs each test on a thread of its own: tests that wait for the passing of time do not keep others waiting.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  private final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
    }
  }

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(Executor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Each test runs on a thread of its own.
  static var ownThread: Self { OwnThread() }
}
