public import Foundation
import GRDB

extension CacheFile {
  /// User data that cannot be fetched again from a server.
  public enum Kind: Sendable, CaseIterable {
    /// Stars and read marks are columns of `articleStatus`; the other kinds are rows of a table.
    case subscriptions, folders, stars, readMarks, tags, notes, rules, searches, outbox
    /// Reading positions, the membership in a shared folder, and the states in that folder.
    case positions, membership, sharedStates
  }

  /// Numbers of rows of a kind that a repair saved and lost.
  public struct Outcome: Sendable, Equatable {
    public var saved: Int
    /// Number of lost rows; `nil` if unknown.
    public var lost: Int?
  }

  /// The result of a repair.
  public struct Recovery: Sendable, Equatable {
    public var feeds: Int
    /// The number of articles that are not hidden.
    public var articles: Int
    public var outcomes: [Kind: Outcome]
    /// The number of articles by the damaged file's counter; `nil` if it cannot be read.
    public var articlesBefore: Int?
    /// Articles whose text could not be read.
    public var withoutText: Int
    /// Articles whose state could not be read. They are unread.
    public var withoutStatus: Int
    /// Feeds whose address could not be read. Their articles are listed under a placeholder.
    public var nameless = 0
    /// Feeds of which only the address and folder could be read, not the user's name and settings.
    public var withoutSettings = 0
    /// Feeds whose folder could not be read, which are now at the top level.
    public var withoutFolder = 0
    /// Unreadable places in the file.
    public var gaps: Int
    /// Entries of the file's schema that Weir does not know.
    public var foreign: [String]
    /// New path of the damaged file.
    public var setAside: String
  }

  /// Rebuilds a damaged cache in a new file, which then replaces it. The damaged file is kept.
  /// - Throws: `.inUse` while another process has the cache open; `.newerSchema`; `.corrupt` if
  ///   nothing at all can be read. Nothing has changed then.
  public static func recover(
    directory: String, now: Date = Date()
  ) throws(StoreError) -> Recovery {
    let place = try StoreFiles.prepare(directory: directory)
    do {
      try StoreFiles.refuseWhileInUse(place)
      let fresh = place + ".partial-\(getpid())"
      defer { StoreFiles.remove(fresh) }
      var recovery = try takeOver(place, into: fresh)
      recovery.setAside =
        try StoreFiles.alone(with: place) {
          try StoreFiles.put(fresh, inPlaceOf: place, settingAsideAs: "damaged", at: now)
        } ?? ""
      return recovery
    } catch {
      throw StoreError(error, path: place)
    }
  }

  /// Creates a new database with the rows of another file that is damaged or whose schema is not
  /// trusted. The schema of that file is never copied.
  /// - Throws: `.newerSchema`; `.corrupt` if nothing can be read.
  static func takeOver(_ source: String, into fresh: String) throws -> Recovery {
    StoreFiles.remove(fresh)
    try StoreFiles.make(fresh)
    let queue = try Schema.create(at: fresh)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      let known = try Schema.trees(db)
      guard let file = PageFile(path: source) else {
        throw StoreError.corrupt(detail: .nothingReadable)
      }
      let statements = known.statements
      let scan = try PageScan(file, known: known.trees) { own in
        // The file's own definitions come first: an earlier version had other columns.
        try SchemaLayouts(own + statements).trees
      }
      if let unknown = Migrator().unknown(in: scan.migrations) {
        throw StoreError.newerSchema(found: unknown)
      }
      // Rows refer to rows that may be lost. `Takeover` removes such references at the end.
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      var recovery: Recovery?
      try db.inTransaction {
        let found = try Takeover(db: db, scan: scan).run()
        let isEmpty =
          found.feeds + found.articles + found.outcomes.values.reduce(0, { $0 + $1.saved }) == 0
        if isEmpty, found.gaps > 0 || scan.catalogue.isEmpty {
          throw StoreError.corrupt(detail: .nothingReadable)
        }
        recovery = found
        return .commit
      }
      guard var recovery else { throw StoreError.other(detail: .noResult) }
      recovery.foreign = try Schema.foreignTitles(in: scan.catalogue, after: scan.migrations)
      return recovery
    }
  }
}
