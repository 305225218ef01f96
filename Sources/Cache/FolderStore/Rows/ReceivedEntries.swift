import Foundation
import GRDB

extension OpenFolder {
  /// Merges entries of another device, as many as one transaction may, and applies what is new.
  /// - Returns: the number of merged entries.
  mutating func receive(
    _ entries: ArraySlice<Entry>, from device: DeviceID, _ reception: inout Reception
  ) throws -> Int {
    var remaining = try reception.remaining ?? registers.remaining()
    // A share of what each transaction reads, so that the time for all is linear.
    let most = max(64, remaining.compared / 4)
    let near = row.author.clock.time(ahead: Limits.ahead, wall: transaction.at)
    var feeds: Set<FeedKey> = []
    var objects: Set<ObjectID> = []
    var (count, compared) = (0, 0)
    var states = ArticleStates(transaction)
    for entry in entries {
      let isCompared = RegisterRows.applied.contains(entry.field)
      let isFull = !row.isJoined ? isLate : isCompared ? compared >= most : isHalfway
      if count > 0, isFull { break }
      count += 1
      if isCompared { compared += 1 }
      if entry.latest > near { reception.postpone(entry, after: near, upTo: limit) }
      guard let entry = entry.upTo(near) else { continue }
      row.author.clock.observe(entry.latest, wall: transaction.at)
      let changed = try registers.merge(entry, from: device, &row.digest, limit: limit, &remaining)
      guard row.isJoined, !changed.isEmpty else { continue }
      switch entry.subject {
      case .feed(let key) where isCompared:
        feeds.insert(key)
        if let alias = FeedKey(text: entry.value.text) { feeds.insert(alias) }
      case .articles(let key, let articles):
        let items = Set(changed)
        for article in articles
        where items.contains(RegisterKey(.article(key, item: article.item), entry.field)) {
          try states.add(key, article)
        }
      case .object(let object) where isCompared: objects.insert(object)
      case .feed, .object, .none: break
      }
    }
    var losses = try apply(feeds, objects)
    let refused = try states.apply()
    losses += states.images.filter { $0.loss != nil }
    try journal(losses, &reception)
    reception.refusal = reception.refusal ?? remaining.refusal ?? refusal ?? refused
    reception.remaining = remaining
    return count
  }

  /// - Returns: images of the feeds, searches and rules that lost something, for an undo.
  private mutating func apply(
    _ feeds: Set<FeedKey>, _ objects: Set<ObjectID>
  ) throws -> [RowImages] {
    guard !feeds.isEmpty || !objects.isEmpty else { return [] }
    let state = try registers.feedState()
    var losses: [RowImages] = []
    if !feeds.isEmpty {
      var here = try FeedStates(transaction, state)
      for feed in try here.apply(feeds) {
        try mergeArticlesLater(ofFeeds: "feedID = ?", [feed])
      }
      losses = here.losses
      refusal = here.refusal
    }
    if !objects.isEmpty {
      losses += try RowImages.recorded(["savedSearch", "rule"], db) {
        refusal = try ObjectStates(transaction, state).apply(objects) ?? refusal
      }.filter { $0.loss != nil }
      try FolderOrders(transaction, state).apply(objects)
    }
    return losses
  }

  /// Adds to the one entry of the journal with what the device took away in this exchange.
  private func journal(_ images: [RowImages], _ reception: inout Reception) throws {
    guard !images.isEmpty else { return }
    reception.losses.add(images)
    if let entry = reception.entry,
      try db.run(
        "UPDATE journal SET subject = ? WHERE id = ? AND isUndone = 0",
        [reception.losses.text, entry]) > 0
    {
      return try Journal.append(images, to: entry, db)
    }
    reception.losses = Losses(by: reception.losses.name)
    reception.losses.add(images)
    try Journal.add(
      db, .removedElsewhere, images, subject: reception.losses.text, at: transaction.now)
    reception.entry = db.lastInsertedRowID
    // The act is the other device's, so it gets no entry here. `flush` has left no other rows.
    try db.run("DELETE FROM folderAct")
  }
}
