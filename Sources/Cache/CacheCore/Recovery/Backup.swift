public import Foundation
package import GRDB

// Backups of the whole cache and their restoration. A copy is one file without a log, checked
// before it gets its name.

/// The file of the cache: backups, restoration and repair.
public struct CacheFile: Sendable {
  package let database: CacheDatabase

  package init(_ database: CacheDatabase) { self.database = database }

  /// Copies the cache as it is now into one file that only the user can read, while others read and
  /// write. The duration grows with the size of the file. If the file was removed or replaced since
  /// it was opened, the open file is copied.
  /// - Parameter replaces: true if an existing file is replaced once the new one is complete.
  /// - Throws: `.exists`; `.cannotOpen` if `path` is that of the cache itself.
  public func backup(to path: String, replacing replaces: Bool = false) throws(StoreError) {
    do {
      guard !StoreFiles.isSameFile(path, database.pool.path) else {
        throw StoreError.cannotOpen(path: path, detail: .sameFile)
      }
      StoreFiles.removeRemains(
        of: (path as NSString).lastPathComponent, in: FilePath.folder(of: path),
        at: database.now())
      guard database.isInPlace else {
        // New connections of the pool could not open the file, because it has no name.
        try database.pool.writeWithoutTransaction { db in
          try DatabaseCopy.make(at: path, replacing: replaces) { try db.backup(to: $0) }
        }
        return
      }
      try DatabaseCopy.make(of: database.pool, at: path, replacing: replaces)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Returns the problems that SQLite's integrity and foreign key checks find in the whole file.
  public func integrityProblems() throws(StoreError) -> [StoreError.Detail] {
    try database.read { db in
      let found = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
      let tables = Set(try String.fetchAll(db, sql: "PRAGMA foreign_key_check"))
      return (found == ["ok"] ? [] : found.map { .said($0) })
        + tables.sorted().map { .missingReferences(table: $0) }
    }
  }

  /// The result of `restore`.
  public struct Restoration: Sendable, Equatable {
    public var feeds: Int
    /// Excludes hidden articles.
    public var articles: Int
    /// New path of the former cache; `nil` if there was none.
    public var setAside: String?
    /// Entries of the backup's schema that Weir did not write, which were left out.
    public var foreign: [String] = []
    /// Programs, files and request settings that were left out.
    public var leftOut: [String] = []
  }

  /// The treatment of programs that a backup contains.
  public enum Programs: Sendable {
    /// Throws `.programs` with their names.
    case ask
    /// Keeps them: the user has said that the backup is their own.
    case accept
    /// Removes feeds and settings, and disables rules.
    case leaveOut
  }

  /// Replaces the cache by a backup. The backup stays unchanged, and the former cache is kept under
  /// another name. A backup with an older schema is migrated when it is next opened. If the schema
  /// is not Weir's, only the rows are copied.
  /// - Throws: `.inUse` while another process has the cache open; `.notACache`, `.newerSchema`,
  ///   `.corrupt` and `.programs` if the backup cannot be used. Nothing has changed then.
  public static func restore(
    from path: String, directory: String, programs: Programs = .accept, now: Date = Date()
  ) throws(StoreError) -> Restoration {
    let place = try StoreFiles.place(in: directory)
    do {
      try StoreFiles.requireRegularFile(path)
      guard !StoreFiles.isSameFile(path, place) else {
        throw StoreError.cannotOpen(path: path, detail: .sameFile)
      }
      try StoreFiles.refuseWhileInUse(place)
      let fresh = place + ".partial-\(getpid())"
      defer { StoreFiles.remove(fresh) }
      let foreign = try copyBackup(path, to: fresh)
      var restoration = try Restoration(foreign: foreign, reading: fresh)
      let brought = try BroughtPrograms(in: fresh)
      if !brought.names.isEmpty, programs != .accept {
        guard programs == .leaveOut else { throw StoreError.programs(brought.names) }
        try brought.remove(from: fresh)
        restoration = try Restoration(foreign: foreign, reading: fresh)
        restoration.leftOut = brought.names
      } else {
        try AllowedPrograms(directory: directory).allow(brought.commands)
      }
      restoration.setAside = try StoreFiles.alone(with: place) {
        try StoreFiles.put(fresh, inPlaceOf: place, settingAsideAs: "before-restore", at: now)
      }
      return restoration
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies a backup page by page if its schema is Weir's, otherwise row by row.
  /// - Returns: the entries of its schema that Weir did not write.
  private static func copyBackup(_ path: String, to fresh: String) throws -> [String] {
    do {
      switch try Schema.examine(path: path, Migrator(), DatabaseCopy.writing).state {
      case .empty: throw StoreError.notACache(path: path)
      case .current, .older: break
      }
    } catch StoreError.foreignSchema(let found) {
      let recovery = try takeOver(path, into: fresh)
      guard recovery.gaps == 0 else { throw StoreError.corrupt(detail: .invalidSchema) }
      return recovery.foreign.isEmpty ? found : recovery.foreign
    }
    let backup = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
    defer { try? backup.close() }
    try DatabaseCopy.make(of: backup, at: fresh, replacing: true)
    return []
  }
}

extension CacheFile.Restoration {
  fileprivate init(foreign: [String], reading path: String) throws {
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
    defer { try? queue.close() }
    self = try queue.read { db in
      Self(
        feeds: try db.value("SELECT count(*) FROM feed WHERE removedAt IS NULL") ?? 0,
        articles: try db.first("SELECT total FROM totalCounter") { $0.count("total") } ?? 0,
        foreign: foreign)
    }
  }
}

/// Feeds, accounts and rules of a database that run programs, read files of this machine or change
/// requests. Only the user may add them, as with an imported list of subscriptions.
private struct BroughtPrograms {
  private static let requests = ["userAgent", "proxy", "headers", "cookies"]

  private(set) var names: [String] = []
  /// Commands as `AllowedPrograms` stores them.
  private(set) var commands: [[String]] = []
  private var feeds: [Int64] = []
  private var rules: [Int64] = []

  init(in path: String) throws {
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.reading)
    defer { try? queue.close() }
    try queue.read { db in
      for row in try Row.fetchAll(db, sql: "SELECT * FROM feed") {
        let url: String = row["url"]
        if LocalSource.claims(url) {
          feeds.append(row["id"] as Int64)
          names.append(url)
          commands += [AllowedPrograms.command(of: url)].compactMap(\.self)
        }
        for column in Self.requests
        where row.hasColumn(column) && !(row[column] as String? ?? "").isEmpty {
          names.append("\(column) of \(WebAddress.withoutUserInfo(url))")
        }
      }
      if try db.tableExists("account") {
        let accounts = try Row.fetchAll(
          db,
          sql: """
            SELECT 'password-command of ' || title || ': ' || passwordCommand AS name,
              passwordCommand FROM account WHERE passwordCommand IS NOT NULL
            """)
        for row in accounts {
          names.append(row["name"])
          commands.append(
            AllowedPrograms.command(ofPassword: StringList.strings(row["passwordCommand"])))
        }
      }
      guard try db.tableExists("rule") else { return }
      for row in try Row.fetchAll(db, sql: "SELECT id, name, actions FROM rule") {
        let programs = (row["actions"] as String).split(separator: " ").filter {
          $0.hasPrefix("run:") || $0 == "notify"
        }
        guard !programs.isEmpty else { continue }
        rules.append(row["id"] as Int64)
        names.append("rule \(row["name"] as String): \(programs.joined(separator: " "))")
      }
    }
  }

  func remove(from path: String) throws {
    let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.writing)
    defer { try? queue.close() }
    try queue.write { db in
      for id in feeds { try db.run("DELETE FROM feed WHERE id = ?", [id]) }
      let columns = Set(try db.columns(in: "feed").map(\.name))
      for column in Self.requests where columns.contains(column) {
        try db.run("UPDATE feed SET \(column) = NULL")
      }
      if try db.tableExists("account") { try db.run("UPDATE account SET passwordCommand = NULL") }
      for id in rules { try db.run("UPDATE rule SET isEnabled = 0 WHERE id = ?", [id]) }
      if try db.tableExists("ruleProgram") { try db.run("DELETE FROM ruleProgram") }
    }
  }
}

/// A copy of a whole database in one file.
package enum DatabaseCopy {
  package static let reading: Configuration = {
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

  /// The check that SQLite runs on a copy.
  package enum Check: String {
    /// Checks tables, indexes, and that they agree.
    case everything = "integrity_check"
    /// Checks tables and indexes separately, which is seven times as fast.
    case structure = "quick_check"
  }

  /// Copies page by page from one snapshot (sqlite.org/backup.html), checks the copy, and then
  /// renames it to `path`.
  package static func make(
    of source: some DatabaseReader, at path: String, replacing: Bool, checking: Check = .everything
  ) throws {
    try make(at: path, replacing: replacing, checking: checking) { copy in
      try source.read { try $0.backup(to: copy) }
    }
  }

  package static func make(
    at path: String, replacing: Bool, checking: Check = .everything,
    filling fill: (Database) throws -> Void
  ) throws {
    guard replacing || access(path, F_OK) != 0 else { throw StoreError.exists(path: path) }
    let partial = "\(path).partial-\(getpid())"
    StoreFiles.remove(partial)
    try StoreFiles.make(partial)
    defer { StoreFiles.remove(partial) }
    do {
      let copy = try DatabaseQueue(path: partial, configuration: writing)
      defer { try? copy.close() }
      try copy.writeWithoutTransaction(fill)
      // A copy needs no log beside it until it becomes a cache again.
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
