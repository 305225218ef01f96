import Foundation
import GRDB

/// Applies the newest values of the shared folder to articles.
struct ArticleStates {
  private let transaction: Transaction
  private var db: Database { transaction.db }
  private var articles: Set<Int64> = []
  private var feeds: [FeedKey: Int64?] = [:]
  /// The changes that `apply` made, for the journal.
  private(set) var images: [RowImages] = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  // MARK: Choosing

  /// Adds an article that a changed register may mean: the one with its item, else the only one of
  /// the feed with its link. Articles that are not here get their states when they arrive.
  mutating func add(_ feed: FeedKey, _ article: ArticleIdentity) throws {
    guard let feed = try self.feed(boundTo: feed) else { return }
    let known: Int64? = try db.value(
      "SELECT id FROM article WHERE feedID = ? AND identity = ?",
      [feed, Int64(bitPattern: article.item)])
    if let known { return add(article: known) }
    guard let link = article.link else { return }
    let others: [Int64] = try db.values(
      "SELECT id FROM article WHERE link = ? AND feedID = ? LIMIT 2",
      [Int64(bitPattern: link), feed])
    if others.count == 1 { add(article: others[0]) }
  }

  private mutating func feed(boundTo key: FeedKey) throws -> Int64? {
    if let known = feeds[key] { return known }
    let feed: Int64? = try db.value(
      "SELECT feedID FROM folderFeed WHERE key = ?", [Int64(bitPattern: key.rawValue)])
    feeds[key] = .some(feed)
    return feed
  }

  mutating func add(article: Int64) { articles.insert(article) }

  /// Returns the newest value of each field of an article, under any key of its feed. Values of
  /// other items count if they have the article's link and are not in the cache.
  private func newest(of article: Int64) throws -> [Field: Register] {
    let row: (feed: Int64, identity: Int64, link: Int64)? = try db.first(
      "SELECT feedID, identity, ifnull(link, 1) AS link FROM article WHERE id = ?", [article]
    ) { ($0["feedID"], $0["identity"], $0["link"]) }
    guard let row else { return [:] }
    var newest = try registers(
      "r.item = ?2", [row.feed, row.identity])
    if Link.isIdentifying(row.link),
      try db.value(
        "SELECT count(*) FROM article WHERE link = ? AND feedID = ?", [row.link, row.feed])
        == 1
    {
      newest += try registers(
        """
        r.link = ?2 AND r.item <> ?3
        AND NOT EXISTS (SELECT 1 FROM article WHERE feedID = ?1 AND identity = r.item)
        """, [row.feed, row.link, row.identity])
    }
    var values: [Field: Register] = [:]
    for (field, register) in newest where register.replaces(values[field]) {
      values[field] = register
    }
    return values
  }

  private func registers(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [(Field, Register)] {
    try db.all(
      """
      SELECT r.* FROM folderFeed k CROSS JOIN folderRegister r
      WHERE k.feedID = ?1 AND r.kind = 2 AND r.subject = k.key AND \(condition)
      """, arguments
    ) { (Field(rawValue: $0["field"]), try RegisterRows.register($0)) }
  }

  // MARK: Applying

  /// Changes the articles whose state differs.
  @discardableResult
  mutating func apply() throws -> StoreError.Detail? {
    let refusal = try db.writeAccepted(articles.sorted()[...]) { articles in
      var new = self
      try new.apply(to: articles)
      self = new
    }
    articles = []
    return refusal
  }

  private mutating func apply(to articles: ArraySlice<Int64>) throws {
    var changed: [Int64] = []
    var marks: [Field: [JSONValue: [Int64]]] = [:]
    for article in articles {
      let newest = try newest(of: article)
      if let snoozed = newest[.snoozed] { try snooze(article, until: snoozed.value.integer ?? 0) }
      for (field, register) in newest where field != .snoozed {
        if field == .position {
          try set(position: register, of: article)
        } else if field == .later {
          try set(later: register, of: article, &changed)
        } else if field != .read || !isBeforeWaking(register, newest[.snoozed]) {
          marks[register.spelled(field), default: [:]][register.value, default: []].append(article)
        }
      }
    }
    for (field, values) in marks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for (new, articles) in values {
        let value = new == .integer(1)
        switch field {
        case .read, .starred:
          let mark = field == .read ? Mark.read : .starred
          let set = try Marks.set(mark, value, articles, transaction)
          images += set
          changed += set.flatMap(\.keys)
        case .deleted where value:
          let deleted = try Deletion.hide(articles, at: transaction.now, db)
          images.append(RowImages("isHidden", of: deleted, 0, HiddenReason.deleted))
        case .deleted:
          let deleted: [Int64] = try db.values(
            """
            SELECT articleID FROM articleStatus
            WHERE articleID IN (SELECT value FROM json_each(?)) AND isHidden & ? <> 0
            """, [SQLText.json(articles), HiddenReason.deleted])
          try Deletion.show(deleted, db)
        default:
          guard let tag = field.tag.map(TagRows.tidied) else { continue }
          var rows = TagRows(transaction)
          let set = try articles.filter { try rows.set(tag, value, of: $0) != nil }
          images.append(.tag(tag, value, set))
        }
      }
    }
    let kept = try ArchivedArticles.showArchived(Array(articles), db)
    images.append(RowImages("isHidden", of: kept, HiddenReason.unsubscribed, 0))
    try Marks.note(changed, db)
  }

