import Foundation
import GRDB
import Synchronization

/// The transaction of the one thread that joins several reads.
final class JoinedReads: Sendable {
  private struct Transaction: @unchecked Sendable {
    // Used on its own thread only, while that is in the transaction.
    package let database: Database
    let thread: pthread_t
  }
  private let transaction = Mutex<Transaction?>(nil)

  /// `nil` if the calling thread has no such transaction.
  package var database: Database? {
    let current = transaction.withLock { $0 }
    guard let current, pthread_equal(current.thread, pthread_self()) != 0 else { return nil }
    return current.database
  }

  /// A second thread does not join while another one reads.
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
