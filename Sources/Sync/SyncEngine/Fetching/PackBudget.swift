import Synchronization

/// Counts the bytes of a pack's transfers that are not in the cache yet, including packet headers,
/// acknowledgements and connection setup. Ends the transfers when they exceed the budget.
final class PackBudget: Sendable {
  private struct Transfer {
    let cancel: @Sendable () -> Void
    var bytes: Int64 = 0
    var isOver = false
  }

  private struct Open {
    /// The bytes that the pack may still receive. Those of a transfer that ended are not given back
    /// while the cache stores them.
    var left: Int64
    var transfers: [Int64: Transfer] = [:]
    /// Streams of the transfers that wait; the end of another transfer finishes them.
    var waiting: [AsyncStream<Void>.Continuation] = []

    /// True if the transfers and another one may each receive four times the remainder. Then only
    /// one is running when a small budget ends.
    var allowsAnother: Bool {
      transfers.isEmpty || left >= (Int64(transfers.count) + 1) * 4 * PackBudget.remainder
    }
  }

  private let packs = Mutex<[Int64: Open]>([:])
  /// The bytes that a transfer may still receive while it ends.
  private static let remainder: Int64 = 16_384

  /// Waits while the running transfers may use up the budget. Counts 600 bytes for name lookup, TCP
  /// handshake and the request's acknowledgements.
  /// - Parameter cancel: called once, when the budget is used up.
  func begin(_ task: PackTask, cancel: @escaping @Sendable () -> Void) async {
    while let end = enter(task, cancel) {
      for await _ in end {}
    }
    add(600, to: task)
  }

  /// Begins the count, or returns a stream that ends when it is worth another try.
  private func enter(
    _ task: PackTask, _ cancel: @escaping @Sendable () -> Void
  ) -> AsyncStream<Void>? {
    packs.withLock { packs in
      var open = packs[task.pack] ?? Open(left: task.left)
      defer { packs[task.pack] = open }
      // Another process may have spent more.
      open.left = min(open.left, task.left)
      guard open.allowsAnother || Task.isCancelled else {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        open.waiting.append(continuation)
        return end
      }
      open.transfers[task.id] = Transfer(cancel: cancel)
      return nil
    }
  }

  /// Counts 1,530 bytes for 1,448, which a packet of 1,500 bytes carries (IPv4 and TCP with
  /// timestamps). A packet of 60 bytes acknowledges two such packets.
  func received(_ bytes: Int, for task: PackTask) {
    add((Int64(bytes) * 1_530 + 1_447) / 1_448, to: task)
  }

  private func add(_ bytes: Int64, to task: PackTask) {
    let over = packs.withLock { packs -> [Transfer] in
      guard var open = packs[task.pack] else { return [] }
      defer { packs[task.pack] = open }
      open.left -= bytes
      open.transfers[task.id]?.bytes += bytes
      guard open.left < Self.remainder else { return [] }
      let over = open.transfers.values.filter { !$0.isOver }
      for id in open.transfers.keys { open.transfers[id]?.isOver = true }
      return over
    }
    for transfer in over { transfer.cancel() }
  }

  /// Returns true if this process has used up the budget of a part's pack.
  func isSpent(_ task: PackTask) -> Bool {
    packs.withLock { ($0[task.pack]?.left ?? task.left) < Self.remainder }
  }

  /// Returns true if a transfer has ended because the budget is used up.
  func isOver(_ task: PackTask) -> Bool {
    packs.withLock { $0[task.pack]?.transfers[task.id]?.isOver == true }
  }

  /// Ends the count of a transfer before its bytes are stored, and returns them.
  func end(_ task: PackTask) -> Int64 {
    packs.withLock { packs in
      for continuation in packs[task.pack]?.waiting ?? [] { continuation.finish() }
      packs[task.pack]?.waiting = []
      return packs[task.pack]?.transfers.removeValue(forKey: task.id)?.bytes ?? 0
    }
  }
}
