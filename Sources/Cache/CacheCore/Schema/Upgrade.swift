import Foundation
import GRDB

/// A step of opening a cache: a wait for another process, or a part of an upgrade.
public enum UpgradeStep: Sendable, Equatable {
  /// Another process is creating or upgrading the cache.
  case waitingForUpgrade
  /// Another process has a lock on the file. Also reported after opening, by each write that waits.
  case waitingForLock
  /// A file of this many bytes is copied before it is changed.
  case copying(bytes: Int64)
  /// The disk has no room for a copy of this many bytes, so the upgrade continues without one.
  case withoutCopy(bytes: Int64)
  /// The migration `number` of `count` begins, counted from 1.
  case migrating(number: Int, count: Int)
  case ended
}

/// Upgrades a cache of an earlier version to the schema of this one.
///
/// Each migration is one transaction. An interrupted upgrade continues when the cache is next
/// opened. Until it is complete, `user_version` holds the schema of the copy that was made at its
/// beginning, so that no further copies are made.
struct Upgrade {
  let path: String
  let found: Schema.Findings
  let migrator: Migrator
  let freeSpace: (String) -> Int64?
  let report: @Sendable (UpgradeStep) -> Void

  /// Returns the path of a copy beside the cache, such as `weir-schema-0001.db`.
  private func copyPath(of schema: Int) -> String {
    let number = String(schema)
    let name = "weir-schema-\(String(repeating: "0", count: max(0, 4 - number.count)))\(number).db"
    return (FilePath.folder(of: path) as NSString).appendingPathComponent(name)
  }

  private var schema: Int {
    found.applied.compactMap { Int($0.prefix { $0 != " " }) }.max() ?? 0
  }

  private var hasCopy: Bool {
    found.unfinished > 0
      && FileManager.default.fileExists(atPath: copyPath(of: found.unfinished))
  }

  /// Copies the file before its migration if the disk has room for the copy and for the writes of
  /// the migrations.
  func saveCopy() throws {
    guard !hasCopy else { return }
    let bytes = try StoreFiles.size(of: path)
    if let free = freeSpace(FilePath.folder(of: path)), free < bytes + bytes / 2 {
      return report(.withoutCopy(bytes: bytes))
    }
    report(.copying(bytes: bytes))
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
    defer { try? queue.close() }
    try DatabaseCopy.make(
      of: queue, at: copyPath(of: schema), replacing: true, checking: .structure)
  }

  func run(in pool: DatabasePool) throws {
    if found.unfinished == 0 { try note(schema, in: pool) }
    let pending = migrator.migrations.map(\.name).filter { !found.applied.contains($0) }
    let report = report
    let migrator = migrator.grdb { name in
      let index = pending.firstIndex(of: name) ?? 0
      report(.migrating(number: index + 1, count: pending.count))
    }
    try migrator.migrate(pool)
    try note(0, in: pool)
    report(.ended)
  }

  private func note(_ schema: Int, in pool: DatabasePool) throws {
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(schema)")
    }
  }
}
