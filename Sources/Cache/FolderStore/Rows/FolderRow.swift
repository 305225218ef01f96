import GRDB

package struct FolderRow: Sendable, Equatable {
  package var path: String
  /// The ID in the folder's file.
  package var mark: String
  package var name: String
  package var machine: UInt64
  package var isJoined: Bool
  package var author: EntryAuthor
  package var digest: StateDigest
  /// The entry of the journal that receives the changes of onboarding; `nil` after all articles
  /// were exported.
  var onboarding: Int64?
  var compared: Int64
  /// Milliseconds since 1970, as the columns of this name.
  package var compactedAt: Int64
  var positionsAt: Int64
  package var exchangedAt: Int64?
  package var problem: FolderProblem?

  package var device: DeviceID { author.device }

  /// Returns the present version of feeds, saved searches and rules.
  static func subscriptions(_ db: Database) throws -> Int64 {
    try db.value("SELECT sum(version) FROM changeVersion WHERE kind IN (0, 12)") ?? 0
  }

  /// Returns `nil` if this device shares no folder.
  static func find(_ db: Database) throws -> FolderRow? {
    try db.first("SELECT * FROM syncFolder WHERE id = 1") { row in
      let (number, clock, device): (Int64, Int64, Int64) = (
        row["lastNumber"], row["clock"], row["device"]
      )
      return FolderRow(
        path: row["path"], mark: row["mark"], name: row["name"],
        machine: UInt64(bitPattern: row["machine"] as Int64), isJoined: row["isJoined"],
        author: EntryAuthor(
          device: DeviceID(rawValue: UInt64(bitPattern: device)),
          lastNumber: UInt64(bitPattern: number),
          clock: HybridClock(last: Timestamp(rawValue: UInt64(bitPattern: clock)))),
        digest: StateDigest(rawValue: UInt64(bitPattern: row["digest"] as Int64)),
        onboarding: row["joining"] as Int64?, compared: row["compared"],
        compactedAt: row["compactedAt"],
        positionsAt: row["positionsAt"],
        exchangedAt: row["exchangedAt"] as Int64?,
        problem: (row["problem"] as String?).flatMap(FolderProblem.init))
    }
  }

  func save(_ db: Database) throws {
    guard try self != FolderRow.find(db) else { return }
    try db.run(
      """
      UPDATE syncFolder SET path = ?, device = ?, name = ?, machine = ?, isJoined = ?,
        lastNumber = ?, clock = ?, digest = ?, joining = ?, compared = ?, compactedAt = ?,
        positionsAt = ?, exchangedAt = ?, problem = ?
      """,
      [
        path, Int64(bitPattern: device.rawValue), name, Int64(bitPattern: machine), isJoined,
        Int64(bitPattern: author.lastNumber), Int64(bitPattern: author.clock.last.rawValue),
        Int64(bitPattern: digest.rawValue), onboarding, compared, compactedAt, positionsAt,
        exchangedAt, problem?.rawValue,
      ])
  }
}

/// The registers of all devices. Merging is commutative, associative and idempotent.
struct RegisterRows {
  /// The numbers of feeds and states that may still be added within the limits of the format.
  struct Remaining: Sendable {
    var feeds: Int
    var objects = Limits.objects
    var states: Int
    /// The reason of a value that SQLite refused.
    var refusal: StoreError.Detail?

    var compared: Int { Limits.feeds - feeds + Limits.objects - objects }
  }

  let db: Database

  /// Counts all registers: 20 ms for 1,000,000.
  func remaining() throws -> Remaining {
    let states: Int = try db.value("SELECT count(*) FROM folderRegister") ?? 0
    let feeds: Int =
      try db.value("SELECT count(DISTINCT subject) FROM folderRegister WHERE kind = 1") ?? 0
    let objects: Int = try db.value("SELECT count(*) FROM folderRegister WHERE kind = 3") ?? 0
    return Remaining(
      feeds: Limits.feeds - feeds, objects: Limits.objects - objects,
      states: Limits.states - states)
  }

