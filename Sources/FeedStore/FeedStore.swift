public import Foundation

// This folder holds the cache and everything that knows SQL: schema, merge, lists, journal,
// observation. What is shown, fetched or parsed stays outside; no GRDB type leaves.

/// The cache: the only thing that screens and engine share.
///
/// `FeedStore` opens the file, migrates it and hands out what each side may do with it: screens
/// hold a `ReaderCache` and a `SearchCache`, the sync engine an `EngineCache` and an
/// `AccountCache`. Only the program that wires them sees all five.
///
/// Reads are synchronous and short (a window of a list, a row); they never wait for a writer.
/// Writes are asynchronous, one transaction each, one after another. What the user does is
/// committed with `synchronous = FULL` before the call returns; what can be fetched again with
/// NORMAL. Dates are kept to the millisecond. Safe to use from any thread.
public struct FeedStore: Sendable {
  /// What screens and commands read, and what the user does.
  public let reader: ReaderCache
  /// What the sync engine takes and writes.
  public let engine: EngineCache
  /// Remote accounts: their settings, what is sent to their servers, and what these say.
  public let accounts: AccountCache
  /// Full-text search: hits, the index, saved searches.
  public let search: SearchCache
  /// Checks, upkeep, copies of the whole cache, imports.
  public let maintenance: Maintenance

  let database: CacheDatabase

  /// Opens the cache, makes or migrates it.
  /// - Parameter directory: the data directory; made with mode 0700 where missing.
  /// - Throws: `.newerSchema`, with nothing touched; `.readOnly`, `.corrupt`, `.cannotOpen`.
  public static func open(
    directory: String, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> FeedStore {
    let path = try StoreFiles.prepare(directory: directory)
    do {
      return FeedStore(
        try CacheDatabase(pool: try Schema.openPool(path: path), path: path, options: options))
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

  /// Ends all observation and closes the files. What is asked for afterwards fails.
  public func close() { database.close() }
}

/// What may be set when a cache is opened.
public struct StoreOptions: Sendable {
  /// New articles that one refresh may add to one feed; the newest are taken.
  public var maximumNewArticles: Int
  /// How much is kept of a feed that says nothing of its own.
  public var retention: Retention
  /// The clock, for what the user does and for "today".
  public var now: @Sendable () -> Date
  /// Whose midnight begins "today".
  public var calendar: Calendar
  /// The words of sanitised HTML, for search; the same in every process that opens the cache, for
  /// what was indexed by it is taken out by it. The default takes the HTML as it stands.
  public var plainText: @Sendable (String) -> String

  public init(
    maximumNewArticles: Int = 1_000, retention: Retention = Retention(),
    now: @escaping @Sendable () -> Date = { Date() }, calendar: Calendar = .current,
    plainText: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.maximumNewArticles = maximumNewArticles
    self.retention = retention
    self.now = now
    self.calendar = calendar
    self.plainText = plainText
  }
}
