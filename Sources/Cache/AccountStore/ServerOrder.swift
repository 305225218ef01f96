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
    let places = Self.places(former)
    let folders = try self.folders()
    for folder in [accountFolder] + folders {
      // Feeds missing from the server's list come last, unless the user put them elsewhere.
      let known = try feeds(of: folder).map { places[$0] ?? .max }
      if known == known.sorted() { following.insert(folder) }
    }
    let firsts = try folders.map { try first(of: $0, places) ?? .max }
    if firsts == firsts.sorted() { following.insert(Self.top) }
  }

  /// Puts feeds and folders in the server's order, and stores it.
  /// - Parameters:
  ///   - order: the account's feeds as the server lists them.
  ///   - isArranged: true if the user arranged them so at the server.
  func apply(_ order: [Int64], isArranged: Bool) throws {
    let (before, places) = (Self.places(former), Self.places(order))
    func follows(_ folder: Int64, _ ids: [Int64], _ place: (Int64, [Int64: Int]) throws -> Int?)
      throws -> Bool
    {
      if following.contains(folder) { return true }
      guard isArranged else { return false }
      let known = try ids.compactMap { id in
        try place(id, before).flatMap { old in try place(id, places).map { (old, $0) } }
      }
      let news = known.sorted { $0.0 < $1.0 }.map(\.1)
      return former.isEmpty || news != news.sorted()
    }
    let folders = try self.folders()
    for folder in [accountFolder] + folders {
      let ids = try feeds(of: folder)
      if try follows(folder, ids, { $1[$0] }) || !wasThere(ids) {
        try place("feed", ids) { places[$0] }
      }
    }
    if try follows(Self.top, folders, { try first(of: $0, $1) }) {
      try place("folder", folders) { try first(of: $0, places) }
    }
    for (place, feed) in order.enumerated() {
      try db.run(
        "UPDATE remoteFeed SET position = ?1 WHERE feedID = ?2 AND position IS NOT ?1",
        [place, feed])
    }
  }

  private static func places(_ feeds: [Int64]) -> [Int64: Int] {
    Dictionary(feeds.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func folders() throws -> [Int64] {
    try db.values("SELECT id FROM folder WHERE parentID = ? ORDER BY position, id", [accountFolder])
  }

  private func feeds(of folder: Int64) throws -> [Int64] {
    try db.values(
      "SELECT id FROM feed WHERE folderID = ? AND removedAt IS NULL ORDER BY position, id",
      [folder])
  }

  /// Returns the first position of a folder's feeds in the server's order.
  private func first(of folder: Int64, _ places: [Int64: Int]) throws -> Int? {
    try feeds(of: folder).compactMap { places[$0] }.min()
  }

  /// Returns true if the server's last list had some of a folder's feeds, or was empty.
  private func wasThere(_ feeds: [Int64]) -> Bool {
    let known = Set(former)
    return former.isEmpty || feeds.contains(where: known.contains)
  }

  /// Sorts feeds or folders by place. Those without a place follow in their present order.
  private func place(
    _ table: String, _ ids: [Int64], by place: (Int64) throws -> Int?
  ) throws {
    let ranked = try ids.enumerated().map { (try place($1) ?? .max, $0, $1) }.sorted { $0 < $1 }
    for (position, row) in ranked.enumerated() {
      try db.run(
        "UPDATE \(table) SET position = ?1 WHERE id = ?2 AND position <> ?1", [position, row.2])
    }
  }
}
