internal import CSQLite

// This folder holds the cache and everything that knows SQL: schema, merge, lists, journal,
// observation. What is shown, fetched or parsed stays outside; no GRDB type leaves.

/// The cache: the only thing that screens and engine share.
///
/// `FeedStore` opens the file, migrates it and provides a facet for each side: screens hold a
/// `ReaderCache` and a `SearchCache`, the sync engine an `EngineCache` and an `AccountCache`. Only
/// the composition root has all five.
///
/// Reads are synchronous and short (a window of a list, a row); they never wait for a writer.
/// Writes are asynchronous, one transaction each, one after another. What the user does is
/// committed with `synchronous = FULL` before the call returns; what can be fetched again with
/// NORMAL. Dates are kept to the millisecond. Safe to use from any thread.
public struct FeedStore: Sendable {
  public let reader: ReaderCache
  public let engine: EngineCache
  public let accounts: AccountCache
  public let search: SearchCache
  public let maintenance: Maintenance
  /// Copies of the file, and its checks.
  public let file: CacheFile

  public static var libraryVersion: String { String(cString: weir_sqlite_version()) }

  let database: StoreDatabase

  /// Returns the mode of a data directory in which other users can replace files; `nil` if they
  /// cannot.
  public static func modeOpenToOthers(of directory: String) -> Int? {
    StoreFiles.modeOpenToOthers(of: directory)
  }

  /// Opens the cache; makes or migrates it first if needed.
  /// - Parameter directory: the data directory; made with mode 0700 if missing.
  /// - Throws: `.newerSchema`, with nothing changed; `.readOnly`, `.corrupt`, `.cannotOpen`.
  public static func open(
    directory: String, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> FeedStore {
    try open(directory: directory, options: options, participants: .all(options))
  }

  static func open(
    directory: String, options: StoreOptions, participants: Participants
  ) throws(StoreError) -> FeedStore {
    let path = try StoreFiles.prepare(directory: directory)
    StoreFiles.removeRemains(of: "", in: directory, at: options.now())
    do {
      let pool = try Schema.openPool(
        path: path, functions: SQLText.functions, trace: options.trace,
        onUpgrade: options.onUpgrade)
      let database = try CacheDatabase(pool: pool, path: path, now: options.now)
      return FeedStore(
        StoreDatabase(core: database, options: options, participants: participants))
    } catch {
      throw StoreError(opening: path, error)
    }
  }

  init(_ database: StoreDatabase) {
    self.database = database
    reader = ReaderCache(database: database)
    engine = EngineCache(database: database)
    accounts = AccountCache(database: database)
    search = SearchCache(database: database)
    maintenance = Maintenance(database: database)
    file = CacheFile(database: database.core)
  }

  /// Ends all observation and closes the files. Later calls throw.
  public func close() { database.core.close() }
}

extension Participants {
  /// Registers the stores that take part in the transactions of others.
  static func all(_ options: StoreOptions) -> Participants {
    Participants(
      recorder: OutboxRecorder(),
      arrivals: [
        RuleArrivals(options), FullTextArrivals(configured: options.feedOptions),
        DownloadArrivals(configured: options.feedOptions),
      ],
      keepers: [PackKeeper()], expiring: [RuleProgramRows()])
  }
}
