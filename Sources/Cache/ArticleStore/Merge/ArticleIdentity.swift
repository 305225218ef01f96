import Foundation
package import GRDB

// Decides which known article an item of a document is.
//
// An item with a known id:
//
// | the item                                             | is                                 |
// |------------------------------------------------------|------------------------------------|
// | has the only use of its id in the document           | the article with the id            |
// | has another title, address, text and a later date    | new, as the id was used again      |
// | shares its id with items of other address, title     | told apart by address, title and   |
// | or date, in this or an earlier document              | date; repetitions are one          |
// | has no id of its own, and another date               | new, whatever address and title    |
//
// An item with an unknown id, compared with articles that the document does not list. A sign tells
// articles apart if it occurs once in the document and once among the articles compared; dates are
// equal to the second.
//
// | signs that agree                                     | is                                 |
// |------------------------------------------------------|------------------------------------|
// | address, title, date                                 | the article; at midnight only if   |
// |                                                      | the address tells it apart, or the |
// |                                                      | text agrees                        |
// | all parts of an item with a text                     | the article                        |
// | a date that tells apart, and address, title or text; | the article (a moved page)         |
// | title and date together, or text and a date that     |                                    |
// | tells apart in the document, not at midnight         |                                    |
// | address, title, and day or minute, if one side says  | the article, if the address tells  |
// | no more                                              | it apart, or the text agrees       |
// | an address that tells apart, and text                | the article, unless the item is    |
// |                                                      | later than every known one         |
// | address and title, or title and text, one undated    | the article, if no id of the       |
// |                                                      | document is known, and most of its |
// |                                                      | items, three or more, are known    |
// | none of these                                        | new                                |

