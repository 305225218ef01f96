import Foundation
import GRDB

/// The progress of the search index.
public struct SearchProgress: Sendable, Equatable {
  public var indexedTo: ArticleID
  /// The newest article; 0 if there is none.
  public var newest: ArticleID

  public var isComplete: Bool { indexedTo >= newest }
  /// Percentage from 0 to 100; 100 only if complete.
  public var percent: Int {
    guard !isComplete, newest.rawValue > 0 else { return 100 }
    return min(99, Int(indexedTo.rawValue * 100 / newest.rawValue))
  }
}

extension SearchCache {
  /// Returns the present progress; it changes while a `SearchIndexer` works.
  public func searchProgress() throws(StoreError) -> SearchProgress {
    try database.read { db in
      SearchProgress(
        indexedTo: ArticleID(rawValue: try SearchIndex.doneTo(db)),
        newest: ArticleID(rawValue: try db.value("SELECT max(id) FROM article") ?? 0))
    }
  }

  /// Returns true if articles were added, changed or removed since the index was updated.
  func isIndexBehind() throws(StoreError) -> Bool {
    try database.value(
      """
      SELECT EXISTS (SELECT 1 FROM searchStale) OR EXISTS (
        SELECT 1 FROM searchDocument WHERE articleID > (SELECT doneTo FROM searchState))
      """) ?? false
  }

  /// Runs two small transactions: one adds to the index, one merges it. The first ends after
  /// `duration`, or if another write of this process waits; a killed process loses only this step.
  /// - Returns: `false` if nothing is left to do.
  public func indexSome(within duration: Duration) async throws(StoreError) -> Bool {
    let plainText = database.options.plainText
    let waiting = database.core.waiting
    let isLeft = try await database.write(.engine) { db in
      let end = ContinuousClock.now + duration
      return try SearchIndex.step(db, plainText) { ContinuousClock.now >= end || waiting.areThere }
    }
    let hasMerged = try await database.write(.engine) { db in try SearchIndex.mergeSome(db) }
    return isLeft || hasMerged
  }

  /// Indexes everything at once and without pauses, for a command that searches.
  /// - Returns: `false` if time ran out.
  @discardableResult
  public func catchUpIndex(within duration: Duration) async throws(StoreError) -> Bool {
    let end = ContinuousClock.now + duration
    while try await indexSome(within: .milliseconds(50)) {
      if ContinuousClock.now >= end || Task.isCancelled { return false }
    }
    return true
  }
}

enum SearchIndex {
  static func doneTo(_ db: Database) throws -> Int64 {
    try db.value("SELECT doneTo FROM searchState") ?? 0
  }

  /// Removes changed and deleted articles from the index, then adds new ones, until `isEnough`.
  /// - Returns: true if anything may be left.
  static func step(
    _ db: Database, _ plainText: (String) -> [UInt8], until isEnough: () -> Bool
  ) throws -> Bool {
    let insertion = try DirectStatement(
      "INSERT INTO searchIndex (rowid, title, author, body, tags) VALUES (?, ?, ?, ?, ?)", db)
    while let id = try replaceStale(insertion, db, plainText) {
      try db.run("DELETE FROM searchStale WHERE articleID = ?", [id])
      if isEnough() { return true }
    }
    let from = try doneTo(db)
    var last = from
    var isLeft = false
    let new = try DirectStatement(
      """
      SELECT \(SearchDocument.columns) FROM searchDocument
      WHERE articleID > ? ORDER BY articleID
      """, db)
    try new.bind(from, at: 1)
    try new.readRows { row in
      if last > from, isEnough() {
        isLeft = true
        return false
      }
      let id = row.integer(0)
      try SearchDocument(row, plainText).run(insertion, id)
      last = id
      return true
    }
    if last > from { try db.run("UPDATE searchState SET doneTo = ?", [last]) }
    return isLeft
  }

  /// Pages of 4 kB that one merge step writes, which takes some milliseconds.
  private static let pagesAtOnce = 64

  /// Returns `false` if there is nothing to merge.
  static func mergeSome(_ db: Database) throws -> Bool {
    let before = db.totalChangesCount
    try db.run("INSERT INTO searchIndex (searchIndex, rank) VALUES ('merge', ?)", [pagesAtOnce])
    // The statement itself counts as one change (sqlite.org/fts5.html#the_merge_command).
    return db.totalChangesCount - before > 1
  }

  /// Replaces an indexed text that is out of date. Returns its article; `nil` if there is none.
  private static func replaceStale(
    _ insertion: DirectStatement, _ db: Database, _ plainText: (String) -> [UInt8]
  ) throws -> Int64? {
    var old: (id: Int64, document: SearchDocument)?
    try DirectStatement(
      "SELECT \(SearchDocument.columns) FROM searchStale ORDER BY articleID LIMIT 1", db
    ).forEachRow { old = ($0.integer(0), SearchDocument($0, plainText)) }
    guard let (id, document) = old else { return nil }
    let deletion = try DirectStatement(
      """
      INSERT INTO searchIndex (searchIndex, rowid, title, author, body, tags)
      VALUES ('delete', ?, ?, ?, ?, ?)
      """, db)
    try document.run(deletion, id)
    let new = try DirectStatement(
      "SELECT \(SearchDocument.columns) FROM searchDocument WHERE articleID = ?", db)
    try new.bind(id, at: 1)
    try new.forEachRow { try SearchDocument($0, plainText).run(insertion, id) }
    return id
  }
}
