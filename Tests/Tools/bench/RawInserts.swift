import FeedModel
import Foundation
import GRDBSQLite

/// The lower bound of a merge: writes rows of new articles by SQLite's C API alone, into the
/// store's own schema with its indexes and triggers, without checking for known articles.
final class RawInserts {
  struct Failure: Error { var message: String }

  private var database: OpaquePointer?
  private var statements: [OpaquePointer?] = []
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(path: String) throws {
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw failure }
    try run("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    try run("INSERT INTO feed (id, url, position, addedAt) VALUES (1, 'x', 0, 0)")
    for sql in [
      """
      INSERT INTO article (feedID, identity, fingerprint, title, author, url, firstSeenAt,
        hasEnclosure) VALUES (1, ?, ?, ?, ?, ?, 0, 0)
      """,
      """
      INSERT INTO articleBody (articleID, itemID, html, authors, tags, publishedAt)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      "INSERT INTO articleStatus (articleID, feedID, sortDate) VALUES (?, 1, ?)",
    ] {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
        throw failure
      }
      statements.append(statement)
    }
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  func insert(_ items: [ParsedItem], inTransactionsOf size: Int) throws {
    for start in stride(from: 0, to: items.count, by: size) {
      try run("BEGIN IMMEDIATE")
      for item in items[start..<min(items.count, start + size)] { try insert(item) }
      try run("COMMIT")
    }
  }

  private func insert(_ item: ParsedItem) throws {
    let date = Int64((item.datePublished?.timeIntervalSince1970 ?? 0) * 1_000)
    let hash = Int64(truncatingIfNeeded: item.id.hashValue)
    let author = item.authors.first?.name ?? ""
    try step(
      0,
      [.number(hash), .number(hash), .text(item.title ?? ""), .text(author), .text(item.url ?? "")])
    let id = sqlite3_last_insert_rowid(database)
    try step(
      1,
      [
        .number(id), .text(item.id), .text(item.contentHTML ?? ""), .text("[\"\(author)\",\"\"]"),
        .text("[\"\(item.tags.first ?? "")\"]"), .number(date),
      ])
    try step(2, [.number(id), .number(date)])
  }

  private enum Value {
    case number(Int64)
    case text(String)
  }

  private func step(_ index: Int, _ values: [Value]) throws {
    let statement = statements[index]
    for (place, value) in values.enumerated() {
      switch value {
      case .number(let number): sqlite3_bind_int64(statement, Int32(place + 1), number)
      case .text(let text):
        sqlite3_bind_text(statement, Int32(place + 1), text, Int32(text.utf8.count), Self.copied)
      }
    }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
    sqlite3_reset(statement)
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(database))) }
}
