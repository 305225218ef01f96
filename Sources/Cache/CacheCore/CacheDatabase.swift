import CSQLite
@_exported public import FeedModel
package import Foundation
package import GRDB
import Synchronization

/// The open database: connections, observers, reads and writes.
public final class CacheDatabase: Sendable {
  package let pool: DatabasePool
  package let now: @Sendable () -> Date
  package let hub: ChangeHub
  let observer: CommitObserver
  let watcher: WALWatcher
  package let owner: ProcessOwner
  private let joinedReads = JoinedReads()
  private let reads = Reads()
  /// Writes that are queued and have not begun.
  package let waiting = WaitingWrites()
  /// Identifies the opened file, whose name may be removed or reused.
  private let identity: StoreFiles.Identity?

  /// - Parameter now: the clock for the changes of the user.
  package init(pool: DatabasePool, path: String, now: @escaping @Sendable () -> Date) throws {
    self.pool = pool
    self.now = now
    identity = StoreFiles.Identity(of: path)
    owner = ProcessOwner.make()
    hub = ChangeHub()
    observer = CommitObserver()
    pool.add(transactionObserver: observer)
    try pool.writeWithoutTransaction { [hub, owner] db in
      try hub.loadVersions(db)
      try owner.forgetDeadOwners(db)
    }
    watcher = WALWatcher(path: path + "-wal", hub: hub, pool: pool)
  }

  deinit {
    // Clears no rows, unlike `close`: the last reference may be released on the writer's thread.
    watcher.cancel()
    hub.close()
    owner.retire()
  }

  /// True if the path still leads to the opened file.
  var isInPlace: Bool { StoreFiles.Identity(of: pool.path) == identity }

  package func close() {
    watcher.cancel()
    hub.close()
    guard owner.retire() else { return }
    // Rows left behind are harmless: the next process ignores those of dead processes.
    try? pool.write { [owner] db in try owner.forgetOwn(db) }
    reads.close()
    // The pool closes its writer first. The last connection to close removes the log, and only a
    // writer can, so the readers are closed before.
    pool.releaseMemory()
    try? pool.close()
  }

  /// Gives memory back to the system that a long job of the writer has left.
  package func releaseMemory() async {
    try? await pool.writeWithoutTransaction {
      weir_sqlite_release_memory($0.sqliteConnection.map { UnsafeMutableRawPointer($0) })
    }
  }

  /// The guarantee for a commit.
  package enum Durability {
    /// Changes by the user, which are on the disk before the call returns.
    case user
    /// Data that can be fetched again. A power cut may lose the newest commits, but never the file.
    case engine
  }

  package func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do {
      if let db = joinedReads.database { return try body(db) }
      try reads.begin()
      defer { reads.end() }
      return try pool.read(body)
    } catch {
      throw StoreError(error, path: pool.path)
    }
  }

  /// Runs `body`, with its reads in one transaction if one can begin.
  package func joiningReads<T>(_ body: () -> T) -> T {
    var result: T?
    if joinedReads.database == nil {
      try? read { db in
        joinedReads.begin(db)
        defer { joinedReads.end() }
        result = body()
      }
    }
    return result ?? body()
  }

  /// Runs a read; returns `nil` if the task was cancelled.
  package func readCancellably<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(StoreError) -> T? {
    do {
      guard !Task.isCancelled else { return nil }
      try reads.begin()
      defer { reads.end() }
      return try await pool.read(body)
    } catch is CancellationError {
      return nil
    } catch {
      if Task.isCancelled { return nil }
      throw StoreError(error, path: pool.path)
    }
  }

  /// Runs one transaction on the writer's thread. Cancelling the waiting task does not interrupt
  /// the transaction, so that a key that was pressed takes effect.
  package func write<T: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(StoreError) -> T {
    let (hub, observer, path, identity) = (hub, observer, pool.path, identity)
    waiting.begin()
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      pool.asyncWriteWithoutTransaction { [waiting] db in
        waiting.end()
        do {
          // Data written to a file without a name is lost when the last process closes it.
          guard StoreFiles.Identity(of: path) == identity else {
            throw StoreError.fileRemoved(path: path)
          }
          // No check is needed for a file that has become read-only: its first statement fails.
          try db.execute(
            sql: durability == .user ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
          var value: T?
          var touched: StoreChange = []
          try db.inTransaction(.immediate) {
            value = try body(db)
            touched = observer.touched
            try hub.bump(touched, db)
            return .commit
          }
          hub.committed(touched)
          guard let value else { throw StoreError.other(detail: .noResult) }
          continuation.resume(returning: .success(value))
        } catch {
          continuation.resume(returning: .failure(StoreError(error, path: path)))
        }
      }
    }
    return try result.get()
  }
}

/// Counts the writes that wait for the writer, to which background work yields.
package final class WaitingWrites: Sendable {
  private let count = Atomic<Int>(0)
  package var areThere: Bool { count.load(ordering: .relaxed) > 0 }
  func begin() { count.add(1, ordering: .relaxed) }
  func end() { count.subtract(1, ordering: .relaxed) }
}

/// The reads in progress. One that began while the pool closes would get a closed connection from
/// it, the use of which ends the program.
private final class Reads: Sendable {
  private let group = DispatchGroup()
  private let isClosed = Atomic<Bool>(false)

  func begin() throws {
    group.enter()
    guard isClosed.load(ordering: .sequentiallyConsistent) else { return }
    group.leave()
    throw DatabaseError(resultCode: .SQLITE_MISUSE)
  }

  func end() { group.leave() }

  /// Refuses later reads, and waits for those that have begun.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    group.wait()
  }
}

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
