import Foundation
import GRDB

extension OpenFolder {
  /// Merges entries of another device, as many as one transaction may, and applies what is new.
  /// - Returns: the number of merged entries.
  mutating func receive(
    _ entries: ArraySlice<Entry>, from device: DeviceID, _ reception: inout Reception
  ) throws -> Int {
    let most = try mostFeedEntries()
    var room = try reception.room ?? registers.room()
    let near = row.author.clock.time(ahead: Limits.ahead, wall: transaction.at)
    var feeds: Set<FeedKey> = []
    var objects: Set<ObjectID> = []
    var (count, isAhead) = (0, false)
    var states = ArticleStates(transaction)
    for entry in entries {
      let isOfArticles = if case .articles = entry.subject { true } else { false }
      let isFull =
        isOfArticles || !row.isJoined ? (row.isJoined ? isHalfway : isLate) : count >= most
      if count > 0, isFull { break }
      count += 1
      if let later = entry.after(near, upTo: limit) { try wait(later, of: device) }
      isAhead = isAhead || entry.latest > near
      guard let entry = entry.upTo(near) else { continue }
      row.author.clock.observe(entry.latest, wall: transaction.at)
      let changed = try registers.merge(entry, from: device, &row.digest, limit: limit, &room)
      guard row.isJoined, !changed.isEmpty else { continue }
      switch entry.subject {
      case .feed(let key):
        feeds.insert(key)
        if let alias = FeedKey(text: entry.value.text) { feeds.insert(alias) }
      case .articles(let key, let articles):
        let items = Set(changed)
        for article in articles
        where items.contains(RegisterKey(.article(key, item: article.item), entry.field)) {
          try states.add(key, article)
        }
      case .object(let object): objects.insert(object)
      case .none: break
      }
    }
    reception.room = room
    var losses = try apply(feeds, objects)
    try states.apply()
    losses += states.images.filter { $0.loss != nil }
    try journal(losses, by: device, &reception)
    try SharedDevice.setAhead(device, isAhead, db)
    return count
  }

  /// Returns the number of entries of feeds that one transaction merges: a share of all, because
  /// each transaction reads all feeds. So the time for all entries is linear.
  private func mostFeedEntries() throws -> Int {
    let known: Int = try db.value("SELECT count(*) FROM folderRegister WHERE kind = 1") ?? 0
    return max(Self.fewestFeedEntries, known / 8)
  }

  private func wait(_ entry: Entry, of device: DeviceID) throws {
    let count: Int = try db.value("SELECT count(*) FROM folderLater") ?? 0
    guard count < Self.mostWaiting else { return }
    try db.run(
      "INSERT INTO folderLater (time, device, line) VALUES (?, ?, ?)",
      [
        Int64(bitPattern: entry.latest.rawValue), Int64(bitPattern: device.rawValue),
        Data(entry.line),
      ])
  }

  /// - Returns: what an undo needs of the feeds, searches and rules that lost something.
  private func apply(
    _ feeds: Set<FeedKey>, _ objects: Set<ObjectID>
  ) throws -> [RowImages] {
    guard !feeds.isEmpty || !objects.isEmpty else { return [] }
    let state = try registers.feedState()
    var losses: [RowImages] = []
    if !feeds.isEmpty {
      var here = try FeedStates(transaction, state)
      let applied = try here.apply(feeds)
      for feed in applied.met { try mergeArticlesLater(ofFeeds: "feedID = ?", [feed]) }
      losses = applied.losses
    }
    if !objects.isEmpty {
      losses += try RowImages.recorded(["savedSearch", "rule"], db) {
        try ObjectStates(transaction, state).apply(objects)
      }.filter { $0.loss != nil }
      try FolderOrders(transaction, state).apply(objects)
    }
    return losses
  }

  /// Adds to the one entry of the journal with what the device took away in this exchange.
  private func journal(
    _ images: [RowImages], by device: DeviceID, _ reception: inout Reception
  ) throws {
    guard !images.isEmpty else { return }
    if let (sender, entry) = reception.losses, sender == device,
      let subject: String = try db.value(
        "SELECT subject FROM journal WHERE id = ? AND isUndone = 0", [entry]),
      var losses = Losses(subject)
    {
      losses.add(images)
      try db.run("UPDATE journal SET subject = ? WHERE id = ?", [losses.text, entry])
      return try Journal.append(images, to: entry, db)
    }
    let name: String? = try db.value(
      "SELECT name FROM folderDevice WHERE id = ?", [Int64(bitPattern: device.rawValue)])
    var losses = Losses(by: reception.name ?? name ?? "")
    losses.add(images)
    try Journal.add(db, .removedElsewhere, images, subject: losses.text, at: transaction.now)
    reception.losses = (device, db.lastInsertedRowID)
    // The act is the other device's, so it gets no entry here. `flush` has left no other rows.
    try db.run("DELETE FROM folderAct")
  }
}
