import Foundation
import GRDB

/// The shared folder during a transaction.
struct OpenFolder {
  /// The largest number of articles in one transaction.
  static let step = 250
  /// Articles after which a transaction compares its time with `longest`.
  static let part = 25
  /// The time after which a transaction leaves the rest to the next one, so that no key and no
  /// other process waits long.
  static let longest = Duration.milliseconds(20)
  /// Milliseconds between two entries of reading positions.
  static let positionInterval: Int64 = 60_000

  let transaction: Transaction
  var row: FolderRow
  var refusal: StoreError.Detail?
  private let beganAt = ContinuousClock.now
  var db: Database { transaction.db }
  var registers: RegisterRows { RegisterRows(db: db) }

  /// Returns `nil` if this device shares no folder.
  init?(_ transaction: Transaction) throws {
    guard let row = try FolderRow.find(transaction.db) else { return nil }
    (self.transaction, self.row) = (transaction, row)
  }

  var isLate: Bool { ContinuousClock.now - beganAt >= Self.longest }
  /// True after half of `longest`; the other half is for applying what was found.
  var isHalfway: Bool { (ContinuousClock.now - beganAt) * 2 >= Self.longest }

  // MARK: Own entries

  /// Writes the entry of a local change, unless its value must not be shared.
  /// - Parameter current: the time of the newest state that it replaces.
  mutating func addEntry(
    _ field: Field, of subject: Entry.Subject, _ value: JSONValue,
    rest: [String: JSONValue] = [:], at milliseconds: Int64, after current: Timestamp?
  ) throws {
    // A time that no other device accepts cannot be surpassed.
    let current = current.flatMap { $0 <= limit ? $0 : nil }
    try add { author in
      let entry = try? author.nextEntry(
        field, of: subject, value, rest: rest, wall: milliseconds, after: current)
      return entry.map { [$0] } ?? []
    }
  }

  /// The time after which entries are ignored.
  var limit: Timestamp {
    row.author.clock.time(ahead: Limits.ignored, wall: transaction.at)
  }

  /// Stores an entry of this device, which already has a number.
  mutating func add(_ entry: Entry) throws {
    var remaining = RegisterRows.Remaining(feeds: .max, states: .max)
    _ = try registers.merge(entry, from: row.device, &row.digest, limit: limit, &remaining)
    if let refusal = remaining.refusal { throw StoreError.refusedValue(detail: refusal) }
    try db.run(
      "INSERT INTO folderEntry (number, line) VALUES (?, ?)",
      [Int64(bitPattern: entry.number), Data(entry.line)])
  }

  /// Stores entries that `number` makes, unless SQLite refuses them.
  mutating func add(_ number: (inout EntryAuthor) -> [Entry]) throws {
    let refused = try db.writeAccepted([()][...]) { _ in
      var new = self
      for entry in number(&new.row.author) { try new.add(entry) }
      self = new
    }
    refusal = refusal ?? refused
  }

  /// Writes an entry with the time of onboarding, unless its value must not be shared.
  mutating func export(
    _ field: Field, of subject: Entry.Subject, _ value: JSONValue, rest: [String: JSONValue] = [:]
  ) throws {
    let entry = Entry(
      number: 0, time: .onboarding, subject: subject, field: field, value: value, rest: rest)
    guard let admitted = try? entry.admitted() else { return }
    try add { $0.number([admitted]) }
  }

  /// Writes an entry that sets nothing, so that other devices see a device without changes.
  mutating func announce() throws { try export(Field(rawValue: ""), of: .none, .null) }

