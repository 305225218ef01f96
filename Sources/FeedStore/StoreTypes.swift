public import FeedModel
public import Foundation

/// What a commit touched, as observers see it.
public struct StoreChange: OptionSet, Sendable, Hashable {
  /// One bit for each part of the cache.
  public let rawValue: UInt32
  /// - Parameter rawValue: the bits; those without a name here are kept.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Feeds, folders and saved searches: added, removed, renamed, moved, expanded.
  public static let subscriptions = StoreChange(rawValue: 1 << 0)
  /// Fetch bookkeeping: validators, failures, next check, phase.
  public static let fetches = StoreChange(rawValue: 1 << 1)
  /// Articles: new, changed, removed.
  public static let articles = StoreChange(rawValue: 1 << 2)
  /// Read and star states.
  public static let statuses = StoreChange(rawValue: 1 << 3)
  /// Counts per feed.
  public static let counts = StoreChange(rawValue: 1 << 4)
  /// What the engine is asked for, and what came of it: refreshes, discoveries, full texts.
  public static let requests = StoreChange(rawValue: 1 << 5)
  /// The sync engine's status row.
  public static let syncStatus = StoreChange(rawValue: 1 << 6)
  /// What the user looks at, the engine's telemetry included.
  public static let attention = StoreChange(rawValue: 1 << 7)
  /// The undo journal.
  public static let journal = StoreChange(rawValue: 1 << 8)
  /// What the engine tells while somebody looks.
  public static let telemetry = StoreChange(rawValue: 1 << 9)
  /// Pauses and cancellations.
  public static let steering = StoreChange(rawValue: 1 << 10)
  /// Remote accounts: their rows and what is to be sent to them.
  public static let accounts = StoreChange(rawValue: 1 << 11)
  /// Rules: their conditions, actions and order, not what they did.
  public static let rules = StoreChange(rawValue: 1 << 12)
  /// How far files were played.
  public static let playback = StoreChange(rawValue: 1 << 13)
  /// All parts, those that later versions may add too.
  public static let everything = StoreChange(rawValue: .max)
}

/// Why the cache cannot do what was asked.
public enum StoreError: Error, Sendable, Equatable {
  /// The schema is newer than this program.
  case newerSchema(found: String)
  /// The file or its folder cannot be written.
  case readOnly(path: String)
  /// The disk, a quota or a limit on file sizes left no room.
  case diskFull
  /// The disk failed to read or write.
  case diskFailed(detail: Detail)
  /// The file is damaged.
  case corrupt(detail: Detail)
  /// The folder or file cannot be made or opened.
  case cannotOpen(path: String, detail: Detail)
  /// Another process held the lock for longer than the busy time-out.
  case busy
  /// Another process has the cache open, and what was asked for needs it alone.
  case inUse(process: Int32)
  /// There is a file already where one was to be made.
  case exists(path: String)
  /// The file is a database of another program.
  case notACache(path: String)
  /// No such row.
  case notFound
  /// A subscription with that address exists already.
  case alreadySubscribed(FeedID)
  /// There is an account of that kind, address and user already.
  case accountExists(AccountID)
  /// A file's or a program's address that did not come from the user's own word.
  case notAllowed
  /// The folder around holds one of that name already.
  case folderExists
  /// The protocol of this account has no call for subscriptions, their names and folders.
  case fixedSubscriptions(account: String)
  /// The folder is in the branch of this account, at whose server feeds have to be subscribed to.
  case accountsFolder(AccountID)
  /// The address of an account's feed is its server's to change.
  case accountsAddress
  /// Another failure of SQLite, in its words.
  case other(detail: Detail)
}

