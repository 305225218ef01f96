import Foundation
import GRDB
@_exported public import SearchStore

/// State that a transaction that receives entries hands on to the next one.
package struct Reception: Sendable {
  var remaining: RegisterRows.Remaining?
  /// The losses by the device, and the entry of the journal about them.
  var (losses, entry): (Losses, Int64?) = (Losses(by: ""), nil)
  var refusal: StoreError.Detail?
  /// The time in milliseconds at which entries of the file that were left out are due; `nil` if
  /// there are none.
  package private(set) var until: Int64?

  package init() {}

  /// Begins a file.
  /// - Parameter name: the name of the device.
  package mutating func begin(named name: String) { (losses.name, until) = (name, nil) }

  /// Notes an entry that was not merged to its end. It is due when its time is no longer more than
  /// a day ahead, at full hours, so that the file is seldom read again.
  mutating func postpone(_ entry: Entry, after near: Timestamp, upTo limit: Timestamp) {
    let late = (entry.times + [entry.latest]).filter { $0 > near }.min() ?? near
    let hour: Int64 = 3_600_000
    let due = late > limit ? .max : ((late.milliseconds - Limits.ahead) / hour + 1) * hour
    until = min(until ?? .max, due)
  }
}

/// The shared folder: the entries that this device has to write, and those that it has read.
package struct SharedFolderCache: CacheFacet {
  /// Milliseconds between two records of exchanges that changed nothing.
  private static let noticeable = Duration.seconds(60).milliseconds

  package let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }

  package func folder() throws(StoreError) -> FolderRow? {
    try database.read { db in try FolderRow.find(db) }
  }

  package func devices() throws(StoreError) -> [SharedDevice] {
    try database.read { db in try SharedDevice.all(db) }
  }

  /// Returns the number of local entries and changes that are in no file yet.
  package func waiting() throws(StoreError) -> Int {
    try database.value(
      "SELECT (SELECT count(*) FROM folderEntry) + (SELECT count(*) FROM folderAct)") ?? 0
  }

  /// Returns the addresses of programs and files that other devices subscribed to and that are not
  /// allowed on this machine.
  package func addressesToAllow() throws(StoreError) -> [String] {
    try database.read { db in
      let bound: Set<Int64> = Set(
        try db.values("SELECT key FROM folderFeed WHERE feedID IS NOT NULL"))
      return try RegisterRows(db: db).feedState().feeds().filter { feed in
        feed.isSubscribed && feed.needsPermission
          && feed.keys.allSatisfy { !bound.contains(Int64(bitPattern: $0.rawValue)) }
      }.compactMap(\.address)
    }
  }

  /// Returns the feeds of other devices that failed without credentials, or because their servers
  /// are in a private network. They may get both once the user confirms their addresses.
  package func feedsToConfirm() throws(StoreError) -> [(id: FeedID, url: String)] {
    try database.all(
      """
      SELECT f.id, f.url FROM feed f JOIN feedFetch x ON x.feedID = f.id
      WHERE f.importedFrom = ? AND f.removedAt IS NULL
        AND (x.failureKind IN (?, ?) OR x.failureStatus = 403) ORDER BY f.id
      """,
      [
        FetchRows.sharedFolder, RefreshFailure.Kind.unauthorized.rawValue,
        RefreshFailure.Kind.forbiddenAddress.rawValue,
      ]
    ) { ($0.id("id"), $0["url"]) }
  }

  // MARK: Beginning and ending

  /// Begins to read a folder, which `join` then joins. Replaces another folder.
  package func begin(
    path: String, mark: String, device: DeviceID, name: String, machine: UInt64
  ) async throws(StoreError) {
    try await database.write(.user) { db, now in
      try db.run("DELETE FROM syncFolder")
      try db.run(
        """
        INSERT INTO syncFolder (id, path, mark, device, name, machine, compactedAt)
        VALUES (1, ?, ?, ?, ?, ?, ?)
        """,
        [
          path, mark, Int64(bitPattern: device.rawValue), String(name.prefix(100)),
          Int64(bitPattern: machine), now.milliseconds,
        ])
    }
  }

  /// Leaves the folder. Feeds, articles and their states stay; so do the files of this device.
  package func end() async throws(StoreError) {
    try await database.write(.user) { db in _ = try db.run("DELETE FROM syncFolder") }
  }

  /// Hides a device until a new file of it arrives. Its files and values stay, because devices that
  /// join later need them.
  package func forget(_ device: SharedDevice) async throws(StoreError) {
    try await database.run(
      .user,
      "UPDATE folderDevice SET isForgotten = 1 WHERE id = ?",
      [Int64(bitPattern: device.id.rawValue)])
  }

  // MARK: Own entries

  /// Does a part of the pending work in one short transaction: writes the entries of local changes,
  /// then applies the states in the folder to articles of feeds that are new to the folder.
  /// - Parameter isFinal: true to write reading positions although others were written in the last
  ///   minute.
  /// - Returns: false if nothing waited.
  package func advance(isFinal: Bool = false) async throws(StoreError) -> Bool {
    let since = isFinal ? Int64.max : database.now.milliseconds - OpenFolder.positionInterval
    if try isIdle(since) { return false }
    return try await step { transaction in
      guard var folder = try OpenFolder(transaction), folder.row.isJoined else { return false }
      if try folder.flush() { try folder.mergeArticles() }
      if folder.row.positionsAt <= since { try folder.flushPositions() }
      if folder.row.onboarding == nil, folder.row.author.lastNumber == 0 { try folder.announce() }
      try folder.row.save(transaction.db)
      return true
    }
  }

  /// Returns true if changes here wait for an exchange, as entries or before they become entries.
  package func hasUnsent() throws(StoreError) -> Bool {
    if try waiting() > 0 { return true }
    return try !isIdle(database.now.milliseconds - OpenFolder.positionInterval)
  }

  /// - Parameter since: the time of the last positions after which others wait.
  private func isIdle(_ since: Int64) throws(StoreError) -> Bool {
    try database.read { db in
      guard let row = try FolderRow.find(db), row.isJoined else { return true }
      if try row.positionsAt <= since && db.exists("SELECT 1 FROM folderPosition") { return false }
      return try row.onboarding == nil && row.author.lastNumber > 0
        && row.compared == FolderRow.subscriptions(db)
        && !db.exists(
          "SELECT 1 FROM folderAct UNION ALL SELECT 1 FROM folderFeed WHERE mergedTo IS NOT NULL")
    }
  }

  /// Runs one of several transactions, and waits so that another process can write before the next
  /// one: it tries again at intervals, and would find the database locked for as long as the steps
  /// follow each other.
  private func step<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws(StoreError) -> T {
    let start = ContinuousClock.now
    let result = try await database.change(.engine, body)
    let pause = min(ContinuousClock.now - start, OpenFolder.longest) / 2
    if pause >= OpenFolder.longest / 4 { try? await Task.sleep(for: pause) }
    return result
  }

  /// Writes the entries of all local changes, and returns the first entries that are in no file.
  package func unsent(limit: Int) async throws(StoreError) -> [Entry] {
    while try await advance(isFinal: true) {}
    return try database.read { db in
      let lines: [Data] = try db.values(
        "SELECT line FROM folderEntry ORDER BY number LIMIT ?", [limit])
      return lines.compactMap { try? Entry(line: $0.dropLast()) }
    }
  }

  /// Returns the number of the last own entry that is in a file.
  package func lastWritten() throws(StoreError) -> UInt64 {
    try database.read { db in
      let waiting: Int64? = try db.value("SELECT min(number) FROM folderEntry")
      let last = try FolderRow.find(db)?.author.lastNumber ?? 0
      return waiting.map { UInt64(bitPattern: $0) - 1 } ?? last
    }
  }

  /// Returns the state of this device according to a new file.
  package func report() throws(StoreError) -> ProgressReport {
    try database.read { db in
      let all = try SharedDevice.all(db)
      let have = Dictionary(first: all.map { ($0.id, $0.progress.contiguous) })
      let isWhole = all.allSatisfy { $0.progress.gaps.isEmpty && !$0.isWaiting }
      return ProgressReport(have: have, digest: isWhole ? try FolderRow.find(db)?.digest : nil)
    }
  }

  /// Stores the name of a file before it is written. A file of this device with an unknown name was
  /// written by another copy of this cache.
  package func willWrite(_ file: SegmentName) async throws(StoreError) {
    try await database.change { transaction in
      guard let row = try FolderRow.find(transaction.db) else { return }
      _ = try transaction.db.run(
        "INSERT OR IGNORE INTO folderFile (device, name) VALUES (?, ?)",
        [Int64(bitPattern: row.device.rawValue), file.text])
    }
  }

  /// Removes the entries of files that are in the folder.
  package func didWrite(_ files: [SegmentName]) async throws(StoreError) {
    try await database.change { transaction in
      for file in files {
        if file.isCompacted {
          try transaction.db.run("UPDATE syncFolder SET compactedAt = ?", [transaction.at])
        } else {
          try transaction.db.run(
            "DELETE FROM folderEntry WHERE number BETWEEN ? AND ?",
            [Int64(bitPattern: file.range.lowerBound), Int64(bitPattern: file.range.upperBound)])
        }
      }
    }
  }

  package func written() throws(StoreError) -> Set<SegmentName> {
    try database.read { db in
      let names: [String] = try db.values(
        "SELECT name FROM folderFile WHERE device = (SELECT device FROM syncFolder)")
      return Set(names.compactMap { SegmentName($0) })
    }
  }

  /// Gives this device a new ID, and renumbers the entries that are in no file.
  /// - Parameters:
  ///   - name: gets the next free number.
  ///   - former: the files under the former ID.
  package func renew(
    as device: DeviceID, name: String, machine: UInt64, former: [SegmentName] = []
  ) async throws(StoreError) {
    try await database.change { transaction in
      let db = transaction.db
      guard var folder = try OpenFolder(transaction) else { return }
      if folder.row.isJoined { while try !folder.flush() {} }
      let lines: [Data] = try db.values("SELECT line FROM folderEntry ORDER BY number")
      try db.run("DELETE FROM folderEntry")
      let own = lines.compactMap { try? Entry(line: $0.dropLast()) }
      let others: [String] = try db.values("SELECT name FROM folderDevice")
      let (old, oldName) = (Int64(bitPattern: folder.row.device.rawValue), folder.row.name)
      let renewed = folder.row.author.renewed(as: device, own: own)
      folder.row.author = renewed.author
      for entry in renewed.entries { try folder.add(entry) }
      folder.row.name = SharedDevice.next(name, after: others + [oldName])
      // The files under the former ID are read as those of another device, which is only listed if
      // another machine writes them.
      try db.run("DELETE FROM folderFile")
      if folder.row.machine == machine {
        let last = former.map(\.range.upperBound).max() ?? 0
        try db.run(
          """
          INSERT OR REPLACE INTO folderDevice (id, name, lastNumber, isForgotten)
          VALUES (?, ?, ?, 1)
          """, [old, oldName, Int64(bitPattern: last)])
      }
      folder.row.machine = machine
      try folder.row.save(db)
    }
  }

  /// - Parameter problem: the reason that the exchange is paused; `nil` if it succeeded.
  package func setOutcome(_ problem: FolderProblem?) async throws(StoreError) {
    try await database.change { transaction in
      guard var row = try FolderRow.find(transaction.db) else { return }
      let old = row.exchangedAt ?? 0
      guard row.problem != problem || transaction.at - old >= Self.noticeable else { return }
      row.problem = problem
      if problem == nil { row.exchangedAt = transaction.at }
      try row.save(transaction.db)
    }
  }

  // MARK: Entries of other devices

  /// Merges entries of a file and applies what is new, in short transactions. Entries that were
  /// merged before change nothing.
  /// - Parameter reception: the result for the device's entries before these.
  @discardableResult
  package func receive(
    _ entries: [Entry], from device: DeviceID, _ reception: Reception = Reception()
  ) async throws(StoreError) -> Reception {
    var reception = reception
    var left = entries.flatMap { $0.parts(of: OpenFolder.part) }[...]
    while !left.isEmpty {
      let (count, next) = try await step { [left, reception] transaction in
        var reception = reception
        guard var folder = try OpenFolder(transaction) else { return (left.count, reception) }
        let mayMerge = try folder.row.isJoined ? folder.flush() : true
        let count = try mayMerge ? folder.receive(left, from: device, &reception) : 0
        try folder.row.save(transaction.db)
        return (count, reception)
      }
      (left, reception) = (left.dropFirst(count), next)
    }
    return reception
  }

  /// Records that a file was read to its end.
  /// - Parameter late: set if entries were left out that are dated ahead.
  package func received(
    _ file: SegmentName, of device: DeviceID, named name: String, _ report: ProgressReport,
    late: DeviceProblem? = nil
  ) async throws(StoreError) {
    try await database.change(.engine) { transaction in
      let (db, id) = (transaction.db, Int64(bitPattern: device.rawValue))
      guard try FolderRow.find(db) != nil else { return }
      try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
      try db.run(
        "INSERT OR REPLACE INTO folderFile (device, name, refused) VALUES (?, ?, ?)",
        [id, file.text, late?.text])
      let contiguous: Int64 =
        try db.value("SELECT contiguous FROM folderDevice WHERE id = ?", [id]) ?? 0
      // The other files count if they begin later.
      let names: [String] = try db.values(
        """
        SELECT name FROM folderFile WHERE device = ?1 AND ifnull(refused, 'ahead') LIKE 'ahead%'
          AND (name = ?2 OR CAST(substr(name, 3) AS INTEGER) > ?3)
        """, [id, file.text, contiguous])
      let progress = DeviceProgress(
        contiguous: UInt64(bitPattern: contiguous), files: names.compactMap { SegmentName($0) })
      let last = Int64(bitPattern: file.range.upperBound)
      try db.run(
        """
        UPDATE folderDevice SET contiguous = ?1, seenAt = ?2,
          isForgotten = isForgotten AND lastNumber >= ?4 WHERE id = ?3
        """, [Int64(bitPattern: progress.contiguous), transaction.at, id, last])
      try db.run(
        """
        UPDATE folderDevice SET lastNumber = ?1, name = ?2, report = ?3
        WHERE id = ?4 AND lastNumber <= ?1
        """, [last, name, String(decoding: report.line, as: UTF8.self), id])
    }
  }

  /// Records that a file or directory was refused.
  package func refused(
    _ problem: DeviceProblem, of device: DeviceID
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard try FolderRow.find(db) != nil else { return }
      let id = Int64(bitPattern: device.rawValue)
      try db.run("INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
      try db.run(
        "INSERT OR REPLACE INTO folderFile (device, name, refused) VALUES (?, ?, ?)",
        [id, problem.file, problem.text])
    }
  }

  /// Stores the names of the files that the folder has of a device.
  /// - Parameter files: `nil` if it has nothing of that ID, which is then forgotten unless it was a
  ///   device.
  package func setListing(
    _ files: Set<String>?, of device: DeviceID
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard try FolderRow.find(db) != nil else { return }
      let id = Int64(bitPattern: device.rawValue)
      try db.run(
        files == nil
          ? "DELETE FROM folderDevice WHERE id = ? AND lastNumber = 0"
          : "INSERT OR IGNORE INTO folderDevice (id) VALUES (?)", [id])
      let known: [String] = try db.values("SELECT name FROM folderFile WHERE device = ?", [id])
      for name in known where files?.contains(name) != true {
        try db.run("DELETE FROM folderFile WHERE device = ? AND name = ?", [id, name])
      }
    }
  }
}