package struct ArticleIdentity {
  package struct Listed {
    package var article: Int64
    package var place: Int
    package var fingerprint: Int64
    /// `nil` if the article keeps its identity.
    package var identity: Int64?
    package var isEdited: Bool
  }

  package private(set) var new: [Merge.Arrival] = []
  /// Articles to change, with other IDs or other content.
  package private(set) var changed: [Listed] = []
  package private(set) var identities: Set<Int64>
  /// The articles whose id new ones use again, by identity of the new one.
  package private(set) var former: [Int64: Int64] = [:]

  private let items: [ParsedItem]
  private let feed: Int64
  private let firstSeen: Int64
  private let statements: ArticleStatements
  private let db: Database
  /// Known articles that items of the document are.
  private var claimed: Set<Int64> = []

  package init(
    of items: [ParsedItem], feed: Int64, firstSeen: Int64, _ statements: ArticleStatements,
    _ db: Database
  ) throws {
    (self.items, self.feed, self.firstSeen) = (items, feed, firstSeen)
    (self.statements, self.db) = (statements, db)
    identities = Set(minimumCapacity: items.count)
    // Otherwise all items of the feed are new.
    let hasHistory = try db.exists(
      """
      SELECT 1 FROM article WHERE feedID = ?1 UNION ALL SELECT 1 FROM tombstone WHERE feedID = ?1
      """, [feed])
    if !hasHistory { new.reserveCapacity(items.count) }
    // By index, because a closure over items copies each.
    let ids = items.indices.map { Fingerprint.identity(items[$0].id) }
    var shared: Set<Int64> = []
    for id in ids where !identities.insert(id).inserted { shared.insert(id) }
    identities.removeAll(keepingCapacity: true)
    var strangers: [Item] = []
    for place in items.indices {
      let isShared = shared.contains(ids[place])
      let identity = isShared ? Self.part(of: ids[place], items[place]) : ids[place]
      guard identities.insert(identity).inserted else { continue }
      let fingerprint = items.withUnsafeBufferPointer { $0[place].fingerprint }
      guard hasHistory else {
        new.append(arrival(place, identity, fingerprint))
        continue
      }
      if !isShared, let (id, old) = try find(identity), old == fingerprint {
        claimed.insert(id)
        continue
      }
      let item = Item(items[place], arrival(place, identity, fingerprint))
      guard let stranger = try direct(item, id: ids[place], isShared: isShared) else { continue }
      strangers.append(stranger)
    }
    guard !strangers.isEmpty else { return }
    try match(strangers)
  }

  private func arrival(_ place: Int, _ identity: Int64, _ fingerprint: Int64) -> Merge.Arrival {
    items.withUnsafeBufferPointer {
      Merge.Arrival($0[place], at: place, identity, fingerprint, firstSeen: firstSeen)
    }
  }

  private func find(_ identity: Int64) throws -> (id: Int64, fingerprint: Int64)? {
    var found: (Int64, Int64)?
    try statements.known.bind(feed, at: 1)
    try statements.known.bind(identity, at: 2)
    try statements.known.forEachRow { found = ($0.integer(0), $0.integer(1)) }
    return found
  }

  // MARK: Known IDs

  /// The bits that all items with one id have in common.
  private static let idBits: Int64 = -1 << 32

  /// Returns the identity of one of several items with an id: half of the hash of the id, and half
  /// of a hash of address, title and date.
  private static func part(of id: Int64, _ item: ParsedItem) -> Int64 {
    var value = item.url.map { XXH64.hash(WebAddress($0).canonical ?? $0, seed: 0) } ?? 0
    value = XXH64.hash(item.title ?? "", seed: value)
    value ^= UInt64(bitPattern: item.datePublished?.milliseconds ?? -1) &* XXH64.prime2
    return id & idBits | Int64(bitPattern: value >> 32)
  }

  /// Finds the article with the item's id. Returns the item if there is none.
  private mutating func direct(_ item: Item, id: Int64, isShared: Bool) throws -> Item? {
    let itemID = ItemText.cut(items[item.place].id, ItemText.Limit.identifier)
    let known = try known(
      "a.feedID = ?1 AND a.identity BETWEEN ?2 AND ?3", [feed, id & Self.idBits, id | ~Self.idBits]
    ).filter { !claimed.contains($0.id) && ($0.identity == id || $0.itemID == itemID) }
    guard !known.isEmpty else { return item }
    let identity = Self.part(of: id, items[item.place])
    let wasShared = known.contains { $0.identity != id }
    let match =
      try known.first { $0.identity == identity }
      ?? known.first {
        isShared
          ? $0.link == item.link && $0.title == item.title && $0.agrees(with: item)
          : try !isAnother(item, than: $0, wasShared: wasShared)
      }
    if let match {
      list(match, as: item, identity: nil)
      return nil
    }
    var stranger = item
    identities.remove(item.arrival.identity)
    stranger.arrival.identity = identity
    guard identities.insert(identity).inserted else { return nil }
    if !isShared, !wasShared, item.hasOwnID { former[identity] = known.first?.id }
    return stranger
  }

  /// Returns true if the publisher uses the id of an article for another one.
  private func isAnother(_ item: Item, than known: Known, wasShared: Bool) throws -> Bool {
    guard item.hasOwnID else {
      guard let date = item.published, let other = known.published else { return false }
      return try !Known.agree(date, other)
        && !(isDatedByServer(item) && hasText(of: known, item))
    }
    let hasAddresses = Link.isIdentifying(item.link) && Link.isIdentifying(known.link)
    return try known.title != item.title
      && (hasAddresses ? known.link != item.link : wasShared)
      && known.isBefore(item) && !known.agrees(with: item)
      && !hasText(of: known, item)
  }

  /// Returns true if the items of the document, three or more, all have the same date, which is
  /// then the time of the answer.
  private func isDatedByServer(_ item: Item) -> Bool {
    items.count > 2 && items.allSatisfy { $0.datePublished?.milliseconds == item.published }
  }

  private mutating func list(_ known: Known, as item: Item, identity: Int64?) {
    claimed.insert(known.id)
    let isEdited = known.fingerprint != item.arrival.fingerprint
    guard isEdited || identity != nil else { return }
    changed.append(
      Listed(
        article: known.id, place: item.place, fingerprint: item.arrival.fingerprint,
        identity: identity, isEdited: isEdited))
  }

  // MARK: Unknown IDs

  /// Fewest items that are matched as a whole, and the number of articles compared with them.
  private static let fewest = 3
  private static let mostCompared = 512

  private mutating func match(_ strangers: [Item]) throws {
    let isStorm = claimed.isEmpty
    let newest = """
      a.id IN (SELECT articleID FROM articleStatus WHERE feedID = ?1 AND isHidden = 0
        ORDER BY sortDate DESC LIMIT \(Self.mostCompared))
      """
    let all = isStorm ? Compared(try known(newest, [feed]), with: strangers) : nil
    let latest: Int64 =
      try db.value(
        "SELECT max(sortDate) FROM articleStatus WHERE feedID = ? AND isHidden = 0", [feed]) ?? .max
    let compared: [(item: Item, known: [Known], signs: Signs)] = try strangers.map { item in
      if let all { return (item, all.articles(like: item), all.signs) }
      let found = try candidates(item)
      return (item, found.filter { !claimed.contains($0.id) }, Signs(found))
    }
    var here = Signs()
    if compared.contains(where: { !$0.known.isEmpty }) { for item in items { here.add(item) } }
    var rest = compared.map { ($0.item, $0.known, Uniqueness($0.item, here, $0.signs)) }
    var likely: [(Item, Known?)] = []
    for rule in Rule.allCases where rule != .whole || isStorm {
      var left = rest
      left.removeAll()
      for (item, known, unique) in rest {
        let found = try known.first {
          try !claimed.contains($0.id) && isSame($0, item, unique, by: rule, after: latest)
        }
        guard let found else {
          left.append((item, known, unique))
          continue
        }
        if rule == .whole {
          claimed.insert(found.id)
          likely.append((item, found))
        } else {
          list(found, as: item, identity: item.arrival.identity)
        }
      }
      rest = left
    }
    for (item, _, _) in rest {
      switch try deletion(of: item) {
      case .exact: break
      case .undated where isStorm: likely.append((item, nil))
      case .undated, nil: new.append(item.arrival)
      }
    }
    let isWhole =
      strangers.count >= Self.fewest
      && (strangers.count - new.count) * 4 >= strangers.count * 3
    for (item, known) in likely {
      if !isWhole {
        new.append(item.arrival)
      } else if let known {
        list(known, as: item, identity: item.arrival.identity)
      }
    }
    new.sort { $0.place < $1.place }
  }

  private enum Rule: CaseIterable { case page, date, coarse, text, whole }

  private func isSame(
    _ known: Known, _ item: Item, _ unique: Uniqueness, by rule: Rule, after latest: Int64
  ) throws -> Bool {
    let (hasAddress, hasTitle) = (known.link == item.link, known.title == item.title)
    let isUndated = known.dates.isEmpty || item.dates.isEmpty
    switch rule {
    case .page, .coarse:
      guard hasAddress, hasTitle else { return false }
      if known.fingerprint == item.arrival.fingerprint {
        return Revisions.letters(text(of: item), atMost: 1) > 0
      }
      let isExact = known.isAtSecond(of: item)
      guard rule == .page ? isExact : known.agrees(with: item) else { return false }
      return try isExact && !item.isMidnight || unique.address || hasText(of: known, item)
    case .date:
      guard known.isAtSecond(of: item) else { return false }
      guard unique.date || !item.isMidnight else { return false }
      guard unique.date else {
        return try hasTitle && unique.titledDate || unique.listedDate && hasText(of: known, item)
      }
      return try hasAddress && unique.address || hasTitle || hasText(of: known, item)
    case .text:
      guard hasAddress, unique.address, isUndated || (item.date ?? 0) <= latest else {
        return false
      }
      return try hasText(of: known, item)
    case .whole:
      guard isUndated, hasTitle else { return false }
      return try hasAddress && unique.address || unique.title && hasText(of: known, item)
    }
  }

  private func candidates(_ item: Item) throws -> [Known] {
    var found = try known("a.link = ?2 AND a.feedID = ?1", [feed, item.link])
    for second in item.dates {
      let others = try known(
        """
        a.id IN (SELECT articleID FROM articleStatus
          WHERE feedID = ?1 AND isHidden = 0 AND sortDate BETWEEN ?2 AND ?3)
        """, [feed, second * 1_000, second * 1_000 + 999])
      found += others.filter { other in !found.contains { $0.id == other.id } }
    }
    return found
  }

  private func known(_ condition: String, _ arguments: StatementArguments) throws -> [Known] {
    try db.all(
      """
      SELECT \(Known.columns)
      FROM article a LEFT JOIN articleBody b ON b.articleID = a.id
      WHERE \(condition) LIMIT \(Self.mostCompared)
      """, arguments, Known.init
    ).sorted { $0.id > $1.id }
  }

  /// Shorter texts, in bytes without markup and spaces, say nothing.
  private static let shortestText = 20

  private func hasText(of known: Known, _ item: Item) throws -> Bool {
    let text = text(of: item)
    guard Revisions.letters(text, atMost: Self.shortestText) == Self.shortestText else {
      return false
    }
    let other: String? = try db.first(
      "SELECT html, summary FROM articleBody WHERE articleID = ?", [known.id]
    ) { Self.text($0["html"], $0["summary"]) }
    return other.map { Revisions.haveSameWords($0, text) } ?? false
  }

  private func text(of item: Item) -> String {
    Self.text(ItemText.body(items[item.place]), items[item.place].summary)
  }

  private static func text(_ html: String, _ summary: String?) -> String {
    html.isEmpty ? summary ?? "" : html
  }

  private enum Deletion { case exact, undated }

  private func deletion(of item: Item) throws -> Deletion? {
    let similarityHash = item.arrival.similarityHash
    let isBuried: Bool? = try db.value(
      "SELECT likeness = ? OR ? FROM tombstone WHERE feedID = ? AND identity = ?",
      [similarityHash, item.hasOwnID || item.published == nil, feed, item.arrival.identity])
    if isBuried == true { return .exact }
    let isAlike = try db.exists(
      "SELECT 1 FROM tombstone WHERE feedID = ? AND likeness = ? LIMIT 1", [feed, similarityHash])
    return isAlike ? item.dates.isEmpty ? .undated : .exact : nil
  }

  package static func rename(_ article: Int64, to identity: Int64, itemID: String, _ db: Database)
    throws
  {
    try db.run(
      """
      UPDATE OR REPLACE tombstone SET identity = ?1 WHERE (feedID, identity) =
        (SELECT feedID, identity FROM article WHERE id = ?2)
      """, [identity, article])
    try db.run("UPDATE article SET identity = ? WHERE id = ?", [identity, article])
    try db.run(
      "UPDATE articleBody SET itemID = ? WHERE articleID = ?",
      [ItemText.cut(itemID, ItemText.Limit.identifier), article])
  }
}
