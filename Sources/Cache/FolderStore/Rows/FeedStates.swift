import Foundation
import GRDB

/// Compares the feeds of this device with those of the shared folder. Feeds of accounts are left
/// out, because their servers sync them.
struct FeedStates {
  /// A subscription of this device, or one that it ended and still stores.
  struct Local {
    var id: Int64
    var feed: LocalFeed
    var isSubscribed: Bool
  }

  private let transaction: Transaction
  private var db: Database { transaction.db }
  private(set) var state: MergedState
  private(set) var local: [Local]
  /// Changes by `apply` of the feeds that lost something, for the journal.
  private(set) var losses: [RowImages] = []
  private(set) var refusal: StoreError.Detail?
  /// True if `flushDifferences` found feeds that are new in the folder.
  private(set) var hasNew = false
  /// The key that new entries of a feed use.
  private var keys: [Int64: FeedKey]

  init(_ transaction: Transaction, _ state: MergedState) throws {
    (self.transaction, self.state) = (transaction, state)
    local = try Self.local(transaction.db)
    keys = [:]
    let bound: [(key: Int64, feed: Int64)] = try transaction.db.all(
      "SELECT key, feedID FROM folderFeed WHERE place = 0 AND feedID IS NOT NULL ORDER BY key"
    ) { ($0["key"], $0["feedID"]) }
    for (key, feed) in bound { keys[feed] = FeedKey(rawValue: UInt64(bitPattern: key)) }
  }

  /// Options that are shared with other devices.
  private static let options = FeedOption.allCases.filter {
    ![.proxy, .headers, .cookies].contains($0)
  }

  static func local(_ db: Database) throws -> [Local] {
    let folders = Dictionary(
      first: try db.all("SELECT id, parentID, title FROM folder") {
        ($0["id"] as Int64, (parent: $0["parentID"] as Int64?, title: $0["title"] as String))
      })
    func path(_ folder: Int64?) -> [String] {
      var (titles, next): ([String], Int64?) = ([], folder)
      while let id = next, let folder = folders[id], titles.count < Limits.depth {
        titles.insert(folder.title, at: 0)
        next = folder.parent
      }
      return titles
    }
    return try db.all(
      """
      SELECT f.id, f.url, f.title, f.userTitle, f.folderID, f.removedAt, \(OptionRows.columns)
      FROM feed f WHERE f.accountID IS NULL AND f.isLocal = 0 AND f.isList = 0 ORDER BY f.id
      """
    ) { row in
      var feed = LocalFeed(address: row["url"])
      (feed.title, feed.name) = (row["title"], row["userTitle"])
      feed.folder = path(row["folderID"])
      let options = OptionRows.options(row, from: 6)
      for option in Self.options { feed.options[option] = options.text(of: option) }
      return Local(id: row["id"], feed: feed, isSubscribed: row["removedAt"] as Int64? == nil)
    }
  }

  // MARK: Own changes

  /// Writes entries for the differences between the feeds here and the merged state. Changes of
  /// other devices that were applied here are part of that state, so all differences are changes of
  /// this device. A feed that was deleted from the cache is not compared.
  mutating func flushDifferences(at milliseconds: Int64, _ folder: inout OpenFolder) throws {
    var shared: [FeedKey: SharedFeed] = [:]
    var keysOfAddresses: [String: FeedKey] = [:]
    for feed in state.feeds() {
      for key in feed.keys { shared[key] = feed }
      if let address = feed.address { keysOfAddresses[FeedAddress.normalized(address)] = feed.key }
    }
    var used = Set(keys.values)
    for local in local {
      var key = keys[local.id]
      if key == nil, local.isSubscribed {
        let address = FeedAddress.normalized(local.feed.address)
        let new = keysOfAddresses[address] ?? FeedKey(address: local.feed.address)
        // A second feed with the address, for example with another scheme, stays on this device.
        if used.insert(new).inserted {
          try bind([new], to: local.id)
          key = new
          hasNew = true
        }
      }
      if let key { try flush(local, under: key, shared[key], at: milliseconds, &folder) }
    }
    state = try folder.registers.feedState()
    for (key, older) in state.missingAliases().sorted(by: { $0.key < $1.key }) {
      try folder.addEntry(
        .alias, of: .feed(key), .string(older.text), at: milliseconds,
        after: state.newest(.alias, of: key)?.stamp.time)
    }
  }

