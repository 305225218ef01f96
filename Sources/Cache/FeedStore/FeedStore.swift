@_exported public import AccountStore
internal import CSQLite
@_exported public import FolderStore

// The root of the cache: opens the file, registers the stores that take part in each other's
// transactions, and provides the facets. Importing it also imports the interfaces of all stores.

/// The cache, through which screens and engine communicate.
///
/// `FeedStore` opens the file, migrates it and provides facets for each side: screens hold a
/// `ReaderCache` and a `SearchCache`, the sync engine an `EngineCache` and an `AccountSyncCache`.
/// Only the composition root has all of them.
///
/// Reads are synchronous and short (a window of a list, a row); they never wait for a writer.
/// Writes are asynchronous, one transaction each, one after another. The user's changes are
/// committed with `synchronous = FULL` before the call returns, and data that can be fetched again
/// with NORMAL. Dates are kept to the millisecond. Safe to use from any thread.
public struct FeedStore: Sendable {
  let database: StoreDatabase

  public var reader: ReaderCache { ReaderCache(database: database) }
  public var engine: EngineCache { EngineCache(database: database) }
  public var accounts: AccountCache { AccountCache(database: database) }
  public var accountSync: AccountSyncCache { AccountSyncCache(database: database) }
  public var search: SearchCache { SearchCache(database: database) }
  public var maintenance: Maintenance { Maintenance(database: database) }
  public var file: CacheFile { CacheFile(database.core) }

  public static var libraryVersion: String { String(cString: weir_sqlite_version()) }

  /// Opens the cache; creates or migrates it first if needed.
  /// - Parameter directory: the data directory, created with mode 0700 if missing.
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
        database: StoreDatabase(core: database, options: options, participants: participants))
    } catch {
      throw StoreError(opening: path, error)
    }
  }

  /// Ends all observations and closes the files. Later calls throw.
  public func close() { database.core.close() }
}

extension CacheSide {
  /// Calls `handler` after each commit that touched `interest`, by this process or another, on an
  /// arbitrary thread, never two calls at a time. Ends when the observation is released.
  public func observe(
    _ interest: StoreChange, _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> StoreObservation {
    database.core.hub.add(interest, handler)
  }

  public var requests: RequestCache<Self> { RequestCache(database: database) }
  public var downloads: DownloadCache<Self> { DownloadCache(database: database) }
  public var fullTexts: FullTextCache<Self> { FullTextCache(database: database) }
  public var pictures: PictureCache<Self> { PictureCache(database: database) }
  public var packs: PackCache<Self> { PackCache(database: database) }
  public var olderPosts: OlderPostCache<Self> { OlderPostCache(database: database) }
  package var sharedFolder: SharedFolderCache { SharedFolderCache(database: database) }
}

extension ReaderCache {
  public var feeds: FeedCache { FeedCache(database: database) }
  public var folders: FolderCache { FolderCache(database: database) }
  public var articles: ArticleCache { ArticleCache(database: database) }
  public var states: StateCache { StateCache(database: database) }
  public var journal: JournalCache { JournalCache(database: database) }
  public var rules: RuleCache { RuleCache(database: database) }
  public var accounts: AccountCache { AccountCache(database: database) }
  public var plan: PlanCache { PlanCache(database: database) }

  /// Runs `body` with its reads on this thread in one transaction: one snapshot, and less work.
  /// `body` must neither write nor wait.
  public func joiningReads<T>(_ body: () -> T) -> T { database.core.joiningReads(body) }
}

extension EngineCache {
  public var fetches: FetchWork { FetchWork(database: database) }
  public var discoveries: DiscoveryWork { DiscoveryWork(database: database) }
  public var chapters: ChapterWork { ChapterWork(database: database) }
  public var programs: ProgramWork { ProgramWork(database: database) }
  public var maintenance: Maintenance { Maintenance(database: database) }
}

extension Participants {
  static func all(_ options: StoreOptions) -> Participants {
    var all = Participants()
    (all.recorder, all.marks) = (OutboxRecorder(), [OutboxRecorder(), LaterTag()])
    all.arrivals = [RuleArrivals(options), MediaArrivals(options), FolderArrivals()]
    return all
  }
}
