public import FeedModel
import Foundation
import GRDB

// What the engine tells while somebody looks.

extension FeedStore {
  /// Whether this process shows what the engine does. Forgotten when this store closes or its process
  /// dies.
  public func setWatchesTelemetry(_ watches: Bool) async throws(StoreError) {
    let owner = owner.text
    try await write(.engine) { db in
      if watches {
        try db.run("INSERT OR IGNORE INTO telemetryWatch (owner) VALUES (?)", [owner])
      } else {
        try db.run("DELETE FROM telemetryWatch WHERE owner = ?", [owner])
        let isWatched = try db.first("SELECT 1 FROM telemetryWatch") { _ in true } ?? false
        guard !isWatched else { return }
        // Nobody keeps these up to date from now on.
        try db.run("DELETE FROM telemetryOperation")
        try db.run("DELETE FROM telemetryHost")
      }
    }
  }

  /// Whether a living process shows it.
  public func isTelemetryWatched() throws(StoreError) -> Bool {
    try read { db in
      try db.all("SELECT owner FROM telemetryWatch") { $0[0] as String }
        .contains(where: ProcessOwner.isAlive)
    }
  }

  /// Replaces what was told before, and adds the samples to those that are kept. Rows that say the same
  /// are left alone.
  public func setTelemetry(_ telemetry: SyncTelemetry) async throws(StoreError) {
    let owner = owner.text
    let now = options.now().milliseconds
    try await write(.engine) { db in
      try TelemetryRows.write(telemetry, by: owner, at: now, db)
    }
  }

  /// What the engine tells; nothing where no engine lives that has told anything.
  /// - Parameter samples: the most that are read, the newest ones.
  public func telemetry(samples: Int) throws(StoreError) -> SyncTelemetry {
    try read { db in try TelemetryRows.read(db, samples: samples) }
  }
}

private enum TelemetryRows {
  // MARK: Writing

