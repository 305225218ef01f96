public import FeedModel
import Foundation
import GRDB

// What the engine publishes while it is watched.

extension RequestCache {
  /// Sets whether this process shows the engine's telemetry, until this store closes or its process
  /// ends.
  public func setWatchesTelemetry(_ watches: Bool) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      if watches {
        try db.run("INSERT OR IGNORE INTO telemetryWatch (owner) VALUES (?)", [owner])
      } else {
        try db.run("DELETE FROM telemetryWatch WHERE owner = ?", [owner])
        let isWatched = try db.exists("SELECT 1 FROM telemetryWatch")
        guard !isWatched else { return }
        // Nobody keeps these up to date from now on.
        try db.run("DELETE FROM telemetryOperation")
        try db.run("DELETE FROM telemetryHost")
      }
    }
  }

  /// Returns the engine's telemetry; empty if no engine publishes any.
  /// - Parameter samples: the number of newest samples.
  public func telemetry(samples: Int) throws(StoreError) -> SyncTelemetry {
    try database.read { db in try TelemetryRows.read(db, samples: samples) }
  }
}

extension RequestWork {
  /// Returns whether a running process shows the telemetry.
  public func isTelemetryWatched() throws(StoreError) -> Bool {
    try database.read { db in
      try db.values("SELECT owner FROM telemetryWatch")
        .contains(where: ProcessOwner.isAlive)
    }
  }

