import Foundation
import GRDB

/// The open cache as its stores share it: the database, the options, and the stores that take part
/// in the transactions of others.
public final class StoreDatabase: Sendable {
  let core: CacheDatabase
  let options: StoreOptions
  let participants: Participants

  init(core: CacheDatabase, options: StoreOptions, participants: Participants) {
    (self.core, self.options, self.participants) = (core, options, participants)
  }

  var now: Date { options.now() }
  var midnight: Date { options.calendar.startOfDay(for: now) }
  var path: String { core.pool.path }

  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T { try core.read(body) }

  func write<T: Sendable>(
    _ durability: CacheDatabase.Durability,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws(StoreError) -> T {
    try await core.write(durability, body)
  }

  /// Passes the time of the call to `body`.
  func write<T: Sendable>(
    _ durability: CacheDatabase.Durability,
    _ body: @escaping @Sendable (Database, Date) throws -> T
  ) async throws(StoreError) -> T {
    try await core.write(durability, body)
  }

  /// Passes the transaction with its time and participants to `body`.
  func change<T: Sendable>(
    _ durability: CacheDatabase.Durability = .user,
    _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws(StoreError) -> T {
    try await core.write(durability) { [participants] db, now in
      try body(Transaction(db: db, now: now, participants: participants))
    }
  }
}
