import GRDB

@testable import FeedStore

/// The section “What a key writes” of Map.md lists the tables that each key writes.
@Suite("What a key writes") struct KeyWritesTests {
  private typealias Press = @Sendable (ReaderCache) async throws -> Void

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Program/weir/Documentation.docc/Map.md")

  @Test("Each key writes the tables that Map.md lists, in their order") func tables() async throws {
    // All parties take part: an account with a tag for Later, and a shared folder.
    let bench = try await AccountBench()
    let store = bench.store
    let remote = try await bench.fill(2)[0]
    try await store.accountSync.setLaterTag("later", of: bench.account)
    let remoteFeed = try #require(try store.reader.articles.articleRow(remote)).feed
    let feed = try await bench.cache.feed("a")
    var item = ParsedItem.dated(1)
    item.enclosures = [Enclosure(url: "https://example.org/1.mp3", mimeType: "audio/mpeg")]
    let episode = try await bench.cache.merge(feed, [item]).added[0]
    try await Self.join(store)
    try await Self.record(store)

    let presses: [(key: String, press: Press)] = [
      ("`s`", { _ = try await $0.states.set(.starred, [remote], true) }),
      ("`m`, unread", { _ = try await $0.states.set(.read, [remote], true) }),
      ("`m`, read", { _ = try await $0.states.set(.read, [remote], false) }),
      ("`A`", { _ = try await $0.states.markShownRead(ArticleQuery(scope: .all)) }),
      ("`L`", { _ = try await $0.states.set(.later, [remote], true) }),
      ("`d`", { _ = try await $0.downloads.requestDownloads(of: episode) }),
      ("`r`, a feed", { _ = try await $0.requests.requestRefresh(.feed(feed)) }),
      (
        "`r`, a feed of an account",
        { _ = try await $0.requests.requestRefresh(.feed(remoteFeed)) }
      ),
    ]
    let documented = try Self.documented()
    #expect(Set(documented.keys) == Set(presses.map(\.key)))
    for (key, press) in presses {
      try await press(store.reader)
      #expect(try await Self.written(store) == documented[key], "\(key)")
    }
  }

  /// Returns the tables of each row of the section, by the first cell.
  private static func documented() throws -> [String: [String]] {
    let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ")
    let section = try #require(sections.first { $0.hasPrefix("What a key writes\n") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { cells in
        (cells[0], (cells.last ?? "").matches(of: /`(\w+)`/).map { String($0.1) })
      })
  }

  /// Joins a shared folder, from which on triggers record changes for it.
  private static func join(_ store: FeedStore) async throws {
    try await store.database.core.pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO syncFolder (id, path, mark, device, name, machine, isJoined)
          VALUES (1, '/nowhere', '', 1, '', 0, 1)
          """)
    }
  }

  /// Makes the writer record the table of each row that it writes. SQLite's update hook does not
  /// report rows of tables without rowid, so triggers of the connection do.
  private static func record(_ store: FeedStore) async throws {
    try await store.database.core.pool.write { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'searchIndex%'
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
          """)
      try db.execute(sql: "CREATE TEMP TABLE written (number INTEGER PRIMARY KEY, name TEXT)")
      for table in tables {
        for event in ["INSERT", "UPDATE", "DELETE"] {
          try db.execute(
            sql: """
              CREATE TEMP TRIGGER \(table)_\(event) AFTER \(event) ON main.\(table) BEGIN
                INSERT INTO written (name) VALUES ('\(table)');
              END
              """)
        }
      }
    }
  }

  /// Returns the tables that were written since the last call, in the order of their first rows.
  private static func written(_ store: FeedStore) async throws -> [String] {
    try await store.database.core.pool.write { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM written GROUP BY name ORDER BY min(number)")
      try db.execute(sql: "DELETE FROM written")
      return tables
    }
  }
}
