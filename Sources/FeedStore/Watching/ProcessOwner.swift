import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whose a row is that lives no longer than its process: what a screen shows, where a refresh stands.
/// Its text is the process's number and a random word, which tells a process from a later one with
/// the same number (in a container it is the same at each start).
struct ProcessOwner: Sendable, Hashable {
  let text: String

  private static let living = Mutex<Set<String>>([])

  static func make() -> ProcessOwner {
    let owner = ProcessOwner(
      text: "\(getpid()).\(String(UInt64.random(in: .min ... .max), radix: 36))")
    living.withLock { _ = $0.insert(owner.text) }
    return owner
  }

  /// Returns false where it had been retired before.
  @discardableResult
  func retire() -> Bool {
    Self.living.withLock { $0.remove(text) } != nil
  }

  /// Whether the store that wrote this is still open.
  static func isAlive(_ text: String) -> Bool {
    guard let number = text.split(separator: ".").first.flatMap({ pid_t($0) }), number > 0 else {
      return false
    }
    if number == getpid() { return living.withLock { $0.contains(text) } }
    return kill(number, 0) == 0 || errno == EPERM
  }

  // MARK: Rows

  func forgetOwn(_ db: Database) throws { try Self.forget(text, db) }

  /// Writes only where there is something to forget: opening is not an event for others.
  func forgetDeadOwners(_ db: Database) throws {
    let dead = try Self.owners(db).filter { !Self.isAlive($0) }
    guard !dead.isEmpty else { return }
    try db.inTransaction(.immediate) {
      for owner in dead { try Self.forget(owner, db) }
      return .commit
    }
  }

  static func owners(_ db: Database) throws -> [String] {
    try db.all(
      """
      SELECT phaseOwner FROM feedFetch WHERE phaseOwner IS NOT NULL
      UNION SELECT owner FROM attention UNION SELECT owner FROM telemetryWatch
      UNION SELECT owner FROM syncPause
      UNION SELECT syncOwner FROM account WHERE syncOwner IS NOT NULL
      """
    ) { $0[0] }
  }

  private static func forget(_ owner: String, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE feedFetch SET phase = 0, phaseOwner = NULL WHERE phaseOwner = ?",
      arguments: [owner])
    try db.execute(
      sql: "UPDATE account SET syncOwner = NULL WHERE syncOwner = ?", arguments: [owner])
    for table in ["attention", "telemetryWatch", "syncPause"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE owner = ?", arguments: [owner])
    }
  }
}
