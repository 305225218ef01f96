public import FeedModel
public import Foundation

/// The cache: the only thing that screens and engine share.
///
/// Reads are synchronous and short (a window of a list, a row); they never wait for a writer.
/// Writes are asynchronous, one transaction each, one after another. What the user does is committed
/// with `synchronous = FULL` before the call returns; what can be fetched again with NORMAL.
/// Safe to use from any thread.
public final class FeedStore: Sendable {
  /// Opens the cache, makes or migrates it.
  /// - Parameter directory: the data directory; made with mode 0700 where missing.
  public static func open(directory: String) throws(StoreError) -> FeedStore { fatalError() }

  private init() {}

  /// Ends all observation and closes the files.
  public func close() {}

  // MARK: Observing

  /// Calls `handler` after each commit that touched `interest`, by this process or another, on an
  /// arbitrary thread. Ends when the observation is released.
  public func observe(
    _ interest: StoreChange, _ handler: @escaping @Sendable (StoreChange) -> Void
  ) -> StoreObservation { fatalError() }

  // MARK: Reading lists

  public func subscriptions() throws(StoreError) -> Subscriptions { fatalError() }
  public func feed(_ id: FeedID) throws(StoreError) -> Feed? { fatalError() }
  public func feed(url: String) throws(StoreError) -> Feed? { fatalError() }
  /// A page of a list, in the list's order, whichever end it starts at.
  public func articles(_ query: ArticleQuery, _ start: PageStart, limit: Int)
    throws(StoreError) -> [ArticleRow]
  { fatalError() }
  /// How many articles the list holds.
  public func count(_ query: ArticleQuery) throws(StoreError) -> Int { fatalError() }
  /// How many articles arrived after `query.asOf` that the list would hold.
  public func arrivals(_ query: ArticleQuery) throws(StoreError) -> Int { fatalError() }
  /// The newest key given so far: what `ArticleQuery.asOf` freezes a list at.
  public func latestArticleID() throws(StoreError) -> ArticleID { fatalError() }
  /// The first unread article behind `key` in the list's order, from the top where `key` is nil.
  public func nextUnread(_ query: ArticleQuery, after key: ArticleKey?)
    throws(StoreError) -> ArticleRow?
  { fatalError() }
  /// The last unread article before `key` in the list's order.
  public func previousUnread(_ query: ArticleQuery, before key: ArticleKey?)
    throws(StoreError) -> ArticleRow?
  { fatalError() }
  public func article(_ id: ArticleID) throws(StoreError) -> Article? { fatalError() }

  // MARK: What the user does

  public func setRead(_ ids: [ArticleID], _ isRead: Bool) async throws(StoreError) { fatalError() }
  public func setStarred(_ ids: [ArticleID], _ isStarred: Bool) async throws(StoreError) {
    fatalError()
  }
  /// Marks read exactly what the list holds (`query.asOf` included). Returns how many changed.
  @discardableResult
  public func markAllRead(_ query: ArticleQuery) async throws(StoreError) -> Int { fatalError() }
  /// Marks read what is older than `date`, in one feed or all. Returns how many changed.
  @discardableResult
  public func markRead(olderThan date: Date, in feed: FeedID?) async throws(StoreError) -> Int {
    fatalError()
  }
  /// Undoes the newest entry of the journal that is not undone. Nil where there is none.
  public func undo() async throws(StoreError) -> JournalEntry? { fatalError() }
  public func redo() async throws(StoreError) -> JournalEntry? { fatalError() }
  /// Subscribes; `.alreadySubscribed` where the address is known. A new feed is due at once.
  @discardableResult
  public func subscribe(url: String, title: String?, folder: FolderID?) async throws(StoreError)
    -> FeedID
  { fatalError() }
  /// Subscribes to many at once, making folders as named. Known addresses are left as they are.
  public func subscribe(_ entries: [OutlineEntry]) async throws(StoreError) -> (
    added: [FeedID], known: Int
  ) { fatalError() }
  /// Unsubscribes; undoable, articles included, until the journal forgets it.
  public func unsubscribe(_ feeds: [FeedID]) async throws(StoreError) { fatalError() }
  public func rename(_ feed: FeedID, to title: String?) async throws(StoreError) { fatalError() }
  public func move(_ feed: FeedID, to folder: FolderID?) async throws(StoreError) { fatalError() }
  public func setPaused(_ feed: FeedID, _ isPaused: Bool) async throws(StoreError) { fatalError() }
  /// Takes the address that a permanent redirect gave. Keeps articles and states.
  public func useMovedAddress(_ feed: FeedID) async throws(StoreError) { fatalError() }
  /// The folder with this path of titles, made where missing.
  public func folder(path: [String]) async throws(StoreError) -> FolderID? { fatalError() }
  public func setExpanded(_ folder: FolderID, _ isExpanded: Bool) async throws(StoreError) {
    fatalError()
  }
  public func outline() throws(StoreError) -> [OutlineEntry] { fatalError() }

