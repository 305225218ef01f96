package import ArticleStore
package import CacheCore
package import FolderSync
import Foundation
import GRDB

/// The shared folder: what this device has to write into its files, and what it read from them.
package struct SharedFolderCache: CacheFacet {
  /// Milliseconds between two records of exchanges that changed nothing.
  private static let noticeable = Duration.seconds(600).milliseconds

  package let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }

  /// Returns the shared folder; `nil` if there is none.
  package func folder() throws(StoreError) -> FolderRow? {
    try database.read { db in try FolderRow.find(db) }
  }

  /// Returns the other devices, by their names.
  package func devices() throws(StoreError) -> [SharedDevice] {
    try database.read { db in try SharedDevice.all(db) }
  }

  /// Returns the number of own entries and acts that are in no file yet.
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

  /// Lists a device no longer until a new file of it arrives. Its files and values stay, because
  /// devices that join later need them.
  package func forget(_ device: SharedDevice) async throws(StoreError) {
    try await database.write(.user) { db in
      _ = try db.run(
        "UPDATE folderDevice SET isForgotten = 1 WHERE id = ?",
        [Int64(bitPattern: device.id.rawValue)])
    }
  }

  // MARK: Own entries

  /// Writes the entries of all acts, and returns the first of those that are in no file.
  /// - Parameter limit: the largest number of entries.
  package func unsent(limit: Int) async throws(StoreError) -> [Entry] {
    let isIdle = try database.read { db in
      let row = try FolderRow.find(db)
      return try row?.compared == FolderRow.subscriptions(db)
        && !db.exists("SELECT 1 FROM folderEntry UNION ALL SELECT 1 FROM folderAct LIMIT 1")
    }
    if isIdle { return [] }
    return try await database.change { transaction in
      guard var folder = try OpenFolder(transaction), folder.row.isJoined else { return [] }
      try folder.seal(comparesFeeds: true)
      try folder.row.save(transaction.db)
      let lines: [Data] = try transaction.db.values(
        "SELECT line FROM folderEntry ORDER BY number LIMIT ?", [limit])
      return lines.compactMap { try? Entry(line: $0.dropLast()) }
    }
  }

  /// Returns what a new file says about the state of this device.
  package func report() throws(StoreError) -> ProgressReport {
    try database.read { db in
      let all = try SharedDevice.all(db)
      let have = Dictionary(all.map { ($0.id, $0.progress.contiguous) }) { first, _ in first }
      let isWhole = all.allSatisfy(\.progress.gaps.isEmpty)
      return ProgressReport(have: have, digest: isWhole ? try FolderRow.find(db)?.digest : nil)
    }
  }

  /// Stores the name of a file before it is written, so that a file of another copy of this cache
  /// can be told from it.
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

  /// Goes on under a new ID, with the entries that are in no file.
  package func renew(
    as device: DeviceID, name: String, machine: UInt64
  ) async throws(StoreError) {
    try await database.change { transaction in
      guard var folder = try OpenFolder(transaction) else { return }
      if folder.row.isJoined { try folder.seal(comparesFeeds: true) }
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

  /// Stores the outcome of an exchange.
  /// - Parameter problem: the reason that it is paused; `nil` if it succeeded.
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
    try await database.change(.engine) { transaction in
      guard var folder = try OpenFolder(transaction) else { return }
      let isJoined = folder.row.isJoined
      let hasFeeds = entries.contains { entry in
        switch entry.subject {
        case .feed, .object: true
        case .articles, .none: false
        }
      }
      if isJoined { try folder.seal(comparesFeeds: hasFeeds) }
      var feeds: Set<FeedKey> = []
      var objects: Set<ObjectID> = []
      var isAhead = false
      var states = ArticleStates(transaction)
      for entry in entries {
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
        for feed in try here.apply(feeds) { try states.add(allOf: feed) }
      }
      if !objects.isEmpty {
        let state = try folder.registers.feedState()
        try ObjectStates(transaction, state).apply(objects)
        try FolderOrders(transaction, state).apply(objects)
      }
      try states.apply()
      try SharedDevice.setAhead(device, isAhead, transaction.db)
      try folder.row.save(transaction.db)
    }
  }

  /// Records that a file was read to its end.
  package func received(
    _ file: SegmentName, of device: DeviceID, named name: String, _ report: ProgressReport
  ) async throws(StoreError) {
    try await database.change(.engine) { transaction in
      try SharedDevice.receive(file, of: device, named: name, report, transaction)
    }
  }

  /// Stores which files of a device are in the folder, and what is wrong with it.
  package func setListing(
    _ files: Set<SegmentName>, of device: DeviceID, problem: String?
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      try SharedDevice.setListing(files, of: device, problem: problem, db)
    }
  }
}
