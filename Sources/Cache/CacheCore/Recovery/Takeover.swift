import Foundation
import GRDB

/// Copies the rows of a scanned database into a new one, by table and column name.
///
/// Rows that a table has lost are rebuilt from its indexes as far as possible. The triggers of the
/// new database run and count the articles again.
struct Takeover {
  let db: Database
  let scan: PageScan

  /// Tables that triggers fill, that belong to processes, or that describe the file itself.
  static let skipped: Set<String> = [
    "feedCounter", "totalCounter", "changeVersion", "grdb_migrations", "attention", "syncStatus",
    "discovery", "searchState", "searchStale", "syncPause", "cancellation",
  ]
  /// Tables of earlier builds whose rows are now in other tables.
  static let former: Set<String> = ["keptUnread"]
  /// Tables that are copied first: their triggers make rows in other tables, which the copied rows
  /// then replace.
  private static let first = ["folder", "feed", "feedFetch", "article", "articleStatus"]
  /// Tables whose rows can be rebuilt from indexes, and the column that each row must have.
  private static let indexed = [
    "folder": "title", "feed": "url", "article": "identity", "articleStatus": "sortDate",
    "articleTag": "tag", "account": "user", "remoteFeed": "remoteID", "remoteArticle": "remoteID",
    "tombstone": "identity", "listFeed": "url", "snooze": "until",
  ]

  /// Columns that had another name in earlier builds, with the same values.
  private static let renamed = ["listing": "priority"]