  /// Writes entries for the local changes since the last call, in their order. A transaction that
  /// applies entries of other devices calls this first; otherwise a remote entry could overwrite a
  /// local change that has no entry yet. Changes of feeds, searches and rules that are not in the
  /// journal (by commands, redirects and lists) are found by comparing the states.
  /// - Returns: false if changes of many articles remain for another transaction.
  mutating func flush() throws -> Bool {
    var (changes, count): ([Change], Int) = ([], 0)
    let ids: [Int64] = try db.values("SELECT id FROM folderAct ORDER BY id")
    for id in ids where count < Self.step {
      let change = try db.first(
        "SELECT id, at, isUndo, images FROM folderAct WHERE id = ?", [id], Change.init)
      guard let change else { continue }
      changes.append(change)
      count += change.images.reduce(0) { $0 + $1.keys.count }
    }
    let compared: Set = ["feed", "folder", "savedSearch", "rule"]
    let arranged = changes.last { $0.images.contains { compared.contains($0.table) } }
    if try arranged != nil || row.compared != FolderRow.subscriptions(db) {
      var feeds = try FeedStates(transaction, registers.feedState())
      try feeds.flushDifferences(at: arranged?.at ?? transaction.at, &self)
      let removed = changes.flatMap { change in
        change.images.filter { (change.isUndo ? $0.before : $0.after) == nil }.flatMap { image in
          image.keys.map { (image.table, $0) }
        }
      }
      try ObjectStates(transaction, feeds.state).flushDifferences(
        removed: removed, at: arranged?.at ?? transaction.at, &self)
      let isArranged = changes.flatMap(\.images).contains { (image: RowImages) -> Bool in
        let isMoved: Bool = image.after?.keys.contains("position") ?? false
        return image.table == "folder" || (image.table == "feed" && isMoved)
      }
      if isArranged || feeds.hasNew {
        try FolderOrders(transaction, feeds.state).flush(
          at: arranged?.at ?? transaction.at, &self)
      }
      row.compared = try FolderRow.subscriptions(db)
    }
    var left = Self.step
    for change in changes {
      var rest: [RowImages] = []
      for image in change.images {
        let marks = Self.marks(image, isUndo: change.isUndo, at: change.at)
        guard !marks.isEmpty else { continue }
        let keys = image.keys
        var count = min(left, keys.count)
        for (index, (field, value)) in marks.enumerated() {
          let flushed = try flush(
            field, value, of: Array(keys.prefix(count)), at: change.at, stopsHalfway: index == 0)
          count = min(count, flushed)
        }
        if keys.count > count {
          rest.append(
            RowImages(
              image.table, keys.dropFirst(count), before: image.before, after: image.after))
        }
        left = keys.count > count ? 0 : left - count
      }
      guard rest.isEmpty else {
        try db.run(
          "UPDATE folderAct SET images = ? WHERE id = ?", [StoredJSON.text(rest), change.id])
        return false
      }
      try db.run("DELETE FROM folderAct WHERE id = ?", [change.id])
    }
    return changes.count == ids.count
  }

  private struct Change {
    let id: Int64
    let at: Int64
    let isUndo: Bool
    let images: [RowImages]

    init(_ row: Row) {
      (id, at, isUndo) = (row["id"], row["at"], row["isUndo"])
      images = Journal.images(row)
    }
  }

  /// Writes entries of the reading positions that have changed, with the time of this transaction.
  mutating func flushPositions() throws {
    let changed: [(id: Int64, block: Int64?, share: Double?)] = try db.all(
      """
      SELECT p.articleID, r.block, r.share FROM folderPosition p
      LEFT JOIN readingPosition r ON r.articleID = p.articleID
      """
    ) { ($0["articleID"], $0["block"], $0["share"]) }
    for position in changed {
      let value = Self.position(position.block, position.share)
      _ = try flush(.position, value, of: [position.id], at: transaction.at)
    }
    try db.run("DELETE FROM folderPosition")
    row.positionsAt = transaction.at
  }

  /// Returns the value for a row of `readingPosition`; without a row, that of the beginning.
  static func position(_ block: Int64?, _ share: Double?) -> JSONValue {
    let thousandths = Int64(((share ?? 0) * 1_000).rounded())
    return .array([.integer(block ?? -1), .integer(min(max(0, thousandths), 1_000))])
  }

