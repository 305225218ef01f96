public import Foundation
import GRDB
import Synchronization

// This folder holds the cache and everything that knows SQL: schema, merge, lists, journal,
// observation. What is shown, fetched or parsed stays outside; no GRDB type leaves.

/// The cache: the only thing that screens and engine share.
///
/// Reads are synchronous and short (a window of a list, a row); they never wait for a writer.
/// Writes are asynchronous, one transaction each, one after another. What the user does is committed
/// with `synchronous = FULL` before the call returns; what can be fetched again with NORMAL.
/// Dates are kept to the millisecond. Safe to use from any thread.
public final class FeedStore: Sendable {
  let pool: DatabasePool
  let options: StoreOptions
  let hub: ChangeHub
  let observer: CommitObserver
  let watcher: WALWatcher
  let owner: ProcessOwner
  /// Writes that have been asked for and have not begun.
  let waiting = WaitingWrites()

  /// Opens the cache, makes or migrates it.
  /// - Parameter directory: the data directory; made with mode 0700 where missing.
  /// - Throws: `.newerSchema`, with nothing touched; `.readOnly`, `.corrupt`, `.cannotOpen`.
  public static func open(
    directory: String, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> FeedStore {
    let path = try StoreFiles.prepare(directory: directory)
    do {
      let pool = try openPool(path: path)
      return try FeedStore(pool: pool, path: path, options: options)
    } catch {
      throw StoreError(opening: path, error)
    }
  }

  private init(pool: DatabasePool, path: String, options: StoreOptions) throws {
    self.pool = pool
    self.options = options
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
    // Without the row-clearing of `close`: the last reference may be let go on the writer's thread.
    watcher.cancel()
    hub.close()
    owner.retire()
  }

  /// Ends all observation and closes the files. What is asked for afterwards fails.
  public func close() {
    watcher.cancel()
    hub.close()
    guard owner.retire() else { return }
    // Leaving rows behind is harmless: the next process to open ignores those of the dead.
    try? pool.write { [owner] db in try owner.forgetOwn(db) }
    // The pool closes its writer first. The last connection to close tidies the log away, and only a
    // writer can: so the readers go before.
    pool.releaseMemory()
    try? pool.close()
  }

  // MARK: Plumbing

  /// How long a commit must last.
  enum Durability {
    /// What the user did: on the disk before the call returns.
    case user
    /// What can be fetched again: a power cut may lose the newest commits, never the file.
    case engine
  }

  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do {
      return try pool.read(body)
    } catch {
      throw StoreError(error, path: pool.path)
    }
  }

  /// One transaction on the writer's own thread. It is not torn apart by the cancelling of the task
  /// that waits for it: a key pressed is a key that counts.
  func write<T: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(StoreError) -> T {
    let (hub, observer, path) = (hub, observer, pool.path)
    waiting.begin()
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      pool.asyncWriteWithoutTransaction { [waiting] db in
        waiting.end()
        do {
          // A file made read-only meanwhile would fail at its first statement anyway.
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
          guard let value else { throw StoreError.other(detail: "no value") }
          continuation.resume(returning: .success(value))
        } catch {
          continuation.resume(returning: .failure(StoreError(error, path: path)))
        }
      }
    }
    return try result.get()
  }
}

/// How many writes wait for the writer: background work makes way for them.
final class WaitingWrites: Sendable {
  private let count = Atomic<Int>(0)
  var areThere: Bool { count.load(ordering: .relaxed) > 0 }
  func begin() { count.add(1, ordering: .relaxed) }
  func end() { count.subtract(1, ordering: .relaxed) }
}

/// What may be set when a cache is opened.
public struct StoreOptions: Sendable {
  /// New articles that one refresh may add to one feed; the newest are taken.
  public var maximumNewArticles: Int
  /// How much is kept of a feed that says nothing of its own.
  public var retention: Retention
  /// The clock, for what the user does and for "today".
  public var now: @Sendable () -> Date
  /// Whose midnight begins "today".
  public var calendar: Calendar
  /// The words of sanitised HTML, for search; the same in every process that opens the cache, for what
  /// was indexed by it is taken out by it. The default takes the HTML as it stands.
  public var plainText: @Sendable (String) -> String

  public init(
    maximumNewArticles: Int = 1_000, retention: Retention = Retention(),
    now: @escaping @Sendable () -> Date = { Date() }, calendar: Calendar = .current,
    plainText: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.maximumNewArticles = maximumNewArticles
    self.retention = retention
    self.now = now
    self.calendar = calendar
    self.plainText = plainText
  }
}
