@_exported public import CacheCore
package import Foundation
package import GRDB

/// The open cache that the stores share: the database, the options, and the stores that take part
/// in the transactions of others.
public final class StoreDatabase: Sendable {
  package let core: CacheDatabase
  package let options: StoreOptions
  package let participants: Participants

  package init(core: CacheDatabase, options: StoreOptions, participants: Participants) {
    (self.core, self.options, self.participants) = (core, options, participants)
  }

  package var now: Date { options.now() }
  package var midnight: Date { options.calendar.startOfDay(for: now) }
  package var path: String { core.pool.path }

  package func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    try core.read(body)
  }

  // Reads of one statement, like those of `Database`.

  package func first<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws(StoreError) -> T? {
    try core.read { db in try db.first(sql, arguments, decode) }
  }

  package func all<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ decode: (Row) throws -> T
  ) throws(StoreError) -> [T] {
    try core.read { db in try db.all(sql, arguments, decode) }
  }

  package func value<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) -> T? {
    try core.read { db in try db.value(sql, arguments) }
  }

  package func values<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) -> [T] {
    try core.read { db in try db.values(sql, arguments) }
  }

  package func exists(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) -> Bool {
    try core.read { db in try db.exists(sql, arguments) }
  }

  /// - Parameter conditions: see `FeedRows.all`.
  package func feeds(
    _ conditions: String, _ arguments: StatementArguments
  ) throws(StoreError) -> [Feed] {
    try core.read { db in try FeedRows.all(db, conditions, arguments) }
  }

  /// - Parameter now: the time that ends the period of `FetchRecord.recentArticles`.
  package func records(
    _ conditions: String, _ arguments: StatementArguments, at now: Date? = nil
  ) throws(StoreError) -> [FetchRecord] {
    try core.read { db in try FetchRows.all(db, now: now ?? self.now, conditions, arguments) }
  }

  package func write<T: Sendable>(
    _ durability: CacheDatabase.Durability,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(StoreError) -> T {
    try await core.write(durability, body)
  }

  /// Runs one transaction and passes the time of the call to `body`.
  package func write<T: Sendable>(
    _ durability: CacheDatabase.Durability,
    _ body: @escaping @Sendable (Database, Date) throws -> T
  ) async throws(StoreError) -> T {
    let now = now
    return try await core.write(durability) { db in try body(db, now) }
  }

  /// Runs one statement in a transaction of its own. Returns the number of changed rows.
  @discardableResult
  package func run(
    _ durability: CacheDatabase.Durability, _ sql: String, _ arguments: StatementArguments = []
  ) async throws(StoreError) -> Int {
    try await core.write(durability) { db in try db.run(sql, arguments) }
  }

  /// Runs one transaction and passes it with its time and participants to `body`.
  package func change<T: Sendable>(
    _ durability: CacheDatabase.Durability = .user,
    _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws(StoreError) -> T {
    let now = core.now()
    return try await core.write(durability) { [participants] db in
      try body(Transaction(db: db, now: now, participants: participants))
    }
  }
}
