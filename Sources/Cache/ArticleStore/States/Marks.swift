import Foundation
package import GRDB

// Marks of articles: read, starred, later. Each call has one entry in the journal, of exactly its
// changes.

extension StateCache {
  /// Gives articles a mark, or removes it. An article is marked read with its duplicates, as if the
  /// user had marked each; other marks concern it alone.
  /// - Parameters:
  ///   - kind: the kind of the entry, if it is not the mark's; `undo` skips `.open`.
  ///   - sparesKept: true to leave articles unread that are kept unread.
  @discardableResult
  public func set(
    _ mark: Mark, _ ids: [ArticleID], _ isSet: Bool, as kind: JournalEntry.Kind? = nil,
    sparesKept: Bool = false
  ) async throws(StoreError) -> MarkedArticles {
    guard !ids.isEmpty else { return MarkedArticles(articles: 0) }
    return try await database.change { transaction in
      try Marks.record(
        mark, isSet, ids.map(\.rawValue), as: kind, sparesKept: sparesKept, transaction)
    }
  }

  /// Marks exactly the articles of a part of the list read, up to `query.asOf`, except those kept
  /// unread and those of high priority within it.
  @discardableResult
  public func markShownRead(
    _ query: ArticleQuery, _ part: ListPart = .all
  ) async throws(StoreError) -> MarkedArticles {
    let midnight = database.midnight
    return try await database.change { transaction in
      let db = transaction.db
      let list = try ArticleList(query, db, midnight: midnight)
      let isWhole = part == .all
      let unread = try list.unread(part, with: isWhole ? list.keptKeys(db) : [], db)
      let copies = try isWhole ? list.unreadDuplicates(db) : []
      var marked = try Marks.record(
        .read, true, unread.ids.map(\.rawValue),
        with: SparedArticles.removing(from: copies, in: query.scope, db), as: .markAllRead,
        of: Self.subject(query.scope, db), sparesKept: true, transaction)
      (marked.kept, marked.spared) = (unread.kept, unread.spared)
      return marked
    }
  }

  private static func subject(_ scope: ArticleQuery.Scope, _ db: Database) throws -> String? {
    switch scope {
    case .all, .exceptQuiet, .smart: nil
    case .tag(let tag): tag
    case .feed(let feed):
      try db.value("SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ?", [feed.rawValue])
    case .folder(let folder):
      try db.value("SELECT title FROM folder WHERE id = ?", [folder.rawValue])
    }
  }
}

