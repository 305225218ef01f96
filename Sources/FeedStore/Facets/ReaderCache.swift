/// The cache as screens and commands use it: what is shown, and what the user does to it.
///
/// Every read is one snapshot: a page of a list, a row, counters. Every write is one transaction
/// that is on the disk when the call returns; what concerns an account's server is put in the
/// outbox by the same transaction, and what the engine is to do is a row that it observes.
///
/// ## Topics
///
/// ### Feeds and folders
/// - ``subscriptions()``
/// - ``feed(_:)``
/// - ``feed(url:)``
/// - ``latestArticles()``
/// - ``silentFeeds(since:)``
/// - ``options(of:)``
/// - ``description(of:)``
/// - ``markPolicies()``
/// - ``outline()``
/// - ``folder(path:)``
///
/// ### Subscribing and arranging, each one step of the undo journal
/// - ``subscribe(url:title:folder:mayBeOwn:)``
/// - ``subscribe(_:mayBeOwn:from:isUndoable:)``
/// - ``followList(url:name:in:)``
/// - ``followHeadlines(url:folder:)``
/// - ``unsubscribe(_:holdsBack:)``
/// - ``edit(_:_:)``
/// - ``setAddress(_:_:)``
/// - ``useMovedAddress(_:)``
/// - ``setPaused(_:_:)``
/// - ``rename(_:to:)``
/// - ``move(_:to:)``
/// - ``move(_:toFolder:isAdopted:)``
/// - ``reorder(_:by:)``
/// - ``delete(_:)``
/// - ``setExpanded(_:_:)``
/// - ``setFetchesFullText(_:_:)``
///
/// ### Lists of articles
/// - ``articles(_:_:limit:)``
/// - ``count(_:)``
/// - ``arrivals(_:)``
/// - ``articleIDs(_:from:through:)``
/// - ``latestArticleID()``
/// - ``lastVisit()``
/// - ``recordVisit()``
/// - ``nextUnread(_:after:)``
/// - ``previousUnread(_:before:)``
/// - ``sorted(_:by:atMost:feeds:)``
/// - ``summaries(of:)``
/// - ``articleRow(_:)``
/// - ``recentlyRead(limit:)``
/// - ``unread(_:_:)``
///
/// ### One article
/// - ``article(_:)``
/// - ``revisions(of:)``
/// - ``revisionCount(of:)``
/// - ``copies(of:)``
/// - ``notes(of:)``
/// - ``setNote(_:by:of:)``
/// - ``removeNotes(of:)``
/// - ``readingPosition(_:)``
/// - ``setReadingPosition(_:_:)``
/// - ``playbacks(of:)``
/// - ``setPlayback(_:_:_:isLast:)``
/// - ``tags(of:)``
///
/// ### Read, starred, tagged, deleted
/// - ``setRead(_:_:)``
/// - ``markOpened(_:)``
/// - ``setStarred(_:_:)``
/// - ``markAllRead(_:)``
/// - ``markShownRead(_:)``
/// - ``markRead(olderThan:in:)``
/// - ``changeTags(of:adding:removing:)``
///
/// ### Rules, each change one step of the undo journal
/// - ``rules()``
/// - ``rule(_:)``
/// - ``addRule(_:reach:)``
/// - ``editRule(_:_:)``
/// - ``enableRule(_:reach:)``
/// - ``disableRule(_:)``
/// - ``removeRule(_:)``
/// - ``setFileRules(_:)``
/// - ``judgements(of:)``
/// - ``snoozedUntil(_:)``
/// - ``programFailures(of:)``
/// - ``weeks(of:atMost:)``
/// - ``hiddenByRules(in:isAlone:)``
/// - ``setBaseScore(_:_:)``
/// - ``setBaseScore(ofFolder:_:)``
/// - ``noteOpened(_:)``
///
/// ### Undo
/// - ``nextUndo()``
/// - ``nextRedo()``
/// - ``undo(_:)``
/// - ``redo(_:)``
///
/// ### How much is kept
/// - ``retention(of:)``
/// - ``setRetention(_:_:)``
///
/// ### Asking the engine for a refresh
/// - ``requestRefresh(_:)``
/// - ``refreshRequest(_:)``
/// - ``refreshRequests(finishedSince:)``
/// - ``cancelRefresh(_:)``
/// - ``waits(of:)``
/// - ``failedFeeds(of:)``
///
/// ### Asking the engine for a page, a file, the feeds of a site
/// - ``turnFullText(_:)``
/// - ``fullText(_:)``
/// - ``cancelFullText(_:)``
/// - ``requestDownloads(of:)``
/// - ``downloads(of:)``
/// - ``allDownloads(limit:)``
/// - ``download(_:)``
/// - ``cancelDownload(_:)``
/// - ``setDownloadsPaused(_:_:)``
/// - ``retryDownloads(_:)``
/// - ``moveDownload(_:by:)``
/// - ``startDownloadNow(_:)``
/// - ``removeDownload(_:)``
/// - ``downloadHold()``
/// - ``savedDownloads()``
/// - ``requestDiscovery(url:)``
/// - ``discovery(_:)``
/// - ``endDiscovery(_:)``
///
/// ### Pictures
/// - ``pictures(at:)``
/// - ``pictureBytes(_:)``
/// - ``requestPictures(_:)``
/// - ``prefetchPictures(_:)``
///
/// ### Packs
/// - ``startPack(_:_:reserve:)``
/// - ``resumePack()``
/// - ``stopPack()``
/// - ``failedPackItems(_:limit:)``
/// - ``packs(limit:)``
/// - ``packed(_:)``
/// - ``discussion(of:)``
///
/// ### The work of the engine
/// - ``syncStatus()``
/// - ``syncPauses()``
/// - ``cancel(_:)``
/// - ``setAttention(_:)``
/// - ``telemetry(samples:)``
/// - ``setWatchesTelemetry(_:)``
/// - ``failingFeeds(limit:)``
/// - ``upcomingFeeds(limit:)``
/// - ``fetchCosts()``
///
/// ### Accounts and what is to be sent to them
/// - ``accounts()``
/// - ``account(_:)``
/// - ``requestAccountSync(_:)``
/// - ``outbox(of:limit:)``
/// - ``retryOutbox(_:)``
/// - ``answerRebuild(of:_:)``
/// - ``discardOutbox(_:)``
///
/// ### Changes
/// - ``observe(_:_:)``
/// - ``eventMark()``
/// - ``events(since:)``
///
/// ### Several reads at once
/// - ``joiningReads(_:)``
public struct ReaderCache: Sendable {
  let database: CacheDatabase
}