/// A list of articles: which, in what order, and as of when.
public struct ArticleQuery: Sendable, Hashable {
  /// The set of articles before `filter`.
  public enum Scope: Sendable, Hashable {
    /// Every article.
    case all
    /// What a condition selects.
    case smart(SmartFeed)
    /// The articles of a feed.
    case feed(FeedID)
    /// The folder's feeds and those of the folders in it.
    case folder(FolderID)
    /// What the user has given this label.
    case tag(String)
  }
  /// Which articles of the scope are listed.
  public enum Filter: Sendable, Hashable { case all, unread, starred }
  /// By `ArticleRow.sortDate`.
  public enum Order: Sendable, Hashable { case newestFirst, oldestFirst }
  /// The set of articles before `filter`.
  public var scope: Scope
  /// Which articles of the scope are listed.
  public var filter: Filter
  /// Of `hits` too, unless those are ranked: then they keep the order of their ranks.
  public var order: Order
  /// The list holds only what had arrived by then (articles up to and including this key), so that
  /// arrivals cannot move it. Nil: everything.
  public var asOf: ArticleID?
  /// Articles that stay in the list though they no longer pass the filter: those read during this
  /// visit.
  public var keeping: Set<ArticleID>
  /// Only articles whose title, author or feed name holds this text in any case. Nil: all.
  public var titleContains: String?
  /// The list is what a search found in it, and nothing else: ranked hits in their order, others in
  /// `order`. `scope` and `asOf` have done their work by then, and nothing arrives.
  public var hits: SearchHits?
  /// Hits that a rule has hidden are shown too.
  public var showsHiddenByRules = false

  /// The whole scope, newest first, unless something else is given.
  public init(
    scope: Scope, filter: Filter = .all, order: Order = .newestFirst, asOf: ArticleID? = nil,
    keeping: Set<ArticleID> = [], titleContains: String? = nil
  ) {
    self.scope = scope
    self.filter = filter
    self.order = order
    self.asOf = asOf
    self.keeping = keeping
    self.titleContains = titleContains
  }
}

/// One end of a page.
public enum PageStart: Sendable, Hashable {
  /// The list's first row.
  case top
  /// The list's last row, reading backwards.
  case bottom
  /// Rows behind this one in the list's order.
  case after(ArticleKey)
  /// Rows before this one, reading backwards.
  case before(ArticleKey)
  /// This row, where it is still there, and those behind it.
  case from(ArticleKey)
}

/// The feeds of the sidebar with everything that a row shows.
public struct Subscriptions: Sendable, Equatable {
  /// In order of their positions.
  public var folders: [Folder]
  /// In order of their positions, which count within a folder.
  public var feeds: [Feed]
  /// Unread articles of today, unread articles, starred articles.
  public var smartCounts: [SmartFeed: Int]
  /// In order of their positions.
  public var searches: [SavedSearch]
  /// The user's labels in alphabetical order, with the unread articles of each.
  public var tags: [(name: String, unread: Int)]

  /// Compares every part; written out because tuples are not `Equatable`.
  public static func == (a: Subscriptions, b: Subscriptions) -> Bool {
    a.folders == b.folders && a.feeds == b.feeds && a.smartCounts == b.smartCounts
      && a.searches == b.searches && a.tags.elementsEqual(b.tags, by: ==)
  }

  /// What is not given is empty.
  public init(
    folders: [Folder] = [], feeds: [Feed] = [], smartCounts: [SmartFeed: Int] = [:],
    tags: [(name: String, unread: Int)] = [], searches: [SavedSearch] = []
  ) {
    self.tags = tags
    self.folders = folders
    self.feeds = feeds
    self.smartCounts = smartCounts
    self.searches = searches
  }
}

/// What the user did, as the undo journal names it.
public struct JournalEntry: Sendable, Equatable, Identifiable {
  /// Raw values are stored in the journal.
  public enum Kind: String, Sendable, Codable {
    /// Marks of articles; what was unsubscribed from or deleted.
    case markRead, markUnread, markAllRead, star, unstar, unsubscribe, delete
    /// Tags, and the places and names of feeds and folders.
    case tag, editFeed, moveFeed, reorder, renameFolder, moveFolder, deleteFolder
    /// Saved searches.
    case saveSearch, renameSearch, removeSearch
    /// Rules.
    case addRule, editRule, enableRule, disableRule, removeRule
    /// Many feeds at once: a list, the starter set.
    case subscribe
    /// What a followed list added or dropped.
    case listAdded, listDropped
  }
  /// The key of its row; the largest is undone first.
  public var id: Int64
  /// What was done.
  public var kind: Kind
  /// How many articles or feeds it touched.
  public var count: Int
  /// The feed's or article's name, where it was one.
  public var subject: String?
  /// When it was done.
  public var at: Date
}