  /// Merges an entry, except for values that SQLite refuses. Returns the registers that it changed.
  /// - Parameters:
  ///   - limit: a value after this time counts as none.
  ///   - remaining: the number of new registers; others are ignored.
  func merge(
    _ entry: Entry, from device: DeviceID, _ digest: inout StateDigest, limit: Timestamp,
    _ remaining: inout Remaining
  ) throws -> [RegisterKey] {
    var changed: [RegisterKey] = []
    for (key, new) in entry.registers(from: device) {
      let old = try find(key)
      let isWrong = (old?.stamp.time ?? limit) > limit && new.stamp.time <= limit
      guard isWrong || new.replaces(old), new != old else { continue }
      let (kind, subject, item) = Self.columns(of: key.subject)
      if old == nil {
        let ofFeed = "SELECT 1 FROM folderRegister WHERE kind = 1 AND subject = ? AND item = 0"
        let isNewFeed = try kind == 1 && !db.exists(ofFeed, [subject])
        guard remaining.states > 0, !isNewFeed || remaining.feeds > 0,
          kind != 3 || remaining.objects > 0
        else { continue }
        remaining.states -= 1
        if isNewFeed { remaining.feeds -= 1 }
        if kind == 3 { remaining.objects -= 1 }
      }
      do {
        try db.run(
          """
          INSERT OR REPLACE INTO folderRegister
            (kind, subject, item, field, time, device, value, rest, link)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            kind, subject, item, key.field.rawValue, Int64(bitPattern: new.stamp.time.rawValue),
            Int64(bitPattern: new.stamp.device.rawValue),
            String(decoding: new.value.bytes, as: UTF8.self),
            new.rest.isEmpty
              ? nil : String(decoding: JSONValue.object(new.rest).bytes, as: UTF8.self),
            new.link.map(Int64.init(bitPattern:)),
          ])
      } catch {
        guard let refusal = StoreError(error).refusal else { throw error }
        remaining.refusal = refusal
        continue
      }
      digest.replace(old, by: new, under: key)
      changed.append(key)
    }
    return changed
  }

  private func find(_ key: RegisterKey) throws -> Register? {
    let (kind, subject, item) = Self.columns(of: key.subject)
    return try db.first(
      """
      SELECT time, device, value, rest, link FROM folderRegister
      WHERE kind = ? AND subject = ? AND item = ? AND field = ?
      """, [kind, subject, item, key.field.rawValue], Self.register)
  }

  /// The fields of feeds and objects that this version applies.
  static let applied = Set(
    [.subscribed, .name, .url, .folder, .alias, .search, .rule, .order]
      + FeedOption.allCases.map { .option($0) } as [Field])
  private static let appliedInSQL = applied.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// Returns the state of all feeds and objects, without articles. Omits other fields: a device may
  /// write a million, and each transaction reads the state.
  func feedState() throws -> MergedState {
    let rows = try db.all(
      "SELECT * FROM folderRegister WHERE kind IN (1, 3) AND field IN (\(Self.appliedInSQL))"
    ) { row in
      let subject = UInt64(bitPattern: row["subject"] as Int64)
      let key = RegisterKey(
        row["kind"] as Int == 1
          ? .feed(FeedKey(rawValue: subject)) : .object(ObjectID(rawValue: subject)),
        Field(rawValue: row["field"]))
      return (key, try Self.register(row))
    }
    return MergedState(Dictionary(rows) { _, new in new })
  }

  static func register(_ row: Row) throws -> Register {
    let (time, device, value, rest): (Int64, Int64, String, String?) = (
      row["time"], row["device"], row["value"], row["rest"]
    )
    return Register(
      stamp: Stamp(
        Timestamp(rawValue: UInt64(bitPattern: time)),
        DeviceID(rawValue: UInt64(bitPattern: device))),
      value: JSONValue(value.utf8) ?? .null,
      rest: rest.flatMap { JSONValue($0.utf8)?.members } ?? [:],
      link: (row["link"] as Int64?).map(UInt64.init(bitPattern:)))
  }

  private static func columns(
    of subject: RegisterKey.Subject
  ) -> (kind: Int, subject: Int64, item: Int64) {
    switch subject {
    case .feed(let key): (1, Int64(bitPattern: key.rawValue), 0)
    case .article(let key, let item):
      (2, Int64(bitPattern: key.rawValue), Int64(bitPattern: item))
    case .object(let id): (3, Int64(bitPattern: id.rawValue), 0)
    }
  }
}

/// The reason that the exchange with the shared folder is paused. The user's changes wait
/// meanwhile. Raw values are stored.
package enum FolderProblem: String, Error, Sendable {
  /// There is nothing at the path: perhaps it is not mounted.
  case away
  /// The path is a file.
  case notFolder
  /// The directory has no weir-folder.json: perhaps it was emptied.
  case noMark
  /// weir-folder.json is damaged, or has not arrived completely.
  case incompleteMark
  /// The directory is another shared folder.
  case otherFolder
  /// A later version of Weir made the folder.
  case otherFormat
  case unreadable, readOnly, full, tooManyDevices
  /// The file beside the database that one process locks cannot be opened.
  case noLock
  /// Another process exchanges at the moment.
  case inUse
  /// Files of this device were removed. The exchange goes on without them.
  case filesMissing
}
