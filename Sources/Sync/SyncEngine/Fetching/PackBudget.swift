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

  /// A packet of 1,500 bytes carries 1,448 bytes of a stream (IPv4 and TCP with timestamps). A
  /// packet of 60 bytes acknowledges two such packets.
  private static let packet: (whole: Int64, carried: Int64) = (1_530, 1_448)
  /// The bytes of name lookup, TCP handshake and the request's acknowledgements.
  private static let connection: Int64 = 600

  /// - Parameter cancel: called once, when the budget is used up.
  func begin(_ task: PackTask, cancel: @escaping @Sendable () -> Void) {
    transfers.withLock { $0[task.id] = Transfer(task: task, cancel: cancel) }
    add(Self.connection, to: task)
  }

  func received(_ bytes: Int, for task: PackTask) {
    add(
      (Int64(bytes) * Self.packet.whole + Self.packet.carried - 1) / Self.packet.carried, to: task)
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
