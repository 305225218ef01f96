import Foundation
import GRDB
import Synchronization

/// The read transaction of the thread that joins several reads.
final class JoinedReads: Sendable {
  private struct Transaction: @unchecked Sendable {
    // Only the thread that began the transaction uses the database, until the transaction ends.
    package let database: Database
    let thread: pthread_t
  }
  private let transaction = Mutex<Transaction?>(nil)

  /// The database of the calling thread's transaction; `nil` if there is none.
  package var database: Database? {
    let current = transaction.withLock { $0 }
    guard let current, pthread_equal(current.thread, pthread_self()) != 0 else { return nil }
    return current.database
  }

  /// Does nothing while another thread has a transaction.
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