  /// Replaces the published telemetry, and adds the samples to the stored ones. Equal rows are not
  /// written.
  public func setTelemetry(_ telemetry: SyncTelemetry) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db, now in
      try TelemetryRows.write(telemetry, by: owner, at: now.milliseconds, db)
    }
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
        owner, (telemetry.at?.milliseconds) ?? now, telemetry.reason?.rawValue ?? "",
        telemetry.ceiling,
        waiting,
      ])
    try writeOperations(telemetry.operations, db)
    try writeHosts(telemetry.hosts, db)
    for sample in telemetry.samples {
      try db.run(
        """
        INSERT OR REPLACE INTO telemetrySample
          (at, rate, latency, queueing, concurrency, inFlight, waiting, quality)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          sample.at.milliseconds, sample.rate, sample.latency, sample.queueing, sample.limit,
          sample.inFlight, sample.waiting, sample.quality?.rawValue,
        ])
    }
    // Those of a clock that was set back would be the newest for ever.
    let memory = Int64(SyncTelemetry.memory * 1_000)
    try db.run(
      "DELETE FROM telemetrySample WHERE at < ?1 OR at > ?2", [now - memory, now + memory])
  }

  private static func writeOperations(_ operations: [OperationStatus], _ db: Database) throws {
    var old = Dictionary(
      try db.all(columns + " FROM telemetryOperation o") { row in
        let operation = operation(row, name: "")
        return (operation.subject, operation)
      }, uniquingKeysWith: { first, _ in first })
    for var operation in operations {
      operation.name = ""
      let (isRunning, detail) =
        switch operation.state {
        case .running(let stage): (true, stage.rawValue)
        case .waiting(let reason): (false, reason.rawValue)
        }
      let before = old.removeValue(forKey: operation.subject)
      if let before, isSame(before, operation) { continue }
      let (kind, key) = operation.subject.key
      try db.run(
        """
        INSERT OR REPLACE INTO telemetryOperation
          (kind, id, host, priority, isRunning, detail, bytes, since, attempt, position)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          kind, key, operation.host, operation.priority.rawValue, isRunning, detail,
          operation.bytes,
          operation.since.milliseconds, operation.attempt, operation.place,
        ])
    }
    for subject in old.keys {
      let (kind, key) = subject.key
      try db.run("DELETE FROM telemetryOperation WHERE kind = ? AND id = ?", [kind, key])
    }
  }

  /// Compares dates in milliseconds, as they are stored.
  private static func isSame(_ a: OperationStatus, _ b: OperationStatus) -> Bool {
    var b = b
    guard a.since.milliseconds == b.since.milliseconds else { return false }
    b.since = a.since
    return a == b
  }

  private static func writeHosts(_ hosts: [HostTelemetry], _ db: Database) throws {
    var old: Set<String> = Set(try db.values("SELECT host FROM telemetryHost"))
    for (place, host) in hosts.enumerated() {
      old.remove(host.host)
      try db.run(
        """
        INSERT INTO telemetryHost
          (host, inFlight, waiting, pausedUntil, status, answeredAt, latency, position, atOnce, reason)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (host) DO UPDATE SET inFlight = ?2, waiting = ?3, pausedUntil = ?4, status = ?5,
          answeredAt = ?6, latency = ?7, position = ?8, atOnce = ?9, reason = ?10
        WHERE inFlight <> ?2 OR waiting <> ?3 OR pausedUntil IS NOT ?4 OR status IS NOT ?5
          OR answeredAt IS NOT ?6 OR latency IS NOT ?7 OR position <> ?8
          OR atOnce <> ?9 OR reason IS NOT ?10
        """,
        [
          host.host, host.inFlight, host.waiting, host.pausedUntil?.milliseconds, host.status,
          host.answeredAt?.milliseconds, host.latency, place, host.limit,
          host.limitReason?.rawValue,
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
        SELECT at, rate, latency, queueing, concurrency, inFlight, waiting, quality
        FROM telemetrySample ORDER BY at DESC LIMIT ?
        """, [samples]
      ) { row in
        NetworkSample(
          at: Date(milliseconds: row["at"]), rate: row["rate"], latency: row["latency"],
          queueing: row["queueing"],
          limit: row["concurrency"], inFlight: row["inFlight"], waiting: row["waiting"],
          quality: (row["quality"] as String?).flatMap(ConnectionQuality.init(rawValue:)))
      }.reversed()
    let isAlive = try db.first("SELECT owner, at, reason, ceiling, waiting FROM telemetry") { row in
      guard ProcessOwner.isAlive(row["owner"]) else { return false }
      telemetry.at = row.date("at")
      telemetry.reason = LimitReason(rawValue: row["reason"])
      telemetry.ceiling = row["ceiling"]
      telemetry.waiting = counts(row["waiting"])
      return true
    }
    guard isAlive == true else { return telemetry }
    telemetry.operations = try db.all(
      """
      \(columns), coalesce(\(SQLText.feedName), d.url, a.title, w.url, c.title, p.url, k.url, '') AS name
      FROM telemetryOperation o
        LEFT JOIN feed f ON o.kind = 0 AND f.id = o.id AND f.removedAt IS NULL
        LEFT JOIN discovery d ON o.kind = 1 AND d.id = o.id
        LEFT JOIN article a ON o.kind = 2 AND a.id = o.id
        LEFT JOIN download w ON o.kind = 3 AND w.id = o.id
        LEFT JOIN account c ON o.kind IN (4, 5) AND c.id = o.id
        LEFT JOIN picture p ON o.kind = 7 AND p.id = o.id
        LEFT JOIN packItem k ON o.kind = 8 AND k.id = o.id
      ORDER BY o.isRunning DESC, CASE WHEN o.isRunning THEN o.since END,
        o.priority, o.position, o.kind, o.id
      """
    ) { operation($0, name: $0["name"]) }
    telemetry.hosts = try db.all(
      """
      SELECT host, inFlight, waiting, pausedUntil, status, answeredAt, latency, atOnce, reason
      FROM telemetryHost ORDER BY position, host
      """
    ) { row in
      HostTelemetry(
        host: row["host"], inFlight: row["inFlight"], waiting: row["waiting"],
        pausedUntil: row.date("pausedUntil"), status: row["status"],
        answeredAt: row.date("answeredAt"), latency: row["latency"], limit: row["atOnce"],
        limitReason: (row["reason"] as String?).flatMap(HostLimitReason.init(rawValue:)))
    }
    return telemetry
  }

  private static let columns = """
    SELECT o.kind, o.id, o.host, o.priority, o.isRunning, o.detail, o.bytes, o.since, o.attempt,
      o.position
    """

  private static func operation(_ row: Row, name: String) -> OperationStatus {
    let (kind, id, detail) = (row["kind"] as Int, row["id"] as Int64, row["detail"] as Int)
    let isRunning: Bool = row["isRunning"]
    return OperationStatus(
      subject: .init(kind: kind, row: id), name: name, host: row["host"],
      priority: OperationPriority(rawValue: row["priority"]) ?? .scheduled,
      // A number that this version does not know can only be a newer one's.
      state: isRunning
        ? .running(OperationStatus.Stage(rawValue: detail) ?? .connecting)
        : .waiting(WaitReason(rawValue: detail) ?? .limitReached),
      bytes: row["bytes"], since: Date(milliseconds: row["since"]), attempt: row["attempt"],
      place: row["position"])
  }

  private static func counts(_ text: String) -> [WaitReason: Int] {
    let numbers = (try? JSONDecoder().decode([Int].self, from: Data(text.utf8))) ?? []
    return stride(from: 0, to: numbers.count - 1, by: 2).reduce(into: [:]) { counts, index in
      if let reason = WaitReason(rawValue: numbers[index]) { counts[reason] = numbers[index + 1] }
    }
  }
}
