import Foundation
import GRDB
@_exported public import SearchStore

/// State that a transaction that receives entries hands on to the next one.
package struct Reception: Sendable {
  var room: RegisterRows.Room?
  /// The device that sent the last entries, and the entry of the journal with what it took away.
  var losses: (device: DeviceID, entry: Int64)?
  /// The device's name.
  let name: String?

  package init(named name: String? = nil) { self.name = name }
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

  /// Returns the other devices, by their names.
  package func devices() throws(StoreError) -> [SharedDevice] {
    try database.read { db in try SharedDevice.all(db) }
  }

  /// Returns the number of local entries and changes that are in no file yet.
  package func waiting() throws(StoreError) -> Int {
    try database.read { db in
      try db.value(
        "SELECT (SELECT count(*) FROM folderEntry) + (SELECT count(*) FROM folderAct)") ?? 0
    }
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
    try database.read { db in
      try db.all(
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
    try await database.write(.user) { db in
      _ = try db.run(
        "UPDATE folderDevice SET isForgotten = 1 WHERE id = ?",
        [Int64(bitPattern: device.id.rawValue)])
    }
  }

  // MARK: Own entries

  /// Does a part of the pending work in one short transaction: writes the entries of local changes,
  /// then applies the states in the folder to articles of feeds that are new to the folder.
  /// - Parameter isFinal: true to write reading positions although others were written in the last
  ///   minute.
  /// - Returns: false if nothing waited.
  package func advance(isFinal: Bool = false) async throws(StoreError) -> Bool {
    var reception = Reception()
    while let due = try waitingEntry() {
      reception = try await merge([due.entry], from: due.device, reception, instead: due.id).1
    }
    let since = isFinal ? Int64.max : database.now.milliseconds - OpenFolder.positionInterval
    let isIdle = try database.read { db in
      guard let row = try FolderRow.find(db), row.isJoined else { return true }
      if try row.positionsAt <= since && db.exists("SELECT 1 FROM folderPosition") {
        return false
      }
      return try row.onboarding == nil && row.author.lastNumber > 0
        && row.compared == FolderRow.subscriptions(db)
        && !db.exists(
          "SELECT 1 FROM folderAct UNION ALL SELECT 1 FROM folderFeed WHERE mergedTo IS NOT NULL")
    }
    if isIdle { return false }
    return try await step { transaction in
      guard var folder = try OpenFolder(transaction), folder.row.isJoined else { return false }
      if try folder.flush() { try folder.mergeArticles() }
      if folder.row.positionsAt <= since { try folder.flushPositions() }
      if folder.row.onboarding == nil, folder.row.author.lastNumber == 0 { try folder.announce() }
      try folder.row.save(transaction.db)
      return true
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
      let have = Dictionary(all.map { ($0.id, $0.progress.contiguous) }) { first, _ in first }
      let isWhole =
        try all.allSatisfy(\.progress.gaps.isEmpty) && !db.exists("SELECT 1 FROM folderLater")
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

  /// Returns the names of all files that this device has written.
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
  ///   - former: the files under the former ID; `nil` if another machine writes those.
  package func renew(
    as device: DeviceID, name: String, machine: UInt64, former: [SegmentName]? = nil
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
      folder.row.machine = machine
      folder.row.name = SharedDevice.next(name, after: others + [oldName])
      // The files under the former ID are read as those of another device.
      try db.run("DELETE FROM folderFile")
      if let former {
        let last = former.map(\.range.upperBound).max() ?? 0
        try db.run(
          """
          INSERT OR REPLACE INTO folderDevice (id, name, lastNumber, isForgotten)
          VALUES (?, ?, ?, 1)
          """, [old, oldName, Int64(bitPattern: last)])
      }
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

  /// Merges entries of a file and applies what is new. Entries that were merged before change
  /// nothing.
  /// - Parameter reception: the result for the device's entries before these.
  @discardableResult
  package func receive(
    _ entries: [Entry], from device: DeviceID, _ reception: Reception = Reception()
  ) async throws(StoreError) -> Reception {
    var reception = reception
    var left = entries.flatMap { $0.parts(of: OpenFolder.part) }[...]
    while !left.isEmpty {
      let count: Int
      (count, reception) = try await merge(left, from: device, reception)
      left = left.dropFirst(count)
    }
    return reception
  }

  /// Returns the first entry that has waited for its time.
  private func waitingEntry() throws(StoreError) -> (id: Int64, device: DeviceID, entry: Entry)? {
    try database.read { db in
      guard let row = try FolderRow.find(db), row.isJoined else { return nil }
      let limit = row.author.clock.time(ahead: Limits.ahead, wall: database.now.milliseconds)
      return try db.first(
        "SELECT * FROM folderLater WHERE time <= ? ORDER BY time, id LIMIT 1",
        [Int64(bitPattern: limit.rawValue)]
      ) { row in
        let line: Data = row["line"]
        return try (
          row["id"], DeviceID(rawValue: UInt64(bitPattern: row["device"] as Int64)),
          Entry(line: line.dropLast())
        )
      }
    }
  }

  /// Merges entries of another device in one short transaction, after the entries of local changes
  /// are written.
  /// - Parameter id: the row of `folderLater` that the entries come from.
  /// - Returns: the number of merged entries.
  private func merge(
    _ entries: ArraySlice<Entry>, from device: DeviceID, _ reception: Reception,
    instead id: Int64? = nil
  ) async throws(StoreError) -> (Int, Reception) {
    try await step { transaction in
      let db = transaction.db
      var reception = reception
      guard var folder = try OpenFolder(transaction) else { return (entries.count, reception) }
      if folder.row.isJoined, try !folder.flush() {
        try folder.row.save(db)
        return (0, reception)
      }
      if let id { try db.run("DELETE FROM folderLater WHERE id = ?", [id]) }
      let count = try folder.receive(entries, from: device, &reception)
      try folder.row.save(db)
      return (count, reception)
    }
  }

  /// Records that a file was read to its end.
  package func received(
    _ file: SegmentName, of device: DeviceID, named name: String, _ report: ProgressReport
  ) async throws(StoreError) {
    try await database.change(.engine) { transaction in
      guard try FolderRow.find(transaction.db) != nil else { return }
      try SharedDevice.receive(file, of: device, named: name, report, transaction)
    }
  }

  /// Stores that a file was refused.
  /// - Parameter state: its size and times, see `FolderFiles.state`.
  package func refused(
    _ file: SegmentName, of device: DeviceID, _ state: String
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard try FolderRow.find(db) != nil else { return }
      _ = try db.run(
        "INSERT OR REPLACE INTO folderFile (device, name, refused) VALUES (?, ?, ?)",
        [Int64(bitPattern: device.rawValue), file.text, state])
    }
  }

  /// Stores the files that the folder has of a device, and what is wrong with one of them.
  /// - Parameter files: `nil` if they are not known.
  package func setListing(
    _ files: Set<SegmentName>?, of device: DeviceID, problem: DeviceProblem?
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard try FolderRow.find(db) != nil else { return }
      try SharedDevice.setListing(files, of: device, problem: problem, db)
    }
  }
}