/// What is needed to refresh a feed: its address, what the origin gave last time, and its history.
public struct FetchRecord: Sendable, Equatable {
  /// The feed's key.
  public var feed: FeedID
  /// The address to be requested.
  public var url: String
  /// The feed's name, for logs and messages.
  public var name: String
  /// The newest `ETag`, as the origin gave it; nil: none.
  public var etag: String?
  /// The newest `Last-Modified`, as the origin gave it; nil: none.
  public var lastModified: String?
  /// The address that gave the validators; they are void for any other.
  public var validatorsURL: String?
  /// Of the last body that was parsed, hexadecimal.
  public var bodyHash: String?
  /// True once any document was merged: the next request is conditional or carries a known hash.
  public var hasBeenFetched: Bool
  /// When the origin last answered well; nil: never.
  public var succeededAt: Date?
  /// When the next check is due; nil: never.
  public var nextCheckAt: Date?
  /// Not to be asked before then, by a user's request either (429, 503 with Retry-After).
  public var notBefore: Date?
  /// The newest failure, until a success clears it.
  public var failure: RefreshFailure?
  /// The target of a permanent redirect that is not confirmed yet; nil: none.
  public var movedTo: String?
  /// When the pending redirect was first seen.
  public var movedSince: Date?
  /// The origin has answered 410, and has not answered well since: no check is planned.
  public var isGone: Bool
  /// Paused by the user.
  public var isPaused: Bool
  /// What the document asks of the refresh schedule; nil: nothing is known of it.
  public var updateHints: UpdateHints?
  /// For how long the origin said that its document stays fresh, in seconds; nil: it did not.
  public var freshFor: Double?
  /// Articles that arrived in the last 28 days, for the learned cadence.
  public var recentArticles: Int
  /// The mean score of its newest articles of these days; without any the score that its articles
  /// begin with.
  public var score = 0
  /// What is set for the feed in the cache.
  public var options: FeedOptions
  /// Its document is a list of feeds.
  public var isList = false
  /// The address of the followed list that it was added by; nil: the user's own word.
  public var listURL: String?

  /// What is not given is nil, false, 0 or empty: a feed that was never fetched.
  public init(
    feed: FeedID, url: String, name: String, etag: String? = nil, lastModified: String? = nil,
    validatorsURL: String? = nil, bodyHash: String? = nil, hasBeenFetched: Bool = false,
    succeededAt: Date? = nil, nextCheckAt: Date? = nil, notBefore: Date? = nil,
    failure: RefreshFailure? = nil, movedTo: String? = nil, movedSince: Date? = nil,
    isGone: Bool = false, isPaused: Bool = false, updateHints: UpdateHints? = nil,
    freshFor: Double? = nil, recentArticles: Int = 0, options: FeedOptions = FeedOptions()
  ) {
    self.feed = feed
    self.url = url
    self.name = name
    self.etag = etag
    self.lastModified = lastModified
    self.validatorsURL = validatorsURL
    self.bodyHash = bodyHash
    self.hasBeenFetched = hasBeenFetched
    self.succeededAt = succeededAt
    self.nextCheckAt = nextCheckAt
    self.notBefore = notBefore
    self.failure = failure
    self.movedTo = movedTo
    self.movedSince = movedSince
    self.isGone = isGone
    self.isPaused = isPaused
    self.updateHints = updateHints
    self.freshFor = freshFor
    self.recentArticles = recentArticles
    self.options = options
  }
}

/// That a feed's origin gave what it should.
public struct GoodAnswer: Sendable, Equatable {
  /// The feed's address.
  public var url: String
  /// When it was given.
  public var at: Date
  /// - Parameter url: the feed's address.
  public init(url: String, at: Date) {
    self.url = url
    self.at = at
  }
}

