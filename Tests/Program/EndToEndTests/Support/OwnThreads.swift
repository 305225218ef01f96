/// Runs tests that block their thread while they wait for another program on separate threads.
/// Swift's task pool has as many threads as the machine has cores, so two such tests in it would
/// delay every other test beyond its time limit.
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

/// An executor that runs each job of a task on its own thread.
private final class ThreadPerJob: TaskExecutor {
  static let shared = ThreadPerJob()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
