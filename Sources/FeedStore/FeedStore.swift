internal import CSQLite
public import FeedModel
public import Foundation

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

  public static var libraryVersion: String { String(cString: weir_sqlite_version()) }

  let database: CacheDatabase

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
      return FeedStore(
        try CacheDatabase(
          pool: try Schema.openPool(
            path: path, trace: options.trace, onUpgrade: options.onUpgrade),
          path: path, options: options, participants: participants))
    } catch {
      throw StoreError(opening: path, error)
    }
  }

  init(_ database: CacheDatabase) {
    self.database = database
    reader = ReaderCache(database: database)
    engine = EngineCache(database: database)
    accounts = AccountCache(database: database)
    search = SearchCache(database: database)
    maintenance = Maintenance(database: database)
  }

  /// Ends all observation and closes the files. Later calls throw.
  public func close() { database.close() }
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
      keepers: [PackKeeper()])
  }
}

/// Options for opening a cache.
public struct StoreOptions: Sendable {
  /// New articles of one feed per refresh; the newest are kept.
  public var maximumNewArticles: Int
  /// Applies to feeds without an own setting.
  public var retention: Retention
  /// Clock for the user's changes and “today”.
  public var now: @Sendable () -> Date
  /// Time zone of “today”.
  public var calendar: Calendar
  /// Words of sanitised HTML as UTF-8, for search. Must be the same in every process, because
  /// indexed words are removed by it. The default returns the HTML as written.
  public var plainText: @Sendable (String) -> [UInt8]
  /// Configured options of the feed with an address.
  public var feedOptions: @Sendable (_ url: String) -> FeedOptions
  /// Text of the article about a change of a followed list.
  public var listNotice: @Sendable (ListChange) -> ListNotice
  /// Bytes of pictures that are kept; the least recently used ones are removed first.
  public var pictureLimit: Int
  /// Called for each step of an upgrade before `open` returns.
  public var onUpgrade: @Sendable (UpgradeStep) -> Void
  /// Called with each statement, without its values, and its time.
  public var trace: (@Sendable (String) -> Void)?

  public init(
    maximumNewArticles: Int = 1_000, retention: Retention = Retention(),
    now: @escaping @Sendable () -> Date = { Date() }, calendar: Calendar = .current,
    plainText: @escaping @Sendable (String) -> [UInt8] = { Array($0.utf8) },
    pictureLimit: Int = 500_000_000,
    feedOptions: @escaping @Sendable (_ url: String) -> FeedOptions = { _ in FeedOptions() },
    listNotice: @escaping @Sendable (ListChange) -> ListNotice = ListNotice.init,
    onUpgrade: @escaping @Sendable (UpgradeStep) -> Void = { _ in },
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.listNotice = listNotice
    self.maximumNewArticles = maximumNewArticles
    self.retention = retention
    self.now = now
    self.calendar = calendar
    self.plainText = plainText
    self.feedOptions = feedOptions
    self.pictureLimit = pictureLimit
    self.onUpgrade = onUpgrade
    self.trace = trace
  }
}
