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
  /// What the engine publishes while it is watched.
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
  /// The database of an earlier build is not updated without this many free bytes in its folder.
  case needsSpace(bytes: Int64, path: String)
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
  /// The schema has these entries that Weir did not write, or lacks some: the file may come from
  /// somebody else.
  case foreignSchema(found: [String])
  /// A backup brings programs, or settings of requests, that nobody has agreed to.
  case programs([String])
  /// The file of the open database was removed, or another one is at its place.
  case fileRemoved(path: String)
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
  /// This row, if it still exists, and those after it.
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
    /// An article that was opened, and read by that. `undo` skips it.
    case open
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
