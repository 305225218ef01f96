import GRDB

/// The order of feeds in folders. Each folder has one value, the list of its feeds; the newest
/// value counts. Feeds that are not in the list follow those that are.
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

  /// Returns the orders of the folders that have these feeds.
  private func orders(of chosen: Set<Int64>) throws -> [ObjectID: JSONValue] {
    var orders: [ObjectID: JSONValue] = [:]
    for local in try FeedStates.local(db) where local.isSubscribed && chosen.contains(local.id) {
      let path = local.feed.folder
      let object = ObjectID(orderOf: path)
      guard orders[object] == nil else { continue }
      let id: Int64? = try db.value("SELECT folderID FROM feed WHERE id = ?", [local.id])
      let keys = try feeds(in: id).compactMap(\.key).prefix(Limits.ordered)
      orders[object] = .object([
        "folder": .array(path.map { .string($0) }),
        "feeds": .array(keys.map { .string($0.text) }),
      ])
    }
    return orders
  }

  private func shared(_ object: ObjectID) -> Register? {
    state.registers[RegisterKey(.object(object), .order)]
  }

  /// Writes the orders of the folders of feeds that the user has moved among their siblings.
  func flush(_ moved: [Int64], at milliseconds: Int64, _ folder: inout OpenFolder) throws {
    for (object, value) in try orders(of: Set(moved)).sorted(by: { $0.key < $1.key }) {
      try folder.addEntry(
        .order, of: .object(object), value, at: milliseconds,
        after: shared(object)?.stamp.time)
    }
  }

  /// Writes the orders that the folder lacks, with the time of onboarding.
  func join(_ folder: inout OpenFolder) throws {
    let all = Set(try FeedStates.local(db).map(\.id))
    for (object, value) in try orders(of: all).sorted(by: { $0.key < $1.key })
    where shared(object) == nil {
      try folder.export(.order, of: .object(object), value)
    }
  }

  /// Sorts the feeds of folders whose order has changed.
  func apply(_ changed: Set<ObjectID>) throws {
    for object in changed.sorted() {
      guard let titles = shared(object)?.value.members?["folder"]?.elements?.compactMap(\.text)
      else { continue }
      let folders = try FolderTree.existing(titles, db)
      guard folders.count == titles.count else { continue }
      let feeds = try feeds(in: folders.last)
      var ids: [FeedKey: Int64] = [:]
      for feed in feeds { if let key = feed.key { ids[key] = feed.id } }
      let sorted = state.sorted(feeds.compactMap(\.key), of: titles).compactMap { ids[$0] }
      let rest = feeds.filter { $0.key == nil }.map(\.id)
      for (feed, place) in zip(sorted + rest, feeds) where feed != place.id {
        try db.run("UPDATE feed SET position = ? WHERE id = ?", [place.position, feed])
      }
    }
  }
}
