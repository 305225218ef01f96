public import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Copies of the whole cache, out and in again. A copy is one file without a log beside it, checked
// before it gets its name.

extension Maintenance {
  /// Copies the cache as it is now into one file, readable by the user alone, while others read and
  /// write. Takes as long as the file is large.
  /// - Parameter replaces: whether a file that is there already is given up for it, once the new
  ///   one is whole.
  /// - Throws: `.exists`; `.cannotOpen` where the path is that of the cache itself.
  public func backup(to path: String, replacing replaces: Bool = false) throws(StoreError) {
    do {
      guard !StoreFiles.isSameFile(path, database.pool.path) else {
        throw StoreError.cannotOpen(path: path, detail: .sameFile)
      }
      try DatabaseCopy.make(of: database.pool, at: path, replacing: replaces)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// What `restore` did.
  public struct Restoration: Sendable, Equatable {
    /// Feeds in the backup.
    public var feeds: Int
    /// Articles in the backup, without hidden ones.
    public var articles: Int
    /// Where the cache that was there before lies now; nil: there was none.
    public var setAside: String?
  }

  /// Puts a backup in the place of the cache. The backup stays as it is; the cache that was there
  /// is set aside under another name. A backup of an older schema is migrated when it is next
  /// opened.
  /// - Throws: `.inUse` while another process has the cache open; `.notACache`, `.newerSchema` and
  ///   `.corrupt` where the backup is of no use. Nothing has changed then.
  public static func restore(
    from path: String, directory: String, now: Date = Date()
  ) throws(StoreError) -> Restoration {
    let place = try StoreFiles.place(in: directory)
    do {
      guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError.cannotOpen(path: path, detail: .noSuchFile)
      }
      guard !StoreFiles.isSameFile(path, place) else {
        throw StoreError.cannotOpen(path: path, detail: .sameFile)
      }
      try StoreFiles.refuseWhileInUse(place)
      var restoration = try counted(path)
      let fresh = place + ".restoring-\(getpid())"
      let backup = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
      defer { try? backup.close() }
      try DatabaseCopy.make(of: backup, at: fresh, replacing: true)
      restoration.setAside = try StoreFiles.put(
        fresh, inPlaceOf: place, settingAsideAs: "before-restore", at: now)
      return restoration
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Looks a backup over: ours, not newer than this program, with something in it.
  private static func counted(_ path: String) throws -> Restoration {
    let found = try Schema.look(path: path, Schema.migrator, DatabaseCopy.writing)
    guard !found.applied.isEmpty else { throw StoreError.notACache(path: path) }
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
    defer { try? queue.close() }
    return try queue.read { db in
      Restoration(
        feeds: try db.value("SELECT count(*) FROM feed WHERE removedAt IS NULL") ?? 0,
        articles: try db.first("SELECT total FROM totalCounter") { $0.count("total") } ?? 0)
    }
  }
}

/// A whole database as one file.
enum DatabaseCopy {
  static let reading: Configuration = {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.defend() }
    return configuration
  }()

  static let writing: Configuration = {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.defend() }
    return configuration
  }()

  /// How a copy is checked.
  enum Check: String {
    /// Tables, indexes, and that these agree.
    case everything = "integrity_check"
    /// Tables and indexes each for itself: seven times as fast.
    case structure = "quick_check"
  }

  /// Copies page by page from one snapshot (sqlite.org/backup.html), checks the copy, and only then
  /// gives it its name.
  static func make(
    of source: some DatabaseReader, at path: String, replacing: Bool, checking: Check = .everything
  ) throws {
    guard replacing || access(path, F_OK) != 0 else { throw StoreError.exists(path: path) }
    let partial = "\(path).partial-\(getpid())"
    unlink(partial)
    try StoreFiles.make(partial)
    defer { unlink(partial) }
    do {
      let copy = try DatabaseQueue(path: partial, configuration: writing)
      defer { try? copy.close() }
      try source.backup(to: copy)
      // One file: no log is needed beside it until it is a cache again.
      try copy.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
        let problems = try String.fetchAll(db, sql: "PRAGMA \(checking.rawValue)(1)")
        guard problems == ["ok"] else {
          throw StoreError.corrupt(detail: problems.first.map { .said($0) } ?? .noResult)
        }
      }
    } catch {
      throw StoreError(error, path: path)
    }
    try StoreFiles.name(partial, path, replacing: replacing)
  }
}
