import Foundation
import GRDB
import Synchronization

/// Keeps an observation alive; release it to end the observation.
public final class StoreObservation: Sendable {
  private let hub: ChangeHub
  private let key: Int

  package init(hub: ChangeHub, key: Int) { (self.hub, self.key) = (hub, key) }

  /// Ends the observation without waiting for a running call.
  public func cancel() { hub.remove(key) }

  deinit { hub.remove(key) }
}

/// Calls handlers with the changes of commits: at once for commits of this process, and for others
/// when the watcher notices them.
package final class ChangeHub: Sendable {
  private struct State {
    var handlers: [Int: (interest: StoreChange, handler: @Sendable (StoreChange) -> Void)] = [:]
    var nextKey = 0
    /// Newest version of each bit for which handlers were called.
    var announced: [Int64] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "FeedStore.changes", qos: .userInitiated)

  package func add(
    _ interest: StoreChange, _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> StoreObservation {
    let key = state.withLock { state in
      state.nextKey += 1
      state.handlers[state.nextKey] = (interest, handler)
      return state.nextKey
    }
    return StoreObservation(hub: self, key: key)
  }

  func remove(_ key: Int) {
    // Released outside of the lock, because a handler may hold an observation itself.
    let handler = state.withLock { $0.handlers.removeValue(forKey: key) }
    _ = handler
  }

  func close() {
    let handlers = state.withLock { state in
      state.isClosed = true
      let handlers = state.handlers
      state.handlers = [:]
      return handlers
    }
    _ = handlers
  }

  // MARK: On the writer's thread

  func loadVersions(_ db: Database) throws {
    let versions = try Self.versions(db)
    state.withLock { $0.announced = versions }
  }

  /// Increments the versions that other processes read, inside the transaction.
  func bump(_ change: StoreChange, _ db: Database) throws {
    guard !change.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE changeVersion SET version = version + 1 WHERE (1 << kind) & ?")
    try statement.execute(arguments: [Int64(change.rawValue)])
  }

  /// Calls handlers after the commit of a transaction of this process.
  func committed(_ change: StoreChange) {
    guard !change.isEmpty else { return }
    state.withLock { state in
      for kind in state.announced.indices where change.rawValue & (1 << UInt32(kind)) != 0 {
        state.announced[kind] += 1
      }
    }
    notify(change)
  }

  /// Calls handlers for commits of other processes since the last call.
  func check(_ db: Database) throws {
    let versions = try Self.versions(db)
    let change = state.withLock { state in
      var change: UInt32 = 0
      for kind in versions.indices
      where !state.announced.indices.contains(kind) || versions[kind] != state.announced[kind] {
        change |= 1 << UInt32(kind)
      }
      state.announced = versions
      let all = StoreChange(rawValue: change)
      return all.contains(.subscriptions) ? all.union(.feedSettings) : all
    }
    if !change.isEmpty { notify(change) }
  }

  static func versions(_ db: Database) throws -> [Int64] {
    let statement = try db.cachedStatement(
      sql: "SELECT version FROM changeVersion WHERE kind < 32 ORDER BY kind")
    return try Int64.fetchAll(statement)
  }

  private func notify(_ change: StoreChange) {
    // Observers that are added from now on read this state anyway.
    let newest = state.withLock { $0.nextKey }
    queue.async { [weak self] in
      guard let self else { return }
      let handlers = state.withLock { state in
        state.handlers.filter { $0.key <= newest }.sorted { $0.key < $1.key }.map(\.value)
      }
      for (interest, handler) in handlers where !change.isDisjoint(with: interest) {
        handler(change)
      }
    }
  }
}

/// Records which tables a transaction changed. Stops observing a kind after its first row, so that
/// a merge of thousands of rows costs a handful of calls.
final class CommitObserver: TransactionObserver, Sendable {
  private let seen = Mutex<StoreChange>([])
  /// The change by the running update of feeds, because GRDB names no columns when rows change.
  private let feedUpdate = Mutex<StoreChange>([])

  var touched: StoreChange { seen.withLock { $0 } }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    let change = Self.change(kind)
    if case .update("feed", _) = kind { feedUpdate.withLock { $0 = change } }
    return !change.isEmpty && !touched.isSuperset(of: change)
  }

  func databaseDidChange(with event: DatabaseEvent) {
    let kind: DatabaseEventKind =
      switch event.kind {
      case .insert: .insert(tableName: event.tableName)
      case .delete: .delete(tableName: event.tableName)
      case .update: .update(tableName: event.tableName, columnNames: [])
      }
    let isFeedUpdate = event.kind == .update && event.tableName == "feed"
    let change = isFeedUpdate ? feedUpdate.withLock { $0 } : Self.change(kind)
    seen.withLock { $0.formUnion(change) }
  }

  func databaseDidCommit(_ db: Database) { seen.withLock { $0 = [] } }
  func databaseDidRollback(_ db: Database) { seen.withLock { $0 = [] } }

  private static func change(_ kind: DatabaseEventKind) -> StoreChange {
    switch kind {
    case .insert(let table), .delete(let table):
      table == "articleStatus" ? .articles : change(table)
    case .update("feed", let columns) where columns.isSubset(of: descriptions): .subscriptions
    case .update(let table, _):
      change(table)
    }
  }

  /// Columns of `feed` that a refresh stores, and names, which change no refresh.
  private static let descriptions: Set = [
    "title", "userTitle", "homePageURL", "iconURL", "faviconURL", "language", "summary",
  ]

  /// Returns the parts of the cache that rows of a table belong to; none for a silent table.
  static func change(_ table: String) -> StoreChange {
    switch table {
    case "feed", "folder": [.subscriptions, .feedSettings]
    case "savedSearch": .subscriptions
    case "feedFetch": .fetches
    case "article", "articleNote": .articles
    case "chapters": [.articles, .requests]
    case "articleStatus", "articleTag", "readingPosition": .statuses
    case "feedCounter": .counts
    case "refreshRequest", "discovery", "fullText", "download", "picture", "pack", "ruleProgram",
      "packItem", "downloadHold", "olderPages":
      .requests
    case "syncStatus": .syncStatus
    case "attention", "telemetryWatch": .visibleFeeds
    case "journal": .journal
    case "telemetry": .telemetry
    case "syncPause", "cancellation": .steering
    case "account", "outbox", "syncFolder", "folderDevice", "folderEntry":
      .accounts
    case "rule": .rules
    case "playback": .playback
    default: []
    }
  }

  /// Tables whose rows wake no observer. A table of the schema is either mapped above or listed
  /// here, with the reason.
  static let silent: Set = [
    // Written in transactions that also write `article`, `articleStatus`, `feedCounter` or
    // `journal`.
    "articleBody", "articleRevision", "enclosure", "tombstone", "olderPost", "ruleHit",
    "statusChange", "snooze", "totalCounter",
    // Written with `feed`, `feedFetch`, `refreshRequest`, `download`, `pack` or `packItem`. SQLite
    // reports no rows of tables without rowid, such as `refreshRequestFeed`.
    "listFeed", "refreshRequestFeed", "downloadUsage", "packArticle",
    // Read by the sync of accounts, which `account` and `outbox` wake.
    "remoteFeed", "remoteArticle", "remoteLabel",
    // Read by the exchange with the shared folder, which `journal`, `feed`, `rule` and time wake.
    "folderFile", "folderRegister", "folderFeed", "folderObject", "folderAct", "folderPosition",
    // Read by each search and by the indexer.
    "searchIndex", "searchState", "searchStale",
    // Read when a list, a session, an engine or a run of the maintenance begins.
    "dailyPage", "visit", "hostLimit", "maintenanceTask",
    // The versions by which other processes notice changes.
    "changeVersion",
  ]
}

