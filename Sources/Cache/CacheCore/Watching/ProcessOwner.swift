import Foundation
import GRDB
import Synchronization

/// The owner of rows that end with their process: feeds on a screen, the sync of an account. Its
/// text has the process number, a random word that distinguishes stores of one process, and the
/// start time of the process, which distinguishes it from a later process with the same number
/// (common in containers). The third part is missing if the system does not give it.
package struct ProcessOwner: Sendable, Hashable {
  package let text: String

  private static let living = Mutex<Set<String>>([])

  package static func make() -> ProcessOwner {
    let word = String(UInt64.random(in: .min ... .max), radix: 36)
    let parts = ["\(getpid())", word] + [birth(of: getpid())].compactMap(\.self)
    let owner = ProcessOwner(text: parts.joined(separator: "."))
    living.withLock { _ = $0.insert(owner.text) }
    return owner
  }

  /// Retires the owner; returns `false` if it was retired before.
  @discardableResult
  func retire() -> Bool {
    Self.living.withLock { $0.remove(text) } != nil
  }

  /// Returns true if the store with this owner text is still open.
  package static func isAlive(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 2)
    guard let number = parts.first.flatMap({ pid_t($0) }), number > 0 else { return false }
    if number == getpid() { return living.withLock { $0.contains(text) } }
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    guard parts.count > 2, let birth = birth(of: number) else { return true }
    return birth == parts[2]
  }

  /// Returns the start time of a process as text; `nil` if the system does not provide it.
  private static func birth(of number: pid_t) -> String? {
    #if canImport(Darwin)
      var facts = proc_bsdinfo()
      let size = Int32(MemoryLayout<proc_bsdinfo>.size)
      guard proc_pidinfo(number, PROC_PIDTBSDINFO, 0, &facts, size) == size else { return nil }
      return "\(facts.pbi_start_tvsec)-\(facts.pbi_start_tvusec)"
    #else
      // proc_pid_stat(5): field 22 is the start in ticks since the boot. Field 2 is the program's
      // name in parentheses, which may contain any character; field 3 follows the last ")".
      guard let boot = contents("/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first,
        let fields = contents("/proc/\(number)/stat")?.split(separator: ")").last?
          .split(separator: " "), fields.count > 19
      else { return nil }
      return "\(boot)-\(fields[19])"
    #endif
  }

  #if !canImport(Darwin)
    private static func contents(_ path: String) -> String? {
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: path))
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
  #endif

  func forgetOwn(_ db: Database) throws { try Self.forget(text, db) }

  /// Writes only if there is something to remove, because opening a cache must not notify
  /// observers.
  func forgetDeadOwners(_ db: Database) throws {
    let dead = try Self.owners(db).filter { !Self.isAlive($0) }
    guard !dead.isEmpty else { return }
    try db.inTransaction(.immediate) {
      for owner in dead { try Self.forget(owner, db) }
      return .commit
    }
  }

  static func owners(_ db: Database) throws -> [String] {
    try db.values(
      """
      SELECT owner FROM attention UNION SELECT owner FROM telemetryWatch
      UNION SELECT owner FROM syncPause
      UNION SELECT syncOwner FROM account WHERE syncOwner IS NOT NULL
      """
    )
  }

  private static func forget(_ owner: String, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE account SET syncOwner = NULL WHERE syncOwner = ?", arguments: [owner])
    for table in ["attention", "telemetryWatch", "syncPause"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE owner = ?", arguments: [owner])
    }
  }
}