  static func write(
    _ telemetry: SyncTelemetry, by owner: String, at now: Int64, _ db: Database
  ) throws {
    let counts = telemetry.waiting.sorted { $0.key.rawValue < $1.key.rawValue }
      .flatMap { [$0.key.rawValue, $0.value] }
    let waiting = String(decoding: try JSONEncoder().encode(counts), as: UTF8.self)
    try db.run(
      """
      INSERT INTO telemetry (id, owner, at, reason, ceiling, waiting) VALUES (1, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, at = excluded.at,
        reason = excluded.reason, ceiling = excluded.ceiling, waiting = excluded.waiting
      """,
      [
        owner, (telemetry.at?.milliseconds) ?? now, telemetry.reason, telemetry.ceiling, waiting,
      ])
    try writeOperations(telemetry.operations, db)
    try writeHosts(telemetry.hosts, db)
    for sample in telemetry.samples {
      try db.run(
        """
        INSERT OR REPLACE INTO telemetrySample
          (at, rate, latency, queueing, width, inFlight, waiting, grade)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          sample.at.milliseconds, sample.rate, sample.latency, sample.queueing, sample.width,
          sample.inFlight, sample.waiting, sample.grade?.rawValue,
        ])
    }
    // Those of a clock that was set back would be the newest for ever.
    let memory = Int64(SyncTelemetry.memory * 1_000)
    try db.run(
      "DELETE FROM telemetrySample WHERE at < ?1 OR at > ?2", [now - memory, now + memory])
  }

  private static func writeOperations(_ operations: [SyncOperation], _ db: Database) throws {
    var old = Dictionary(
      try db.all(columns + " FROM telemetryOperation o") { row in
        operation(row, name: "").map { ($0.subject, $0) }
      }.compactMap { $0 }, uniquingKeysWith: { first, _ in first })
    for var operation in operations {
      operation.name = ""
      let (isRunning, detail) =
        switch operation.state {
        case .running(let stage): (true, stage.rawValue)
        case .waiting(let reason): (false, reason.rawValue)
        }
      let before = old.removeValue(forKey: operation.subject)
      if let before, isSame(before, operation) { continue }
      let (kind, key) = key(operation.subject)
      try db.run(
        """
        INSERT OR REPLACE INTO telemetryOperation
          (kind, id, host, class, isRunning, detail, bytes, since, attempt, place)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          kind, key, operation.host, operation.workClass.rawValue, isRunning, detail,
          operation.bytes,
          operation.since.milliseconds, operation.attempt, operation.place,
        ])
    }
    for subject in old.keys {
      let (kind, key) = key(subject)
      try db.run("DELETE FROM telemetryOperation WHERE kind = ? AND id = ?", [kind, key])
    }
  }

  /// Dates are kept to the millisecond, so that they may differ by less.
  private static func isSame(_ a: SyncOperation, _ b: SyncOperation) -> Bool {
    var b = b
    guard a.since.milliseconds == b.since.milliseconds else { return false }
    b.since = a.since
    return a == b
  }

  private static func writeHosts(_ hosts: [HostTelemetry], _ db: Database) throws {
    var old = Set(try db.all("SELECT host FROM telemetryHost") { $0[0] as String })
    for (place, host) in hosts.enumerated() {
      old.remove(host.host)
      try db.run(
        """
        INSERT INTO telemetryHost
          (host, inFlight, waiting, pausedUntil, status, answeredAt, latency, place)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (host) DO UPDATE SET inFlight = ?2, waiting = ?3, pausedUntil = ?4, status = ?5,
          answeredAt = ?6, latency = ?7, place = ?8
        WHERE inFlight <> ?2 OR waiting <> ?3 OR pausedUntil IS NOT ?4 OR status IS NOT ?5
          OR answeredAt IS NOT ?6 OR latency IS NOT ?7 OR place <> ?8
        """,
        [
          host.host, host.inFlight, host.waiting, host.pausedUntil?.milliseconds, host.status,
          host.answeredAt?.milliseconds, host.latency, place,
        ])
    }
    for host in old { try db.run("DELETE FROM telemetryHost WHERE host = ?", [host]) }
  }

  // MARK: Reading

  static func read(_ db: Database, samples: Int) throws -> SyncTelemetry {
    var telemetry = SyncTelemetry()
    telemetry.samples =
      try db.all(
        """
        SELECT at, rate, latency, queueing, width, inFlight, waiting, grade
        FROM telemetrySample ORDER BY at DESC LIMIT ?
        """, [samples]
      ) { row in
        LineSample(
          at: Date(milliseconds: row[0]), rate: row[1], latency: row[2], queueing: row[3],
          width: row[4], inFlight: row[5], waiting: row[6],
          grade: (row[7] as String?).flatMap(LineGrade.init(rawValue:)))
      }.reversed()
    let isAlive = try db.first("SELECT owner, at, reason, ceiling, waiting FROM telemetry") { row in
      guard ProcessOwner.isAlive(row[0]) else { return false }
      telemetry.at = row.date(1)
      telemetry.reason = row[2]
      telemetry.ceiling = row[3]
      telemetry.waiting = counts(row[4])
      return true
    }
    guard isAlive == true else { return telemetry }
    telemetry.operations = try db.all(
      """
      \(columns), coalesce(\(SQLText.feedName), d.url, a.title, w.url, c.title, '')
      FROM telemetryOperation o
        LEFT JOIN feed f ON o.kind = 0 AND f.id = o.id AND f.removedAt IS NULL
        LEFT JOIN discovery d ON o.kind = 1 AND d.id = o.id
        LEFT JOIN article a ON o.kind = 2 AND a.id = o.id
        LEFT JOIN download w ON o.kind = 3 AND w.id = o.id
        LEFT JOIN account c ON o.kind IN (4, 5) AND c.id = o.id
      ORDER BY o.isRunning DESC, CASE WHEN o.isRunning THEN o.since END,
        o.class, o.place, o.kind, o.id
      """
    ) { operation($0, name: $0[10]) }.compactMap { $0 }
    telemetry.hosts = try db.all(
      """
      SELECT host, inFlight, waiting, pausedUntil, status, answeredAt, latency
      FROM telemetryHost ORDER BY place, host
      """
    ) { row in
      HostTelemetry(
        host: row[0], inFlight: row[1], waiting: row[2], pausedUntil: row.date(3), status: row[4],
        answeredAt: row.date(5), latency: row[6])
    }
    return telemetry
  }

  private static let columns = """
    SELECT o.kind, o.id, o.host, o.class, o.isRunning, o.detail, o.bytes, o.since, o.attempt, o.place
    """

  /// Nil for a kind that this version does not know.
  private static func operation(_ row: Row, name: String) -> SyncOperation? {
    let (kind, id, detail) = (row[0] as Int, row[1] as Int64, row[5] as Int)
    let isRunning: Bool = row[4]
    guard let subject = subject(kind, id) else { return nil }
    return SyncOperation(
      subject: subject, name: name, host: row[2], workClass: WorkClass(rawValue: row[3]) ?? .p2,
      // A number that this version does not know can only be a newer one's.
      state: isRunning
        ? .running(SyncOperation.Stage(rawValue: detail) ?? .connecting)
        : .waiting(WaitReason(rawValue: detail) ?? .widthFull),
      bytes: row[6], since: Date(milliseconds: row[7]), attempt: row[8], place: row[9])
  }

  private static func key(_ subject: SyncOperation.Subject) -> (kind: Int, id: Int64) {
    switch subject {
    case .feed(let feed): (0, feed.rawValue)
    case .discovery(let discovery): (1, discovery)
    case .fullText(let article): (2, article.rawValue)
    case .download(let download): (3, download)
    case .push(let account): (4, account.rawValue)
    case .pull(let account): (5, account.rawValue)
    }
  }

  private static func subject(_ kind: Int, _ id: Int64) -> SyncOperation.Subject? {
    switch kind {
    case 0: .feed(FeedID(rawValue: id))
    case 1: .discovery(id)
    case 2: .fullText(ArticleID(rawValue: id))
    case 3: .download(id)
    case 4: .push(AccountID(rawValue: id))
    case 5: .pull(AccountID(rawValue: id))
    default: nil
    }
  }

  private static func counts(_ text: String) -> [WaitReason: Int] {
    let numbers = (try? JSONDecoder().decode([Int].self, from: Data(text.utf8))) ?? []
    return stride(from: 0, to: numbers.count - 1, by: 2).reduce(into: [:]) { counts, index in
      if let reason = WaitReason(rawValue: numbers[index]) { counts[reason] = numbers[index + 1] }
    }
  }
}