  func run() throws -> CacheFile.Recovery {
    let own = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
          AND name NOT LIKE 'sqlite%'
        """)
    let order = Self.first + own.sorted().filter { !Self.first.contains($0) }
    var withoutSettings = 0
    for name in order where !Self.skipped.contains(name) && !name.hasPrefix("telemetry") {
      guard let tree = scan.trees[name] else { continue }
      try copy(tree)
      if tree.gaps > 0, let needed = Self.indexed[name] {
        let made = try makeFromIndexes(tree, needed)
        if name == "feed" { withoutSettings += made }
      }
    }
    // The journal names columns, too.
    for (old, new) in Self.renamed {
      try db.run(
        "UPDATE journal SET images = replace(images, ?, ?)", ["\"\(old)\":", "\"\(new)\":"])
    }
    let lost = try lostRows()
    // These articles are now marked in their state.
    try scan.each("keptUnread") { article, _ in
      try db.run(
        "UPDATE articleStatus SET isKeptUnread = 1 WHERE articleID = ? AND isRead = 0", [article])
    }
    try makeArticles()
    let (addressed, nameless) = try nameFeeds()
    let (withoutText, withoutStatus) = try completeArticles()
    let withoutFolder: Int? = try db.value(
      "SELECT count(folderID) FROM feed WHERE removedAt IS NULL AND folderID NOT IN (SELECT id FROM folder)"
    )
    try removeUnreferenced(own)
    var recovery = try report(lost, withoutText, withoutStatus)
    recovery.nameless = nameless
    recovery.withoutFolder = withoutFolder ?? 0
    recovery.withoutSettings = withoutSettings + addressed
    return recovery
  }

  // MARK: Rows

  /// Returns the columns of a table in the new database, with the value that replaces a lost one
  /// or, in a column that is now `NOT NULL`, an empty one.
  private func blanks(of table: String) throws -> [String: DatabaseValue] {
    let info = try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_table_info(?)", arguments: [table])
    return try info.reduce(into: [:]) { blanks, row in
      let name: String = row["name"]
      let isText = (row["type"] as String).uppercased() == "TEXT"
      let isNeeded: Bool = row["notnull"]
      let standard = try (row["dflt_value"] as String?).flatMap { text in
        try DatabaseValue.fetchOne(db, sql: "SELECT \(text)")
      }
      blanks[name] =
        !isNeeded ? .null : standard ?? (isText ? "".databaseValue : Int64(0).databaseValue)
    }
  }

  private func copy(_ tree: PageScan.Tree) throws {
    let (layout, table) = (tree.layout, tree.layout.table)
    let blanks = try blanks(of: table)
    let columns = layout.columns.map { column in
      column.name.map { Self.renamed[$0] ?? $0 }.flatMap { blanks[$0] == nil ? nil : $0 }
    }
    guard columns.contains(where: { $0 != nil }) else { return }
    // Columns that another schema lacks.
    let missing = try columnsWithoutDefault(of: table).filter { !columns.contains($0) }
    let hasHiddenKey = layout.isKeyedByRowID && layout.keyColumn == nil
    let verb = table == "feedFetch" ? "REPLACE" : "IGNORE"
    // A record without the newest columns gets their defaults.
    func statement(_ count: Int) throws -> Statement {
      let names =
        columns.prefix(count).compactMap { $0 } + missing + (hasHiddenKey ? ["rowid"] : [])
      return try insertion(into: table, names, verb)
    }
    try scan.each(table) { key, values in
      var arguments: [DatabaseValue] = []
      for (index, value) in values.enumerated() {
        guard let name = columns[index], let blank = blanks[name] else { continue }
        arguments.append(
          layout.isKeyedByRowID && name == layout.keyColumn
            ? key.databaseValue : value == .null ? blank : value?.databaseValue ?? blank)
      }
      arguments += missing.compactMap { blanks[$0] }
      if hasHiddenKey { arguments.append(key.databaseValue) }
      guard !arguments.isEmpty else { return }
      try statement(values.count).execute(arguments: StatementArguments(arguments))
    }
  }

  private func insertion(
    into table: String, _ names: [String], _ verb: String = "IGNORE"
  ) throws -> Statement {
    let list = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return try db.cachedStatement(
      sql: "INSERT OR \(verb) INTO \(table.quotedDatabaseIdentifier) (\(list)) VALUES (\(marks))")
  }

  /// - Returns: the number of rows made.
  private func makeFromIndexes(_ tree: PageScan.Tree, _ needed: String) throws -> Int {
    let table = tree.layout.table
    var made = 0
    let blanks = try blanks(of: table)
    var rows: [[StoredValue]: [String: StoredValue]] = [:]
    for (key, part) in try missingRows(of: tree.layout) {
      rows[key, default: [:]].merge(part) { old, _ in old }
    }
    for var row in rows.values where row[needed] != nil {
      // A listed article that is missing from the index of unread articles is read.
      if table == "articleStatus", row["isHidden"] == .integer(0), row["isRead"] == nil {
        row["isRead"] = .integer(1)
      }
      let names = row.keys.filter { blanks[$0] != nil || $0 == "rowid" }
      var values = names.map { row[$0]?.databaseValue ?? .null }
      let defaults = try columnsWithoutDefault(of: table).filter { row[$0] == nil }
      values += defaults.map { blanks[$0] ?? .null }
      try insertion(into: table, names + defaults).execute(arguments: StatementArguments(values))
      made += db.changesCount
    }
    return made
  }

  private func columnsWithoutDefault(of table: String) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL AND pk = 0
        """, arguments: [table])
  }

  /// Returns the entries of a table's indexes without a row in the new database, by row key.
  private func missingRows(
    of table: TreeLayout
  ) throws -> [([StoredValue], [String: StoredValue])] {
    var found: [([StoredValue], [String: StoredValue])] = []
    let key = table.keyColumn ?? "rowid"
    let keys = table.isKeyedByRowID ? [key] : try primaryKey(of: table.table)
    let condition = keys.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: " AND ")
    let exists = try db.cachedStatement(
      sql: "SELECT 1 FROM \(table.table.quotedDatabaseIdentifier) WHERE \(condition)")
    for (name, index) in scan.trees where index.layout.isIndex && index.layout.table == table.table
    {
      try scan.each(name) { _, values in
        var row = index.layout.implied.mapValues(StoredValue.integer)
        for (column, value) in zip(index.layout.columns, values) {
          guard let name = column.name, let value else { continue }
          let isNull = index.layout.zeroIsNull.contains(name) && value == .integer(0)
          row[name] = isNull ? .null : value
        }
        let id = keys.compactMap { row[$0] }
        guard id.count == keys.count else { return }
        let arguments = StatementArguments(id.map(\.databaseValue))
        if try Int.fetchOne(exists, arguments: arguments) == nil { found.append((id, row)) }
      }
    }
    return found
  }

  private func primaryKey(of table: String) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
  }

  // MARK: Lost rows

  private static let tables: [CacheFile.Kind: (table: String, condition: String)] = [
    .subscriptions: ("feed", "removedAt IS NULL AND url NOT LIKE 'weir:salvaged-%'"),
    .folders: ("folder", "1"), .stars: ("articleStatus", "isStarred = 1"),
    .readMarks: ("articleStatus", "isRead = 1"), .tags: ("articleTag", "1"),
    .notes: ("articleNote", "1"), .rules: ("rule", "1"), .searches: ("savedSearch", "1"),
    .outbox: ("outbox", "1"), .positions: ("readingPosition", "1"),
    .membership: ("syncFolder", "1"), .sharedStates: ("folderRegister", "1"),
  ]

  /// Returns for each damaged table the number of rows that only its indexes have; `nil` if the
  /// indexes do not show it.
  private func lostRows() throws -> [String: Int?] {
    var lost: [String: Int?] = [:]
    for table in Set(Self.tables.values.map(\.table)) {
      guard let tree = scan.trees[table], tree.gaps > 0 else { continue }
      let isKnown = scan.trees.values.contains { index in
        index.layout.isIndex && index.layout.table == table && index.gaps == 0
          && (!index.layout.isPartial || table == "articleStatus")
      }
      lost[table] = .some(isKnown ? Set(try missingRows(of: tree.layout).map(\.0)).count : nil)
    }
    return lost
  }

  /// Returns the counters of the damaged file: all articles, read ones, starred ones.
  private func countersBefore() -> (total: Int, read: Int, starred: Int)? {
    var counters: (Int, Int, Int)?
    scan.each("totalCounter") { _, values in
      let numbers = values.map {
        if case .integer(let number) = $0 { Row.count(number) } else { 0 }
      }
      if numbers.count == 4, numbers[1] >= max(numbers[2], numbers[3]) {
        counters = counters ?? (numbers[1], numbers[1] - numbers[2], numbers[3])
      }
    }
    return counters
  }

  private func report(
    _ lost: [String: Int?], _ withoutText: Int, _ withoutStatus: Int
  ) throws -> CacheFile.Recovery {
    let before = countersBefore()
    let articles = try db.value("SELECT total FROM totalCounter") ?? 0
    var outcomes: [CacheFile.Kind: CacheFile.Outcome] = [:]
    for (kind, (table, condition)) in Self.tables {
      let saved = try db.value("SELECT count(*) FROM \(table) WHERE \(condition)") ?? 0
      var missing = lost[table] ?? 0
      if let before, kind == .stars || kind == .readMarks {
        let column = kind == .stars ? "starred" : "total - unread"
        let now = try db.value("SELECT \(column) FROM totalCounter") ?? 0
        missing = max(0, (kind == .stars ? before.starred : before.read) - now)
      } else if kind == .stars || kind == .readMarks, scan.trees["totalCounter"]?.gaps != 0 {
        if scan.trees["articleStatus"]?.gaps != 0 { missing = nil }
      }
      outcomes[kind] = CacheFile.Outcome(saved: saved, lost: missing)
    }
    return CacheFile.Recovery(
      feeds: try db.value("SELECT count(*) FROM feed WHERE removedAt IS NULL") ?? 0,
      articles: articles, outcomes: outcomes, articlesBefore: before?.total,
      withoutText: withoutText, withoutStatus: withoutStatus,
      gaps: scan.trees.values.reduce(0) { $0 + $1.gaps }, foreign: [], setAside: "")
  }
}

extension StoredValue {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

extension PageScan {
  var migrations: Set<String> {
    var names: Set<String> = []
    each("grdb_migrations") { _, values in
      if case .text(let name) = values.first ?? nil { names.insert(name) }
    }
    return names
  }
}