  private func flush(
    _ local: Local, under key: FeedKey, _ shared: SharedFeed?, at milliseconds: Int64,
    _ folder: inout OpenFolder
  ) throws {
    func addEntry(_ field: Field, _ value: JSONValue, _ rest: [String: JSONValue] = [:]) throws {
      try folder.addEntry(
        field, of: .feed(key), value, rest: rest, at: milliseconds,
        after: state.newest(field, of: key)?.stamp.time)
    }
    let feed = local.feed
    guard local.isSubscribed else {
      if shared?.isSubscribed == true { try addEntry(.subscribed, .integer(0)) }
      return
    }
    let plain = FeedAddress.withoutPassword(feed.address)?.address ?? feed.address
    if shared?.isSubscribed != true {
      try addEntry(
        .subscribed, .integer(1),
        ["url": .string(feed.address), "title": .string(feed.title)])
    } else if let address = shared?.address,
      FeedAddress.normalized(address) != FeedAddress.normalized(plain)
    {
      try addEntry(.url, .string(feed.address))
    }
    if feed.name != shared?.name { try addEntry(.name, feed.name.map { .string($0) } ?? .null) }
    if feed.folder != shared?.folder ?? [] {
      try addEntry(
        .folder, .array(feed.folder.map { .string($0) }), former(shared?.folder ?? []))
    }
    for option in Self.options where feed.options[option] != shared?.options[option] {
      try addEntry(.option(option), feed.options[option].map { .string($0) } ?? .null)
    }
  }

  /// Returns the member `former`: the outermost folder of a path that no longer exists here.
  private func former(_ path: [String]) throws -> [String: JSONValue] {
    let count = try FolderTree.existing(path, db).count
    guard count < path.count else { return [:] }
    return ["former": .array(path.prefix(count + 1).map { .string($0) })]
  }

  func bind(_ keys: [FeedKey], to feed: Int64) throws {
    for (place, key) in keys.enumerated() {
      try db.run(
        """
        INSERT INTO folderFeed (key, feedID, place) VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET feedID = ?2, place = ?3
        """, [Int64(bitPattern: key.rawValue), feed, place])
    }
  }

  // MARK: Changes of other devices

  /// Applies the merged state to the feeds with these keys.
  /// - Parameter isOnboarding: true to rename no folder: equal names do not mean the same folder.
  /// - Returns: feeds whose articles may have states in the folder, because they are new here or
  ///   have another key.
  mutating func apply(_ changed: Set<FeedKey>, isOnboarding: Bool = false) throws -> [Int64] {
    let changed = state.feeds().filter { !changed.isDisjoint(with: $0.keys) }
    var met: [Int64] = []
    var here: [Int64: Local] = [:]
    var known: [String: Int64] = [:]
    for local in local {
      here[local.id] = local
      let address = FeedAddress.normalized(local.feed.address)
      // Perhaps with another scheme or with a password.
      if local.isSubscribed, known[address] == nil { known[address] = local.id }
    }
    let removed = try changed.filter { !$0.isSubscribed }.compactMap { shared in
      let local = try shared.keys.compactMap(feed(boundTo:)).first.flatMap { here[$0] }
      guard let local, local.isSubscribed else { return nil as Int64? }
      return try FeedRemoval.remove(local.id, transaction) ? local.id : nil
    }
    for id in removed { here[id]?.isSubscribed = false }
    refusal = try db.writeAccepted(changed.filter(\.isSubscribed)[...]) { changed in
      var (new, lost): ([Int64], [RowImages]) = ([], [])
      var subscriber = Subscriber(transaction)
      try subscriber.loadRemoved()
      for shared in changed {
        guard let address = shared.address else { continue }
        let bound = try shared.keys.compactMap(feed(boundTo:)).first
        let local = bound.flatMap { here[$0] }
        let found = bound ?? known[FeedAddress.normalized(address)]
        let present = found.flatMap { here[$0] }.flatMap { $0.isSubscribed ? $0 : nil }
        if !isOnboarding, let present, try renameFolder(shared, around: present.feed.folder) {
          subscriber = Subscriber(transaction)
          try subscriber.loadRemoved()
        }
        let path = try subscriber.folder(path: shared.folder ?? [])
        guard present != nil || !shared.needsPermission else { continue }
        let feed: Int64
        if let present {
          feed = present.id
        } else {
          let entry = OutlineEntry(url: local?.feed.address ?? address, title: shared.name)
          let list: String? = try db.value(
            "SELECT importedFrom FROM feed WHERE id = ?", [local?.id])
          feed = try subscriber.add(entry, folder: path, account: nil).feed.rawValue
          try db.run(
            "UPDATE feed SET importedFrom = ? WHERE id = ?",
            [local == nil ? FetchRows.sharedFolder : list, feed])
        }
        if try bound != feed || keysOf(feed) != shared.keys { new.append(feed) }
        try bind(shared.keys, to: feed)
        lost += try move(feed, shared)
        try set(feed, shared, folder: path)
      }
      met += new
      losses += lost
    }
    if !removed.isEmpty { losses.append(.removal(of: removed, at: transaction.now)) }
    local = try Self.local(db)
    return met
  }

