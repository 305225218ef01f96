import FeedModel
import Foundation
import GRDB

/// A wait for another process, or a step of bringing a cache of an earlier version up to date, while
/// it is opened.
public enum UpgradeStep: Sendable, Equatable {
  /// Another process makes or upgrades the cache.
  case waitingForUpgrade
  /// Another process has a lock on the file. Also reported after opening, by each write that waits.
  case waitingForLock
  /// The rows of a file of this many bytes, by a build before the first release, are moved to a new
  /// file.
  case takingOver(bytes: Int64)
  /// The file, of this many bytes, is copied before anything changes.
  case copying(bytes: Int64)
  /// The disk has no room for a copy of this many bytes: the upgrade continues without one.
  case withoutCopy(bytes: Int64)
  /// The migration `number` of `count` begins, counted from 1.
  case migrating(number: Int, count: Int)
  case ended
}

/// Brings a cache of an earlier version to the schema of this one.
///
/// Each migration is a transaction of its own. What is interrupted is continued when the cache is
/// opened next: `user_version` holds the schema that the first copy was made of until all are done,
/// so that no further copies are made on the way.
struct Upgrade {
  let path: String
  let found: Schema.Look
  let migrator: Migrator
  let freeSpace: (String) -> Int64?
  let report: @Sendable (UpgradeStep) -> Void

  /// `weir-schema-0001.db`, beside the cache.
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

  /// Copies the file as it is before it is migrated, where there is room for the copy and for what
  /// the migrations write.
  func keepCopy() throws {
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
