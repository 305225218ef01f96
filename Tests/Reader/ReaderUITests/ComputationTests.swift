import Dispatch

@testable import ReaderServices
@testable import ReaderUI

@Suite("Background computations") struct ComputationTests {
  @Test("A cancelled computation is not awaited, so quitting ends any layout at once")
  func cancelled() async {
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      await computed {
        gate.wait()
        return 1
      }
    }
    task.cancel()
    #expect(await task.value == nil)
    gate.signal()
  }

  @Test("A computation that is not cancelled returns its value") func value() async {
    #expect(await computed { 6 * 7 } == 42)
  }
}
