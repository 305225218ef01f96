import CacheCore
package import FeedModel
import GRDB

// Insertion of new articles, which runs once for each of them.
extension Merge {
  /// Inserts an article; returns `nil` if the item was deleted and must not return.
  package func insert(_ arrival: Arrival, _ item: ParsedItem, firstSeen: Int64) throws -> ArticleID?
  {
    try insert([arrival], of: [item], firstSeen: firstSeen, mayBeBuried: true).first
  }

  /// Inserts articles, except for items that were deleted and must not return.
  package func insert(
    _ arrivals: [Arrival], of items: [ParsedItem], firstSeen: Int64, mayBeBuried: Bool
  ) throws -> [ArticleID] {
    let arrivals = mayBeBuried ? try arrivals.filter { try !isBuried($0.identity) } : arrivals
    // A link used twice in one feed does not identify a story.
    var links: Set<Int64> = []
    let originals = try arrivals.map { arrival in
      links.insert(arrival.link).inserted
        ? try Deduplication.original(of: arrival.link, feed: feed, statements.twins) : nil
    }
    let bodies = arrivals.map { ItemText.body(items[$0.place]) }
    let ids = try insertArticles(arrivals, of: items, bodies, firstSeen: firstSeen)
    for (index, id) in ids.enumerated() {
      let item = items[arrivals[index].place]
      try BodyColumn.write(item, bodies[index], of: id, isNew: true, statements.newBody)
      try insertEnclosures(item.enclosures, id)
    }
    try insertStatuses(of: arrivals, ids, originals)
    for case (let id, let original?) in zip(ids, originals) {
      try Deduplication.separate(id, from: original, db)
    }
    return ids.map(ArticleID.init)
  }

  private func isBuried(_ identity: Int64) throws -> Bool {
    var isBuried = false
    try statements.buried.bind(feed, at: 1)
    try statements.buried.bind(identity, at: 2)
    try statements.buried.forEachRow { _ in isBuried = true }
    return isBuried
  }

  /// Inserts the rows that lists show.
  /// - Returns: their keys, which AUTOINCREMENT makes consecutive within a statement.
  private func insertArticles(
    _ arrivals: [Arrival], of items: [ParsedItem], _ bodies: [String], firstSeen: Int64
  ) throws -> [Int64] {
    var ids: [Int64] = []
    ids.reserveCapacity(arrivals.count)
    while ids.count < arrivals.count {
      let (count, statement) = statements.articles(atMost: arrivals.count - ids.count)
      for row in 0..<count {
        let arrival = arrivals[ids.count + row]
        let item = items[arrival.place]
        let place = Int32(row * 10)
        try statement.bind(feed, at: place + 1)
        try statement.bind(arrival.identity, at: place + 2)
        try statement.bind(arrival.fingerprint, at: place + 3)
        try statement.bind(arrival.title, at: place + 4)
        try statement.bind(Self.byline(item), at: place + 5)
        try statement.bind(ItemText.address(item.url), at: place + 6)
        try statement.bind(firstSeen, at: place + 7)
        try statement.bind(!item.enclosures.isEmpty, at: place + 8)
        try statement.bind(arrival.link, at: place + 9)
        try statement.bind(
          Int64(ItemText.words(bodies[ids.count + row], item)), at: place + 10)
      }
      try statement.run()
      let last = db.lastInsertedRowID
      ids += last - Int64(count) + 1...last
    }
    return ids
  }

  private func insertStatuses(
    of arrivals: [Arrival], _ ids: [Int64], _ originals: [Deduplication.Original?]
  ) throws {
    var done = 0
    while done < ids.count {
      let (count, statement) = statements.statuses(atMost: ids.count - done)
      for row in 0..<count {
        let original = originals[done + row]
        let place = Int32(row * 6)
        try statement.bind(ids[done + row], at: place + 1)
        try statement.bind(feed, at: place + 2)
        try statement.bind(arrivals[done + row].sortDate, at: place + 3)
        try statement.bind(original?.isRead ?? false, at: place + 4)
        try statement.bind(original?.isStarred ?? false, at: place + 5)
        try statement.bind(original?.id, at: place + 6)
      }
      try statement.run()
      done += count
    }
  }

  func insertEnclosures(_ enclosures: [Enclosure], _ id: Int64) throws {
    for (position, enclosure) in enclosures.prefix(ItemText.mostParts).enumerated() {
      guard let url = ItemText.address(enclosure.url) else { continue }
      try db.run(
        """
        INSERT INTO enclosure (articleID, position, url, mimeType, title, size, duration)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          id, position, url, ItemText.cut(enclosure.mimeType, ItemText.Limit.label),
          enclosure.title.map { ItemText.cut($0, ItemText.Limit.title) }, enclosure.size,
          enclosure.duration,
        ])
    }
  }

  static func byline(_ item: ParsedItem) -> String? {
    let names = item.authors.prefix(ItemText.mostParts).compactMap(\.name)
    return names.isEmpty
      ? nil : ItemText.cut(names.joined(separator: ", "), ItemText.Limit.label)
  }
}