/// The outcome of one refresh, ready to be written: one value, one transaction.
public struct RefreshResult: Sendable {
  /// What the refresh came to.
  public enum Outcome: Sendable {
    /// The document was new: merge its items.
    case parsed(ParsedFeed, bodyHash: String)
    /// 304, or a body with the known hash.
    case unchanged
    /// No document was had, for this reason; the status of the answer, where there was one.
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// No request was sent, as the host is in back-off until `notBefore`. A stored failure is kept;
    /// where there is none, this reason is stored without counting an attempt.
    case postponed(RefreshFailure.Kind, status: Int?, detail: String?)
  }
  /// The feed that was refreshed.
  public var feed: FeedID
  /// When the refresh ended.
  public var at: Date
  /// The feed's address that was asked. Where the feed has another one by now, this result is void.
  /// Nil: whatever it has.
  public var askedURL: String?
  /// What the refresh came to.
  public var outcome: Outcome
  /// Where it failed because the document stopped short: what there is of it, to be merged all the
  /// same.
  public var partial: ParsedFeed?
  /// Of a followed list: the feeds that its document names.
  public var list: [OutlineEntry]?
  /// To be stored with the address that gave them; nil: keep those stored.
  public var validators: (etag: String?, lastModified: String?, url: String)?
  /// Drops stored validators (the address changed, the body was unusable).
  public var dropsValidators: Bool
  /// For how long the origin says that its document stays fresh, in seconds: kept for answers that
  /// do not say it again. Only of a success.
  public var freshFor: Double?
  /// When the next check is due; nil: never.
  public var nextCheckAt: Date?
  /// Why then; worded only on screens.
  public var nextCheckReasons: [CheckReason]
  /// The origin is not to be asked before then (Retry-After); nil: no such time.
  public var notBefore: Date?
  /// A permanent redirect's target that awaits its confirmation, and since when; nil clears it.
  /// Where it is `newURL` itself it is kept only if another subscription has that address.
  public var moved: (to: String, since: Date)?
  /// The confirmed new address: the subscription moves to it, unless another has it.
  public var newURL: String?
  /// The origin has answered 410, and has not answered well since.
  public var isGone: Bool
  /// Bytes received on the wire.
  public var bytes: Int64
  /// Seconds.
  public var duration: Double

  /// What is not given is nil, false, 0 or empty.
  public init(
    feed: FeedID, at: Date, askedURL: String? = nil, outcome: Outcome,
    partial: ParsedFeed? = nil,
    validators: (etag: String?, lastModified: String?, url: String)? = nil,
    dropsValidators: Bool = false, freshFor: Double? = nil, nextCheckAt: Date? = nil,
    nextCheckReasons: [CheckReason] = [], notBefore: Date? = nil,
    moved: (to: String, since: Date)? = nil, newURL: String? = nil,
    isGone: Bool = false, bytes: Int64 = 0, duration: Double = 0
  ) {
    self.feed = feed
    self.at = at
    self.askedURL = askedURL
    self.outcome = outcome
    self.partial = partial
    self.validators = validators
    self.dropsValidators = dropsValidators
    self.freshFor = freshFor
    self.nextCheckAt = nextCheckAt
    self.nextCheckReasons = nextCheckReasons
    self.notBefore = notBefore
    self.moved = moved
    self.newURL = newURL
    self.isGone = isGone
    self.bytes = bytes
    self.duration = duration
  }
}

/// What a merge did to one feed.
public struct MergeOutcome: Sendable, Equatable {
  /// The feed that was merged.
  public var feed: FeedID
  /// Articles that were not here before, in ascending order of their keys.
  public var added: [ArticleID]
  /// How many known articles changed.
  public var updated: Int
  /// Nothing changed, unless it is given.
  public init(feed: FeedID, added: [ArticleID] = [], updated: Int = 0) {
    self.feed = feed
    self.added = added
    self.updated = updated
  }
}
