import GRDB

/// The order of an account's feeds and folders, which follows its server's list until the user
/// arranges a folder here. An arrangement at the server takes precedence.
struct ServerOrder {
  private static let top: Int64 = 0

  let db: Database
  let account: Int64
  private let accountFolder: Int64
  /// Feeds in the order of the server's last list.
  private let former: [Int64]
  /// Folders whose feeds are in the server's order; `top` stands for the folders themselves.
  private var following: Set<Int64> = []

  /// Reads the order before the server's list is applied.
  init(_ db: Database, of account: Int64) throws {
    (self.db, self.account) = (db, account)
    accountFolder = try AccountRows.accountFolder(account, db)
    former = try db.values(
      """
      SELECT feedID FROM remoteFeed WHERE accountID = ? AND position IS NOT NULL ORDER BY position
      """, [account])
    let isNew = try !db.exists(
      "SELECT 1 FROM remoteFeed WHERE accountID = ? AND remoteID IS NOT NULL LIMIT 1", [account])
    guard !former.isEmpty || isNew else { return }
    // Feeds missing from the server's list come last, unless the user put them elsewhere.
    for list in try lists(Self.places(former)) {
      let places = list.rows.map { $0.place ?? .max }
      if places == places.sorted() { following.insert(list.folder) }
    }
  }

  /// Puts feeds and folders in the server's order, and stores it.
  /// - Parameters:
  ///   - order: the account's feeds as the server lists them.
  ///   - isArranged: true if the user arranged them so at the server.
  func apply(_ order: [Int64], isArranged: Bool) throws {
    for (old, new) in zip(try lists(Self.places(former)), try lists(Self.places(order))) {
      let known = zip(old.rows, new.rows).compactMap { old, new in
        old.place.flatMap { place in new.place.map { (place, $0) } }
      }
      let news = known.sorted { $0.0 < $1.0 }.map(\.1)
      let isRearranged = isArranged && news != news.sorted()
      let isNew =
        old.folder != Self.top && !former.isEmpty && !old.rows.contains { $0.place != nil }
      guard following.contains(old.folder) || former.isEmpty && isArranged || isRearranged || isNew
      else { continue }
      // Feeds without a place follow in their present order.
      let ranked = new.rows.enumerated().map { ($1.place ?? .max, $0, $1.id) }.sorted { $0 < $1 }
      for (position, row) in ranked.enumerated() {
        try db.run(
          """
          UPDATE \(old.folder == Self.top ? "folder" : "feed")
          SET position = ?1 WHERE id = ?2 AND position <> ?1
          """, [position, row.2])
      }
    }
    for (place, feed) in order.enumerated() {
      try db.run(
        "UPDATE remoteFeed SET position = ?1 WHERE feedID = ?2 AND position IS NOT ?1",
        [place, feed])
    }
  }

  private static func places(_ feeds: [Int64]) -> [Int64: Int] {
    Dictionary(first: feeds.enumerated().map { ($1, $0) })
  }

  /// Returns the feeds of each folder, and the folders themselves with the places of their first
  /// feeds.
  private func lists(
    _ places: [Int64: Int]
  ) throws -> [(folder: Int64, rows: [(id: Int64, place: Int?)])] {
    let folders: [Int64] = try db.values(
      "SELECT id FROM folder WHERE parentID = ? ORDER BY position, id", [accountFolder])
    let lists = try ([accountFolder] + folders).map { folder in
      let feeds: [Int64] = try db.values(
        "SELECT id FROM feed WHERE folderID = ? AND removedAt IS NULL ORDER BY position, id",
        [folder])
      return (folder: folder, rows: feeds.map { (id: $0, place: places[$0]) })
    }
    let firsts = lists.dropFirst().map { list in
      (id: list.folder, place: list.rows.compactMap(\.place).min())
    }
    return lists + [(folder: Self.top, rows: firsts)]
  }
}