/// The parts of the cache that a commit changed.
public struct StoreChange: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Feeds, folders and saved searches: added, removed, renamed, moved, expanded.
  public static let subscriptions = StoreChange(rawValue: 1 << 0)
  /// Fetch bookkeeping: validators, failures, next check.
  public static let fetches = StoreChange(rawValue: 1 << 1)
  /// Articles: new, changed, removed.
  public static let articles = StoreChange(rawValue: 1 << 2)
  public static let statuses = StoreChange(rawValue: 1 << 3)
  public static let counts = StoreChange(rawValue: 1 << 4)
  /// Requests to the engine and their results: refreshes, discoveries, full texts.
  public static let requests = StoreChange(rawValue: 1 << 5)
  public static let syncStatus = StoreChange(rawValue: 1 << 6)
  /// Feeds on screens, and processes that show the console.
  public static let visibleFeeds = StoreChange(rawValue: 1 << 7)
  public static let journal = StoreChange(rawValue: 1 << 8)
  public static let telemetry = StoreChange(rawValue: 1 << 9)
  /// Pauses and cancellations.
  public static let steering = StoreChange(rawValue: 1 << 10)
  /// Accounts and their outboxes.
  public static let accounts = StoreChange(rawValue: 1 << 11)
  /// Rules, but not their effects.
  public static let rules = StoreChange(rawValue: 1 << 12)
  public static let playback = StoreChange(rawValue: 1 << 13)
  /// Feeds as the engine refreshes them: added, removed, paused, moved, with other options. Names
  /// and texts of their documents do not count, except in commits of other processes.
  public static let feedSettings = StoreChange(rawValue: 1 << 14)
  /// Includes parts that later versions add.
  public static let everything = StoreChange(rawValue: .max)
}