  /// Sets the flag for later of an article with the time of the change, or clears it.
  private mutating func set(
    later register: Register, of article: Int64, _ changed: inout [Int64]
  ) throws {
    // The time of an article from before onboarding is unknown.
    let time = register.stamp.time
    let set = try Marks.set(
      .later, register.value == .integer(1), [article],
      at: time == .onboarding ? nil : min(time.milliseconds, transaction.at), transaction)
    images += set
    changed += set.flatMap(\.keys)
  }

  /// Sets the reading position, except where a newer one of this device has no entry yet.
  private mutating func set(position register: Register, of article: Int64) throws {
    let numbers = (register.value.elements ?? []).compactMap(\.integer)
    guard numbers.count == 2 else { return }
    let mine: (value: JSONValue, image: RowImages.Values)? = try db.first(
      "SELECT block, share, seen, at FROM readingPosition WHERE articleID = ?", [article]
    ) { row in
      let columns = ["block", "share", "seen", "at"].map { ($0, row[$0] as String?) }
      return (
        OpenFolder.position(row["block"], row["share"]), Dictionary(uniqueKeysWithValues: columns)
      )
    }
    let beginning = OpenFolder.position(nil, nil)
    guard mine?.value ?? beginning != register.value,
      try !db.exists("SELECT 1 FROM folderPosition WHERE articleID = ?", [article])
    else { return }
    var new: RowImages.Values?
    if register.value == beginning {
      try db.run("DELETE FROM readingPosition WHERE articleID = ?", [article])
    } else {
      // The time of a position from before onboarding is unknown.
      let time = register.stamp.time
      let at = time == .onboarding ? nil : min(time.milliseconds, transaction.at)
      let share = Double(numbers[1]) / 1_000
      try db.run(
        """
        INSERT INTO readingPosition (articleID, block, share, at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (articleID) DO UPDATE SET block = ?2, share = ?3, seen = NULL, at = ?4
        """, [article, numbers[0], share, at])
      new = [
        "block": String(numbers[0]), "share": String(share), "seen": nil, "at": at.map(String.init),
      ]
    }
    images.append(RowImages("readingPosition", [article], before: mine?.image, after: new))
    try db.run("DELETE FROM folderPosition WHERE articleID = ?", [article])
  }

  /// Snoozes an article, ends its snooze if the time has passed, or shows it again with its date if
  /// the snooze was undone.
  private mutating func snooze(_ article: Int64, until: Int64) throws {
    if until > transaction.at {
      images += try Snoozing.begin([article: until], .user, db)
    } else if until > 0 {
      images += try Snoozing.unsnooze([article], since: until, transaction)
    } else {
      images += try Snoozing.end([article], at: nil, transaction)
    }
  }

  /// Returns true for a mark from before the article woke unread.
  private func isBeforeWaking(_ read: Register, _ snoozed: Register?) -> Bool {
    guard let until = snoozed?.value.integer, until > 0, until <= transaction.at else {
      return false
    }
    return read.stamp.time.milliseconds <= until
  }
}

/// Gives arriving articles the states that other devices gave them.
package struct FolderArrivals: MergeParticipant {
  package init() {}

  package var includesOlderPosts: Bool { true }

  package func begin(_ transaction: Transaction) throws -> ArrivalHandler {
    guard try FolderRow.find(transaction.db)?.isJoined == true else { return { _ in } }
    return { arrivals in
      var states = ArticleStates(transaction)
      for article in arrivals.added { states.add(article: article) }
      try states.apply()
    }
  }
}
