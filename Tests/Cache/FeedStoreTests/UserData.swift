import GRDB

/// All data that the user made in a cache, by kind.
struct UserData {
  private static let queries = [
    "feeds": "SELECT url FROM feed WHERE url LIKE 'http%'", "folders": "SELECT title FROM folder",
    "stars": "SELECT articleID FROM articleStatus WHERE isStarred = 1",
    "later": "SELECT articleID || ' ' || laterAt FROM articleStatus WHERE laterAt IS NOT NULL",
    "saved pages":
      "SELECT a.url FROM article a JOIN feed f ON f.id = a.feedID WHERE f.url = 'weir:saved'",
    "read marks": "SELECT articleID FROM articleStatus WHERE isRead = 1",
    "tags": "SELECT articleID || tag FROM articleTag", "notes": "SELECT html FROM articleNote",
    "rules": "SELECT name || query FROM rule", "searches": "SELECT name FROM savedSearch",
    "outbox": "SELECT item || want FROM outbox",
  ]
  private let kinds: [String: Set<String>]

  init(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    kinds = try queue.read { db in
      try Self.queries.mapValues { Set(try String.fetchAll(db, sql: $0)) }
    }
  }

  var count: Int { kinds.values.reduce(0) { $0 + $1.count } }

  /// The number of entries of each kind that another database lacks.
  func lost(in other: UserData) -> [String: Int] {
    kinds.reduce(into: [:]) { result, kind in
      let missing = kind.value.subtracting(other.kinds[kind.key] ?? []).count
      if missing > 0 { result[kind.key] = missing }
    }
  }

  /// Makes a cache with 20 feeds, 600 articles and entries of every kind, and returns its file's
  /// bytes.
  static func makeCache(_ directory: String) throws -> Data {
    try made.get().copy(to: directory)
    return try Data(contentsOf: URL(filePath: directory + "/weir.db"))
  }

  private static let made = Result { try CopiedCache(fill: fill) }

  private static func fill(_ directory: String) throws {
    try FeedStore.open(directory: directory).close()
    let queue = try DatabaseQueue(path: directory + "/weir.db")
    try queue.write { db in
      func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        try db.execute(sql: sql, arguments: StatementArguments(arguments))
      }
      try run(
        "INSERT INTO account (id, kind, url, user, title, addedAt) VALUES (1, 'fever', 'https://e.org', 'ann', 'A', 1)",
        [])
      for id in 1...4 {
        try run(
          "INSERT INTO folder (id, parentID, title, position) VALUES (?, ?, ?, ?)",
          [id, id > 3 ? 1 : nil, "Folder \(id)", id])
      }
      for id in 1...20 {
        try run(
          "INSERT INTO feed (id, url, title, folderID, position, addedAt) VALUES (?, ?, ?, ?, ?, 1)",
          [id, "https://example.org/feed\(id).xml", "Feed \(id)", id % 4 + 1, id])
      }
      for id in 1...600 {
        let words = String(repeating: "Body of \(id). ", count: id % 60 == 0 ? 3_000 : 40)
        try run(
          """
          INSERT INTO article (id, feedID, identity, fingerprint, title, firstSeenAt, hasEnclosure)
          VALUES (?, ?, ?, 7, ?, ?, 0)
          """, [id, id % 20 + 1, id * 7_919_777, "Article \(id)", 1_700_000_000_000 + id])
        try run(
          "INSERT INTO articleBody (articleID, itemID, html) VALUES (?, ?, ?)",
          [id, "item-\(id)", "<p>\(words)</p>"])
        try run(
          """
          INSERT INTO articleStatus (articleID, feedID, sortDate, isRead, isStarred, laterAt)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
          [
            id, id % 20 + 1, 1_700_000_000_000 + id, id % 6 == 0 ? 1 : 0, id % 9 == 0 ? 1 : 0,
            id % 8 == 0 ? 1_700_000_000_000 + id : nil,
          ])
        try run("INSERT INTO articleTag (articleID, tag) VALUES (?, ?)", [id, "tag\(id % 9)"])
      }
      for id in 1...30 {
        try run(
          "INSERT INTO articleNote (articleID, program, at, html) VALUES (?, 'p', 1, ?)",
          [id * 5, "<p>Note \(id)</p>"])
        try run(
          "INSERT INTO outbox (accountID, item, key, want, changedAt) VALUES (1, ?, 'read', '1', 1)",
          ["item\(id)"])
        try run(
          "INSERT INTO readingPosition (articleID, block, share, at) VALUES (?, 1, 0.5, 1)", [id])
      }
      for id in 1...2 {
        try run(
          """
          INSERT INTO rule (name, query, actions, isEnabled, position, createdAt)
          VALUES (?, 'title:deal', 'hide', 1, ?, 1)
          """, ["rule \(id)", id])
        try run(
          "INSERT INTO savedSearch (name, query, position) VALUES (?, 'swift', ?)", ["s\(id)", id])
      }
    }
    try queue.close()
  }
}