  /// Renames a folder as another device did, unless a folder here has the new name.
  /// - Parameter path: the folders around the feed here.
  /// - Returns: true if a folder was renamed.
  private func renameFolder(_ shared: SharedFeed, around path: [String]) throws -> Bool {
    let (former, new) = (shared.formerFolder, shared.folder ?? [])
    let folders = try FolderTree.existing(former, db)
    guard let folder = folders.last, folders.count == former.count, path.starts(with: former),
      path.count == new.count, new.starts(with: former.dropLast()),
      try FolderTree.account(of: folder, db) == nil,
      try FolderTree.named(new[former.count - 1], in: folders.dropLast().last, db) == nil
    else { return false }
    return try db.run(
      "UPDATE folder SET title = ? WHERE id = ?", [new[former.count - 1], folder]) > 0
  }

  /// Removes a folder that another device emptied and deleted, if it is empty here, too, and has
  /// no settings.
  private func removeEmptyFolder(_ former: [String], movedTo folder: Int64?) throws {
    let folders = try FolderTree.existing(former, db)
    guard let old = folders.last, folders.count == former.count else { return }
    try FolderTree.removeEmpty(in: old, db)
    let isInUse = try db.exists(
      """
      SELECT 1 FROM folder d WHERE d.id = ?1 AND (d.priority <> 0
        OR EXISTS (SELECT 1 FROM feed WHERE folderID = ?1 AND removedAt IS NULL)
        OR EXISTS (SELECT 1 FROM folder WHERE parentID = ?1)
        OR EXISTS (SELECT 1 FROM account WHERE folderID = ?1))
      """, [old])
    if !isInUse { try FolderTree.dissolve(old, into: folder, db) }
  }

  private func feed(boundTo key: FeedKey) throws -> Int64? {
    try db.value(
      "SELECT feedID FROM folderFeed WHERE key = ?", [Int64(bitPattern: key.rawValue)])
  }

  private func keysOf(_ feed: Int64) throws -> [FeedKey] {
    let keys: [Int64] = try db.values(
      "SELECT key FROM folderFeed WHERE feedID = ? ORDER BY place", [feed])
    return keys.map { FeedKey(rawValue: UInt64(bitPattern: $0)) }
  }

  /// Moves a feed to its shared address.
  /// - Returns: the change, if the feed lost its headers, cookies or proxy by it.
  private func move(_ feed: Int64, _ shared: SharedFeed) throws -> [RowImages] {
    let url: String? = try db.value("SELECT url FROM feed WHERE id = ?", [feed])
    guard let url, let address = shared.address, !shared.needsPermission,
      FeedAddress.normalized(url) != FeedAddress.normalized(address)
    else { return [] }
    return try RowImages.recorded(["feed"], of: [feed], db) {
      guard try FetchRows.move(feed, to: address, by: FetchRows.sharedFolder, db) else { return }
      try FetchRows.forgetAddress(of: FeedID(rawValue: feed), db, at: transaction.at)
    }.filter { image in
      ["headers", "cookies", "proxy"].contains { image.before?[$0] != nil }
    }
  }

  private func set(_ feed: Int64, _ shared: SharedFeed, folder: Int64?) throws {
    let now: (title: String, name: String?, folder: Int64?, options: FeedOptions)? = try db.first(
      """
      SELECT f.title, f.userTitle, f.folderID, \(OptionRows.columns) FROM feed f WHERE f.id = ?
      """, [feed]
    ) { ($0["title"], $0["userTitle"], $0["folderID"], OptionRows.options($0, from: 3)) }
    guard let now else { return }
    if now.title.isEmpty, let title = shared.title {
      try db.run("UPDATE feed SET title = ? WHERE id = ?", [title, feed])
    }
    if now.name != shared.name {
      try db.run("UPDATE feed SET userTitle = ? WHERE id = ?", [shared.name, feed])
    }
    if shared.folder != nil, now.folder != folder {
      try FolderTree.move(feed, to: folder, db)
      try removeEmptyFolder(shared.formerFolder, movedTo: folder)
    }
    var options = FeedOptions()
    for option in FeedOption.allCases {
      let text =
        Self.options.contains(option) ? shared.options[option] : now.options.text(of: option)
      if let text { options.set(option, to: text) }
    }
    guard options != now.options else { return }
    try OptionRows.set(options, of: feed, db)
  }
}

extension FolderTree {
  /// Returns the folders of a path up to the first one that does not exist, the outermost first.
  static func existing(_ path: [String], _ db: Database) throws -> [Int64] {
    var folders: [Int64] = []
    for title in path {
      guard let next = try named(title, in: folders.last, db) else { break }
      folders.append(next)
    }
    return folders
  }
}
