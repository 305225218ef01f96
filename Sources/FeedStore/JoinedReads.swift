import Foundation
import GRDB
import Synchronization

/// Of the one thread that reads several things at once, the transaction in which it does.
final class JoinedReads: Sendable {
  private struct Transaction: @unchecked Sendable {
    // Used on its own thread only, while that is in the transaction.
    let database: Database
    let thread: pthread_t
  }
  private let transaction = Mutex<Transaction?>(nil)

  /// Nil: the calling thread is in no such transaction.
  var database: Database? {
    let current = transaction.withLock { $0 }
    guard let current, pthread_equal(current.thread, pthread_self()) != 0 else { return nil }
    return current.database
  }

  /// A second thread that begins while another is inside reads each thing by itself.
  func begin(_ database: Database) {
    let new = Transaction(database: database, thread: pthread_self())
    transaction.withLock { if $0 == nil { $0 = new } }
  }

  func end() {
    transaction.withLock { current in
      if let thread = current?.thread, pthread_equal(thread, pthread_self()) != 0 { current = nil }
    }
  }
}

extension ReaderCache {
  /// Runs `body` with the reads that it makes on this thread in one transaction: one snapshot, and
  /// less work than one transaction for each. `body` must neither write nor wait.
  public func joiningReads<T>(_ body: () -> T) -> T { database.joiningReads(body) }
}
