import Foundation
import Testing

/// Runs tests that block their thread, as these do while they wait for another program, on threads
/// of their own. The pool of Swift's tasks has as many threads as the machine has cores: two such
/// tests in it would keep every other test waiting, beyond its time limit.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  static var ownThreads: Self { Self() }
}

/// Each job of a task has a thread, for as long as the job runs.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
