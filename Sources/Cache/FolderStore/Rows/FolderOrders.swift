import GRDB

/// The order of feeds and folders in folders. Each folder has one value, the lists of both; the
/// newest value counts. What is not in a list follows what is.
struct FolderOrders {
  private let transaction: Transaction
  private var db: Database { transaction.db }
  private let state: MergedState

  init(_ transaction: Transaction, _ state: MergedState) {
    (self.transaction, self.state) = (transaction, state)
  }

  /// Feeds of a folder that are not of an account, in their order.
  private func feeds(in folder: Int64?) throws -> [(id: Int64, position: Int, key: FeedKey?)] {
    try db.all(
      """
      SELECT f.id, f.position, k.key FROM feed f
        LEFT JOIN folderFeed k ON k.feedID = f.id AND k.place = 0
      WHERE f.folderID IS ? AND f.accountID IS NULL AND f.removedAt IS NULL
      ORDER BY f.position, f.id
      """, [folder]
    ) { row in
      let key = (row["key"] as Int64?).map { FeedKey(rawValue: UInt64(bitPattern: $0)) }
      return (row["id"], row["position"], key)
    }
  }

  /// Folders in a folder that are not of an account, in their order.
  private func folders(in folder: Int64?) throws -> [(id: Int64, position: Int, title: String)] {
    try db.all(
      """
      SELECT id, position, title FROM folder WHERE parentID IS ?
        AND NOT EXISTS (SELECT 1 FROM account WHERE folderID = folder.id) ORDER BY position, id
      """, [folder]
    ) { ($0["id"], $0["position"], $0["title"]) }
  }

  /// Returns the order of each folder with feeds or folders; the top level is one, too.
  private func orders() throws -> [(ObjectID, value: JSONValue, rest: [String: JSONValue])] {
    let all: [Int64] = try db.values("SELECT id FROM folder ORDER BY id")
    return try ([nil] + all).compactMap { folder in
      if let folder, try FolderTree.account(of: folder, db) != nil { return nil }
      var (path, next) = ([String](), folder)
      while let id = next, path.count < Limits.depth {
        path.insert(try db.value("SELECT title FROM folder WHERE id = ?", [id]) ?? "", at: 0)
        next = try FolderTree.parent(of: id, db)
      }
      let keys = try feeds(in: folder).compactMap(\.key).prefix(Limits.ordered)
      var left = Limits.unknown - 64
      let titles = try folders(in: folder).map { JSONValue.string($0.title) }.filter {
        left -= $0.bytes.count + 1
        return left > 0
      }
      guard !keys.isEmpty || titles.count > 1 else { return nil }
      let value = JSONValue.object([
        "folder": .array(path.map { .string($0) }), "feeds": .array(keys.map { .string($0.text) }),
      ])
      let object = ObjectID(orderOf: path)
      let known = shared(object)?.rest.filter { $0.key == "folders" } ?? [:]
      return (object, value, titles.count > 1 ? ["folders": .array(titles)] : known)
    }.sorted { $0.0 < $1.0 }
  }

  private func shared(_ object: ObjectID) -> Register? {
    state.registers[RegisterKey(.object(object), .order)]
  }

  /// Writes the orders that differ from those of the folder, after an act of the user: one device
  /// does not answer the order of another with its own.
  func flush(at milliseconds: Int64, _ folder: inout OpenFolder) throws {
    for (object, value, rest) in try orders() {
      let shared = shared(object)
      guard value != shared?.value || rest["folders"] != shared?.rest["folders"] else { continue }
      try folder.addEntry(
        .order, of: .object(object), value, rest: rest, at: milliseconds,
        after: shared?.stamp.time)
    }
  }

  /// Writes the orders that the folder lacks, with the time of onboarding.
  func join(_ folder: inout OpenFolder) throws {
    for (object, value, rest) in try orders() where shared(object) == nil {
      try folder.export(.order, of: .object(object), value, rest: rest)
    }
  }

  /// Sorts the feeds and folders of folders whose order has changed.
  func apply(_ changed: Set<ObjectID>) throws {
    for object in changed.sorted() {
      guard let order = shared(object),
        let titles = order.value.members?["folder"]?.elements?.compactMap(\.text)
      else { continue }
      let path = try FolderTree.existing(titles, db)
      guard path.count == titles.count else { continue }
      let feeds = try feeds(in: path.last)
      var ids: [FeedKey: Int64] = [:]
      for feed in feeds { if let key = feed.key { ids[key] = feed.id } }
      let sorted = state.sorted(feeds.compactMap(\.key), of: titles).compactMap { ids[$0] }
      let rest = feeds.filter { $0.key == nil }.map(\.id)
      try place(sorted + rest, at: feeds.map { ($0.id, $0.position) }, in: "feed")
      let folders = try folders(in: path.last)
      let places = Dictionary(
        first: (order.rest["folders"]?.elements ?? []).enumerated().map { ($1.text ?? "", $0) })
      let ranked = folders.enumerated().map { (places[$1.title] ?? .max, $0, $1.id) }
      try place(
        ranked.sorted { $0 < $1 }.map(\.2), at: folders.map { ($0.id, $0.position) }, in: "folder")
    }
  }

  private func place(
    _ sorted: [Int64], at places: [(id: Int64, position: Int)], in table: String
  ) throws {
    for (id, place) in zip(sorted, places) where id != place.id {
      try db.run("UPDATE \(table) SET position = ? WHERE id = ?", [place.position, id])
    }
  }
}
