@testable import SyncEngine

@Suite("Writes of a transfer") struct OrderedWritesTests {
  /// A store whose writes wait until they are released.
  private final class SlowStore: Sendable {
    private let stored = Mutex<[Int]>([])
    var written: [Int] { stored.withLock(\.self) }
    private let gate: AsyncStream<Void>
    private let release: AsyncStream<Void>.Continuation

    init() { (gate, release) = AsyncStream.makeStream() }

    func add(_ value: Int, to writes: OrderedWrites) {
      writes.add { try await self.write(value) }
    }

    private func write(_ value: Int) async throws(StoreError) {
      for await _ in gate { break }
      if value < 0 { throw .diskFull }
      stored.withLock { $0.append(value) }
    }

    func openGate() { release.finish() }
  }

  @Test("A slow store receives the values in order, and all of them before the end")
  func order() async throws {
    let store = SlowStore()
    let writes = OrderedWrites()
    for value in 1...100 { store.add(value, to: writes) }
    #expect(store.written.isEmpty)
    async let end: Void = writes.end()
    store.openGate()
    try await end
    #expect(store.written == Array(1...100))
  }

  @Test("Nothing is written after the end") func afterTheEnd() async throws {
    let store = SlowStore()
    store.openGate()
    let writes = OrderedWrites()
    store.add(1, to: writes)
    try await writes.end()
    store.add(2, to: writes)
    try await writes.end()
    #expect(store.written == [1])
  }

  @Test("The first error ends the writes and is thrown at the end, also by a cancelled task")
  func failure() async {
    let store = SlowStore()
    let writes = OrderedWrites()
    for value in [1, -1, 2] { store.add(value, to: writes) }
    let task = Task { try await writes.end() }
    task.cancel()
    store.openGate()
    await #expect(throws: StoreError.diskFull) { try await task.value }
    #expect(store.written == [1])
  }
}