  /// Returns the fields of articles that an image changes.
  private static func marks(
    _ image: RowImages, isUndo: Bool, at time: Int64
  ) -> [(Field, JSONValue)] {
    func flag(_ isSet: Bool) -> JSONValue { .integer(isSet ? 1 : 0) }
    let (from, to) = isUndo ? (image.after, image.before) : (image.before, image.after)
    switch image.table {
    case "articleTag":
      return ((to ?? from)?["tag"] ?? nil).map { [(.tag($0), flag(to != nil))] } ?? []
    case "snooze":
      // Each device has the rules; only what the user snoozed has an entry.
      guard (to ?? from)?["reason"].map({ $0 == "0" }) ?? true else { return [] }
      // An article that the user woke has slept until now; one whose snooze was undone, never.
      let until = (to?["until"] ?? nil).flatMap { Int64($0) }
      return [(.snoozed, .integer(until ?? (isUndo ? 0 : time)))]
    case "articleStatus":
      func number(_ values: RowImages.Values?, _ column: String) -> Int64? {
        (values?[column] ?? nil).flatMap { Int64($0) }
      }
      var marks: [(Field, JSONValue)] = []
      for (mark, field) in [(Mark.read, Field.read), (.starred, .starred)] {
        // A snooze records the mark without changing it, for its undo.
        guard let value = number(to, mark.rawValue),
          isUndo || number(from, mark.rawValue) != value
        else { continue }
        marks.append((field, flag(value == 1)))
      }
      if let time = to?[Mark.later.rawValue] { marks.append((.later, flag(time != nil))) }
      if let new = number(to, "isHidden"), let old = number(from, "isHidden"),
        (new ^ old) & HiddenReason.deleted != 0
      {
        marks.append((.deleted, flag(new & HiddenReason.deleted != 0)))
      }
      return marks
    default: return []
    }
  }

  /// - Parameter stopsHalfway: true to leave articles for another transaction.
  /// - Returns: the number of articles that are done.
  private mutating func flush(
    _ field: Field, _ value: JSONValue, of articles: [Int64], at milliseconds: Int64,
    stopsHalfway: Bool = false
  ) throws -> Int {
    var order: [FeedKey] = []
    var found: [FeedKey: [ArticleIdentity]] = [:]
    var current: [FeedKey: Int64] = [:]
    var count = 0
    for id in articles {
      if stopsHalfway, count > 0, count % Self.part == 0, isHalfway { break }
      count += 1
      let row: (key: Int64, feed: Int64, identity: Int64, link: Int64)? = try db.first(
        """
        SELECT k.key, a.feedID, a.identity, ifnull(a.link, 1) AS link
        FROM article a JOIN folderFeed k ON k.feedID = a.feedID AND k.place = 0 WHERE a.id = ?
        """, [id]
      ) { ($0["key"], $0["feedID"], $0["identity"], $0["link"]) }
      guard let row else { continue }
      let key = FeedKey(rawValue: UInt64(bitPattern: row.key))
      let link = Link.isIdentifying(row.link) ? row.link : nil
      let time: Int64? = try db.value(
        """
        SELECT max(time) FROM (
          SELECT r.time FROM folderFeed k CROSS JOIN folderRegister r
            WHERE k.feedID = ?4 AND r.kind = 2 AND r.subject = k.key AND r.item = ?2
            AND r.field = ?1
          UNION ALL SELECT r.time FROM folderFeed k
            CROSS JOIN folderRegister r INDEXED BY folderRegister_link
            WHERE k.feedID = ?4 AND r.kind = 2 AND r.subject = k.key AND r.link = ?3
            AND r.field = ?1)
        """, [field.folded.rawValue, row.identity, link, row.feed])
      if found[key] == nil { order.append(key) }
      found[key, default: []].append(
        ArticleIdentity(
          item: UInt64(bitPattern: row.identity), link: link.map(UInt64.init(bitPattern:))))
      if let time { current[key] = max(time, current[key] ?? 0) }
    }
    for key in order {
      let after = current[key].map { Timestamp(rawValue: UInt64(bitPattern: $0)) }
      let all = found[key] ?? []
      for start in stride(from: 0, to: all.count, by: Limits.articles) {
        let part = Array(all[start..<min(all.count, start + Limits.articles)])
        try addEntry(field, of: .articles(key, part), value, at: milliseconds, after: after)
      }
    }
    return count
  }
}
