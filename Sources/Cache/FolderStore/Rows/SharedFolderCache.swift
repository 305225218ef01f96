import Foundation
import GRDB
@_exported public import SearchStore

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
      let isWhole = all.allSatisfy(\.progress.gaps.isEmpty)
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
  package func renew(
    as device: DeviceID, name: String, machine: UInt64
  ) async throws(StoreError) {
    try await database.change { transaction in
      guard var folder = try OpenFolder(transaction) else { return }
      if folder.row.isJoined { while try !folder.flush() {} }
      let lines: [Data] = try transaction.db.values("SELECT line FROM folderEntry ORDER BY number")
      try transaction.db.run("DELETE FROM folderEntry")
      let own = lines.compactMap { try? Entry(line: $0.dropLast()) }
      let renewed = folder.row.author.renewed(as: device, own: own)
      folder.row.author = renewed.author
      for entry in renewed.entries { try folder.add(entry) }
      (folder.row.machine, folder.row.name) = (machine, String(name.prefix(100)))
      // The files under the former ID are read as those of another device.
      try transaction.db.run("DELETE FROM folderFile")
      try folder.row.save(transaction.db)
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
  package func receive(_ entries: [Entry], from device: DeviceID) async throws(StoreError) {
    var left = entries.flatMap { $0.parts(of: OpenFolder.part) }[...]
    while !left.isEmpty { left = left.dropFirst(try await merge(left, from: device)) }
  }

  /// Merges entries of another device in one short transaction, after the entries of local changes
  /// are written.
  /// - Returns: the number of merged entries.
  private func merge(
    _ entries: ArraySlice<Entry>, from device: DeviceID
  ) async throws(StoreError) -> Int {
    try await step { transaction in
      guard var folder = try OpenFolder(transaction) else { return entries.count }
      let isJoined = folder.row.isJoined
      if isJoined, try !folder.flush() {
        try folder.row.save(transaction.db)
        return 0
      }
      var feeds: Set<FeedKey> = []
      var objects: Set<ObjectID> = []
      var (count, isAhead) = (0, false)
      var states = ArticleStates(transaction)
      for entry in entries
      where count == 0 || !(isJoined ? folder.isHalfway : folder.isLate) {
        count += 1
        let isNear = folder.row.author.clock.observe(entry.latest, wall: transaction.at)
        isAhead = isAhead || !isNear
        let changed = try folder.registers.merge(entry, from: device, &folder.row.digest)
        guard isJoined, !changed.isEmpty else { continue }
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
      if !feeds.isEmpty {
        var here = try FeedStates(transaction, folder.registers.feedState())
        for feed in try here.apply(feeds) {
          try folder.mergeArticlesLater(ofFeeds: "feedID = ?", [feed])
        }
      }
      if !objects.isEmpty {
        let state = try folder.registers.feedState()
        try ObjectStates(transaction, state).apply(objects)
        try FolderOrders(transaction, state).apply(objects)
      }
      try states.apply()
      try SharedDevice.setAhead(device, isAhead, transaction.db)
      try folder.row.save(transaction.db)
      return count
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

  /// Stores the files that the folder has of a device.
  /// - Parameter problem: the name of an incomplete file; `nil` if there is none.
  package func setListing(
    _ files: Set<SegmentName>, of device: DeviceID, problem: String?
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard try FolderRow.find(db) != nil else { return }
      try SharedDevice.setListing(files, of: device, problem: problem, db)
    }
  }
}