  /// Asks for a refresh: one durable row, however often it is asked for. Returns the row that serves
  /// this scope, new or already running.
  @discardableResult
  public func requestRefresh(_ scope: RefreshScope) async throws(StoreError) -> RefreshRequest {
    fatalError()
  }
  public func refreshRequest(_ id: Int64) throws(StoreError) -> RefreshRequest? { fatalError() }
  /// Not finished ones, oldest first, and those finished after `since`.
  public func refreshRequests(finishedSince since: Date) throws(StoreError) -> [RefreshRequest] {
    fatalError()
  }
  public func cancelRefresh(_ id: Int64) async throws(StoreError) { fatalError() }
  /// What is on this process's screen, most important first: raises the class of its refreshes.
  public func setAttention(_ feeds: [FeedID]) async throws(StoreError) { fatalError() }

  /// Asks the engine for the feeds at an address. Returns the request's key.
  public func requestDiscovery(url: String) async throws(StoreError) -> Int64 { fatalError() }
  public func discovery(_ id: Int64) throws(StoreError) -> Discovery? { fatalError() }
  /// Forgets a discovery, whatever its state.
  public func endDiscovery(_ id: Int64) async throws(StoreError) { fatalError() }

  // MARK: The engine's side

  public func pendingDiscoveries() throws(StoreError) -> [Discovery] { fatalError() }
  public func finishDiscovery(_ id: Int64, _ state: Discovery.State) async throws(StoreError) {
    fatalError()
  }

  public func attention() throws(StoreError) -> [FeedID] { fatalError() }
  public func syncStatus() throws(StoreError) -> SyncStatus { fatalError() }
  public func setSyncStatus(_ status: SyncStatus) async throws(StoreError) { fatalError() }
  /// Feeds whose time has come, longest overdue first; without paused and gone ones.
  public func dueFeeds(at now: Date, limit: Int) throws(StoreError) -> [FetchRecord] { fatalError() }
  /// When the next feed becomes due.
  public func nextDueDate() throws(StoreError) -> Date? { fatalError() }
  /// The feeds that a request covers and that are not done for it yet.
  public func pendingFeeds(of request: Int64) throws(StoreError) -> [FetchRecord] { fatalError() }
  public func fetchRecord(_ feed: FeedID) throws(StoreError) -> FetchRecord? { fatalError() }
  /// Marks where refreshes stand, for the screens. Not durable across a crash: `open` resets it.
  public func setPhase(_ phase: RefreshPhase, of feeds: [FeedID]) async throws(StoreError) {
    fatalError()
  }
  /// Writes the outcomes of refreshes in one transaction: articles, fetch bookkeeping, progress of
  /// the requests that cover them. Never un-reads, never duplicates, never deletes.
  public func merge(_ results: [RefreshResult]) async throws(StoreError) -> [MergeOutcome] {
    fatalError()
  }

  // MARK: Care

  /// SQLite's own integrity check; empty where all is well.
  public func integrityProblems() throws(StoreError) -> [String] { fatalError() }
}

/// Keeps an observation alive; release it to end the observation.
public final class StoreObservation: Sendable {
  public func cancel() {}
}
