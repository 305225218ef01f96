import Synchronization

/// Counts the bytes of a pack's transfers that are not in the cache yet, including packet headers,
/// acknowledgements and connection setup. Ends the transfers when they exceed the budget.
final class PackBudget: Sendable {
  private struct Transfer {
    let task: PackTask
    let cancel: @Sendable () -> Void
    var bytes: Int64 = 0
    var isOver = false
  }

  private let transfers = Mutex<[Int64: Transfer]>([:])

  /// Counts 600 bytes for name lookup, TCP handshake and the request's acknowledgements.
  /// - Parameter cancel: called once, when the budget is used up.
  func begin(_ task: PackTask, cancel: @escaping @Sendable () -> Void) {
    transfers.withLock { $0[task.id] = Transfer(task: task, cancel: cancel) }
    add(600, to: task)
  }

  /// Counts 1,530 bytes for 1,448, which a packet of 1,500 bytes carries (IPv4 and TCP with
  /// timestamps). A packet of 60 bytes acknowledges two such packets.
  func received(_ bytes: Int, for task: PackTask) {
    add((Int64(bytes) * 1_530 + 1_447) / 1_448, to: task)
  }

  private func add(_ bytes: Int64, to task: PackTask) {
    let over = transfers.withLock { transfers -> [Transfer] in
      transfers[task.id]?.bytes += bytes
      let own = transfers.values.filter { $0.task.pack == task.pack }
      guard own.reduce(0, { $0 + $1.bytes }) >= task.left else { return [] }
      for transfer in own { transfers[transfer.task.id]?.isOver = true }
      return own.filter { !$0.isOver }
    }
    for transfer in over { transfer.cancel() }
  }

  /// Returns true if a transfer has ended because the budget is used up.
  func isOver(_ task: PackTask) -> Bool { transfers.withLock { $0[task.id]?.isOver == true } }

  /// Ends the count of a transfer before its bytes are stored, and returns them.
  func end(_ task: PackTask) -> Int64 {
    transfers.withLock { $0.removeValue(forKey: task.id)?.bytes ?? 0 }
  }
}
