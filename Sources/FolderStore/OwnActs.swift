import ArticleStore
import CacheCore
import FolderSync
import Foundation
import GRDB

/// The shared folder in a transaction of this device.
struct OpenFolder {
  let transaction: Transaction
  var row: FolderRow
  var db: Database { transaction.db }
  var registers: RegisterRows { RegisterRows(db: db) }

  /// Returns `nil` if this device shares no folder.
  init?(_ transaction: Transaction) throws {
    guard let row = try FolderRow.find(transaction.db) else { return nil }
    (self.transaction, self.row) = (transaction, row)
  }

  // MARK: Own entries

  /// Writes the entry of an act. Values that may not travel are not written.
  /// - Parameter current: the time of the newest state that it replaces.
  mutating func act(
    _ field: Field, of subject: Entry.Subject, _ value: JSONValue,
    rest: [String: JSONValue] = [:], at milliseconds: Int64, after current: Timestamp?
  ) throws {
    let entry = try? row.author.act(
      field, of: subject, value, rest: rest, wall: milliseconds, after: current)
    if let entry { try add(entry) }
  }

  /// Stores an own entry that has its number.
  mutating func add(_ entry: Entry) throws {
    _ = try registers.merge(entry, from: row.device, &row.digest)
    try db.run(
      "INSERT INTO folderEntry (number, line) VALUES (?, ?)",
      [Int64(bitPattern: entry.number), Data(entry.line)])
  }

  /// Writes the entries of all acts since the last call. Every transaction that applies entries of
  /// other devices does this first, so that no act is taken for the state before it.
  /// - Parameter comparesFeeds: true to look also for changes of feeds, searches and rules that no
  ///   journal entry records: by commands, redirects and lists.
  mutating func seal(comparesFeeds: Bool) throws {
    let acts: [(id: Int64, at: Int64, isUndo: Bool, images: [RowImages])] = try db.all(
      "SELECT id, at, isUndo, images FROM folderAct ORDER BY id"
    ) { ($0["id"], $0["at"], $0["isUndo"], Journal.images($0)) }
    let compared: Set = ["feed", "folder", "savedSearch", "rule"]
    let arranged = acts.last { $0.images.contains { compared.contains($0.table) } }
    if comparesFeeds || arranged != nil {
      var feeds = try FeedStates(transaction, registers.feedState())
      try feeds.sealDifferences(at: arranged?.at ?? transaction.at, &self)
      let removed = acts.flatMap { act in
        act.images.filter { (act.isUndo ? $0.before : $0.after) == nil }.flatMap { image in
          image.keys.map { (image.table, $0) }
        }
      }
      try ObjectStates(transaction, feeds.state).sealDifferences(
        removed: removed, at: arranged?.at ?? transaction.at, &self)
      let moved = acts.flatMap { act in
        act.images.filter { $0.table == "feed" && $0.after?.keys.contains("position") == true }
          .flatMap(\.keys)
      }
      if !moved.isEmpty {
        try FolderOrders(transaction, feeds.state).seal(
          moved, at: arranged?.at ?? transaction.at, &self)
      }
      row.compared = try FolderRow.subscriptions(db)
    }
    for act in acts {
      for image in act.images {
        for (field, value) in Self.marks(image, isUndo: act.isUndo) {
          try seal(field, value, of: image.keys, at: act.at)
        }
      }
    }
    if let last = acts.last { try db.run("DELETE FROM folderAct WHERE id <= ?", [last.id]) }
  }

  /// Returns the fields of articles that an image changes.
  private static func marks(_ image: RowImages, isUndo: Bool) -> [(Field, Bool)] {
    let (from, to) = isUndo ? (image.after, image.before) : (image.before, image.after)
    switch image.table {
    case "articleTag":
      return ((to ?? from)?["tag"] ?? nil).map { [(.tag($0), to != nil)] } ?? []
    case "articleStatus":
      func number(_ values: RowImages.Values?, _ column: String) -> Int64? {
        (values?[column] ?? nil).flatMap { Int64($0) }
      }
      var marks: [(Field, Bool)] = []
      if let value = number(to, ArticleMark.read.rawValue) { marks.append((.read, value == 1)) }
      if let value = number(to, ArticleMark.starred.rawValue) {
        marks.append((.starred, value == 1))
      }
      if let new = number(to, "isHidden"), let old = number(from, "isHidden"),
        (new ^ old) & HiddenReason.deleted != 0
      {
        marks.append((.deleted, new & HiddenReason.deleted != 0))
      }
      return marks
    default: return []
    }
  }

  private mutating func seal(
    _ field: Field, _ value: Bool, of articles: [Int64], at milliseconds: Int64
  ) throws {
    var order: [FeedKey] = []
    var found: [FeedKey: [ArticleIdentity]] = [:]
    var current: [FeedKey: Int64] = [:]
    for id in articles {
      let row: (key: Int64, feed: Int64, identity: Int64, link: Int64)? = try db.first(
        """
        SELECT k.key, a.feedID, a.identity, ifnull(a.link, 1) AS link
        FROM article a JOIN folderFeed k ON k.feedID = a.feedID AND k.place = 0 WHERE a.id = ?
        """, [id]
      ) { ($0["key"], $0["feedID"], $0["identity"], $0["link"]) }
      guard let row else { continue }
      let key = FeedKey(rawValue: UInt64(bitPattern: row.key))
      let link = Link.isStory(row.link) ? row.link : nil
      let time: Int64? = try db.value(
        """
        SELECT max(time) FROM (
          SELECT time FROM folderRegister WHERE kind = 2 AND field = ?1 AND item = ?2
            AND subject IN (SELECT key FROM folderFeed WHERE feedID = ?4)
          UNION ALL SELECT time FROM folderRegister WHERE kind = 2 AND field = ?1 AND link = ?3
            AND subject IN (SELECT key FROM folderFeed WHERE feedID = ?4))
        """, [field.rawValue, row.identity, link, row.feed])
      if found[key] == nil { order.append(key) }
      found[key, default: []].append(
        ArticleIdentity(
          item: UInt64(bitPattern: row.identity), link: link.map(UInt64.init(bitPattern:))))
      if let time { current[key] = max(time, current[key] ?? 0) }
    }
    for key in order {
      let after = current[key].map { Timestamp(rawValue: UInt64(bitPattern: $0)) }
      let all = found[key] ?? []
      for start in stride(from: 0, to: all.count, by: Limits.articles) {
        let part = Array(all[start..<min(all.count, start + Limits.articles)])
        try act(
          field, of: .articles(key, part), .integer(value ? 1 : 0), at: milliseconds, after: after)
      }
    }
  }
}