/// Writes marks. What follows from one, in order: its rows, with their counters, by `write`; what
/// participants do, by `set`; the entry in the journal, which the shared folder gets too, by
/// `record`. Without an entry, `note` tells observers of events.
package enum Marks {
  /// Number of transactions that are kept; listeners read them soon after.
  private static let mostChanges: Int64 = 1_000

  /// Marks articles as the user asks: those marked read with their duplicates.
  /// - Parameters:
  ///   - copies: articles to mark too, which count as duplicates.
  ///   - kind: the kind of the entry, if it is not the mark's; it then has this subject.
  ///   - sparesKept: true to leave articles unread that are kept unread.
  ///   - images: other changes of the entry.
  package static func record(
    _ mark: Mark, _ isSet: Bool, _ ids: [Int64], with copies: [Int64] = [],
    as kind: JournalEntry.Kind? = nil, of subject: @autoclosure () throws -> String? = nil,
    sparesKept: Bool = false, adding images: [RowImages] = [], _ transaction: Transaction
  ) throws -> MarkedArticles {
    let db = transaction.db
    var all = try sparesKept ? KeptUnread.removing(from: ids + copies, db) : ids + copies
    if mark == .read, isSet { all = try Deduplication.together(all, isSubscribed: true, db) }
    if sparesKept { all = try KeptUnread.removing(from: all, db) }
    let marked = try set(mark, isSet, all, transaction)
    if mark == .read, !isSet {
      try db.run(
        """
        UPDATE articleStatus SET isKeptUnread = 1
        WHERE articleID IN (SELECT value FROM json_each(?)) AND isRead = 0
        """, [SQLText.json(ids)])
    }
    try Journal.add(
      db, kind ?? mark.kind(isSet), marked + images,
      subject: kind == nil ? Journal.title(of: (marked + images).flatMap(\.keys), db) : subject(),
      at: transaction.now)
    let changed = Set(marked.flatMap(\.keys))
    let duplicates = changed.subtracting(ids).count
    return MarkedArticles(articles: changed.count - duplicates, duplicates: duplicates)
  }

  /// Gives articles a mark, or removes it, and tells the participants.
  /// - Parameter time: see `write`.
  /// - Returns: the images of all changes, for the journal.
  package static func set(
    _ mark: Mark, _ isSet: Bool, _ ids: [Int64], at time: Int64? = nil, _ transaction: Transaction
  ) throws -> [RowImages] {
    let images = try write(mark, isSet, ids, at: time ?? transaction.at, transaction.db)
    let changed = images.flatMap(\.keys)
    guard !changed.isEmpty else { return [] }
    return try transaction.participants.marks.reduce(into: images) { images, participant in
      images += try participant.mark(mark, isSet, changed, in: transaction)
    }
  }

  /// Writes the rows of a mark that came from a server, or of a new article.
  /// - Parameter time: when the articles were kept for later, in milliseconds since 1970. Those
  ///   that are kept already keep their time.
  /// - Returns: the images of the changes.
  @discardableResult
  package static func write(
    _ mark: Mark, _ isSet: Bool, _ ids: [Int64], at time: Int64 = 1, _ db: Database
  ) throws -> [RowImages] {
    let column = mark.rawValue
    let value: Int64? = mark == .later ? (isSet ? time : nil) : (isSet ? 1 : 0)
    let isMarked = mark == .later ? "laterAt IS NOT NULL" : column
    let changing = "articleID IN (SELECT value FROM json_each(?)) AND (\(isMarked)) <> ?"
    let arguments: StatementArguments = [SQLText.json(ids), isSet]
    var images: [RowImages] = []
    if mark == .later, !isSet {
      let rows: [(id: Int64, time: Int64)] = try db.all(
        "SELECT articleID, laterAt FROM articleStatus WHERE \(changing)", arguments
      ) { ($0["articleID"], $0["laterAt"]) }
      images = Dictionary(grouping: rows, by: \.time).map { time, rows in
        RowImages(column, of: rows.map(\.id), time, nil)
      }
    } else {
      let changed: [Int64] = try db.values(
        "SELECT articleID FROM articleStatus WHERE \(changing)", arguments)
      let before: Int64? = mark == .later ? nil : (isSet ? 0 : 1)
      if !changed.isEmpty { images = [RowImages(column, of: changed, before, value)] }
    }
    // An article that became read, however that happened, is no longer kept unread.
    let also = mark == .read && isSet ? ", isKeptUnread = 0" : ""
    for id in images.flatMap(\.keys) {
      try db.run("UPDATE articleStatus SET \(column) = ?\(also) WHERE articleID = ?", [value, id])
    }
    return images
  }

  /// Records changes that have no journal entry, for observers of events.
  package static func note(_ articles: some Sequence<Int64>, _ db: Database) throws {
    let ids = IDList.data(Array(articles))
    guard !ids.isEmpty else { return }
    try db.run("INSERT INTO statusChange (articles) VALUES (?)", [ids])
    try db.run("DELETE FROM statusChange WHERE id <= ?", [db.lastInsertedRowID - mostChanges])
  }
}

extension Mark {
  package func kind(_ isSet: Bool) -> JournalEntry.Kind {
    switch self {
    case .read: isSet ? .markRead : .markUnread
    case .starred: isSet ? .star : .unstar
    case .later: isSet ? .later : .notLater
    }
  }
}

/// Articles that the user marked unread by hand. Marking a list, a part of a list or passed rows
/// read leaves them unread; so do rules. An article that the user marks read individually is no
/// longer kept unread.
package enum KeptUnread {
  /// Returns articles without those that are kept unread, in the same order.
  package static func removing(from ids: [Int64], _ db: Database) throws -> [Int64] {
    let kept: Set<Int64> = try Set(
      db.values("SELECT articleID FROM articleStatus WHERE isKeptUnread = 1"))
    return kept.isEmpty ? ids : ids.filter { !kept.contains($0) }
  }
}

package enum Hiding {
  /// Hides articles for a reason, or lists them again if no other reason is left.
  /// - Returns: the articles that changed.
  @discardableResult
  package static func hide(
    _ ids: [Int64], _ isHidden: Bool = true, for reason: Int64, _ db: Database
  ) throws -> [Int64] {
    try db.values(
      """
      UPDATE articleStatus SET isHidden = iif(?3, isHidden | ?1, isHidden & ~?1)
      WHERE articleID IN (SELECT value FROM json_each(?2)) AND (isHidden & ?1 = 0) = ?3
      RETURNING articleID
      """, [reason, SQLText.json(ids), isHidden])
  }
}
