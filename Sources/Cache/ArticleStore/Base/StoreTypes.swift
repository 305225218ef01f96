public import Foundation

/// A list of articles: its scope, order, and time.
public struct ArticleQuery: Sendable, Hashable {
  /// The articles to which `filter` applies.
  public enum Scope: Sendable, Hashable {
    case all
    /// All feeds except quiet ones. Unread uses this scope.
    case exceptQuiet
    case smart(SmartFeed)
    case feed(FeedID)
    /// Includes the folders within it.
    case folder(FolderID)
    case tag(String)
  }
  /// Articles of the scope that are listed.
  public enum Filter: Sendable, Hashable { case all, unread, starred }
  /// Orders by `ArticleRow.sortDate`.
  public enum Order: Sendable, Hashable { case newestFirst, oldestFirst }
  public var scope: Scope
  public var filter: Filter
  /// Order of the list; ignored for ranked hits.
  public var order: Order
  /// Lists articles up to this key, so that arrivals do not move the list.
  public var asOf: ArticleID?
  /// Articles that stay although they no longer pass the filter: those read during this visit.
  public var keeping: Set<ArticleID>
  /// Text that title, author or feed name contains, ignoring case.
  public var titleContains: String?
  /// Restricts the list to these hits; `scope` and `asOf` no longer apply.
  public var hits: SearchHits?
  /// Includes hits that a rule has hidden.
  public var showsHiddenByRules = false
  /// Restricts a list of several feeds to those in these folders; `nil` for all feeds.
  public var folders: [FolderID]?

  public init(
    scope: Scope, filter: Filter = .all, order: Order = .newestFirst, asOf: ArticleID? = nil,
    keeping: Set<ArticleID> = [], titleContains: String? = nil
  ) {
    (self.scope, self.filter, self.order, self.asOf) = (scope, filter, order, asOf)
    (self.keeping, self.titleContains) = (keeping, titleContains)
  }
}

/// The start of a page in a list.
public enum PageStart: Sendable, Hashable {
  case top
  /// Last row; reads backwards.
  case bottom
  case after(ArticleKey)
  /// Rows before this one; reads backwards.
  case before(ArticleKey)
  /// This row, if it still exists, and those after it.
  case from(ArticleKey)
}

/// The feeds of the sidebar with everything that a row shows.
public struct Subscriptions: Sendable, Equatable {
  /// Sorted by position.
  public var folders: [Folder]
  /// Sorted by position within their folder.
  public let feeds: [Feed]
  /// Hosts of feeds that share their name with a feed of another host.
  public let distinctiveHosts: [FeedID: String]
  /// The number that the sidebar shows for each smart feed. `high` is missing if no feed has
  /// high priority, `later` and `kept` if they have no articles.
  public var smartCounts: [SmartFeed: Int]
  /// Words of the articles kept for later, as `ReadingTime` counts them.
  public var laterWords = 0
  /// Sorted by position.
  public var searches: [SavedSearch]
  /// Tags in alphabetical order, with the numbers of their articles.
  public var tags: [(name: String, counts: ArticleCounts)]

  public static func == (a: Subscriptions, b: Subscriptions) -> Bool {
    a.folders == b.folders && a.feeds == b.feeds && a.smartCounts == b.smartCounts
      && a.laterWords == b.laterWords
      && a.searches == b.searches && a.tags.elementsEqual(b.tags, by: ==)
  }

  public init(
    folders: [Folder] = [], feeds: [Feed] = [], smartCounts: [SmartFeed: Int] = [:],
    tags: [(name: String, counts: ArticleCounts)] = [], searches: [SavedSearch] = []
  ) {
    self.tags = tags
    self.folders = folders
    self.feeds = feeds
    distinctiveHosts = Self.distinctiveHosts(feeds)
    self.smartCounts = smartCounts
    self.searches = searches
  }

  private static func distinctiveHosts(_ feeds: [Feed]) -> [FeedID: String] {
    var found: [FeedID: String] = [:]
    for group in Dictionary(grouping: feeds, by: { $0.name.lowercased() }).values
    where group.count > 1 {
      let hosts = group.map { feed in
        let url = feed.homePageURL ?? feed.url
        return Confusables.shown(WebAddress(url).host ?? url)
      }
      guard Set(hosts).count > 1 else { continue }
      for (feed, host) in zip(group, hosts) { found[feed.id] = host }
    }
    return found
  }

  /// Returns a feed's name, with the host if feeds of several hosts share the name: "News
  /// (lwn.net)".
  public func name(of feed: FeedID, _ name: String) -> String {
    distinctiveHosts[feed].map { "\(name) (\($0))" } ?? name
  }

  /// Returns the titles of a folder and of the folders around it, the outermost first.
  public func path(of folder: FolderID?) -> [String] { folders(to: folder).map(\.title) }

  /// Returns a folder and the folders around it, the outermost first.
  func folders(to folder: FolderID?) -> [Folder] {
    var path: [Folder] = []
    // A damaged table may have folders in a cycle.
    while path.count < folders.count,
      let next = path.first.map(\.parent) ?? folder,
      let found = folders.first(where: { $0.id == next })
    {
      path.insert(found, at: 0)
    }
    return path
  }
}

/// An action of the user in the undo journal.
public struct JournalEntry: Sendable, Equatable, Identifiable {
  /// Raw values are stored in the journal.
  public enum Kind: String, Sendable, Codable {
    case markRead, markUnread, markAllRead, star, unstar, later, notLater, unsubscribe, delete
    /// An opened article, which `undo` skips.
    case open
    case tag, editFeed, moveFeed, reorder, renameFolder, moveFolder, editFolder
    case deleteFolder
    case saveSearch, renameSearch, removeSearch
    case addRule, editRule, enableRule, disableRule, removeRule
    /// Many feeds at once: a list, the starter set.
    case subscribe
    case listAdded, listDropped
    /// Marks that an account's server had lost.
    case sendAgain
    case joinFolder
    /// The removals by another device, see `Losses`.
    case removedElsewhere
    case snooze, wake
  }
  /// Key of the entry; the largest is undone first.
  public var id: Int64
  public var kind: Kind
  /// Number of articles or feeds that the action changed.
  public var count: Int
  /// Name of the article or feed if the action changed only one.
  public var subject: String?
  public var at: Date
}

/// The changes that a followed list made.
public struct ListChange: Sendable, Equatable {
  /// The reason to keep a feed that the list no longer names.
  public enum Reason: String, Sendable {
    /// The feed has articles that would outlive it, such as starred ones.
    case articles
    /// The user named, moved or configured the feed.
    case settings
  }
  public var list: String
  public var added: [String] = []
  public var dropped: [String] = []
  /// Feeds that the list no longer names and that stay.
  public var kept: [(name: String, reason: Reason)] = []

  package var isEmpty: Bool { added.isEmpty && dropped.isEmpty && kept.isEmpty }

  public static func == (a: ListChange, b: ListChange) -> Bool {
    a.list == b.list && a.added == b.added && a.dropped == b.dropped
      && a.kept.elementsEqual(b.kept, by: ==)
  }
}

/// The article about a change of a list.
public struct ListNotice: Sendable, Equatable {
  /// Plain text, one line.
  public var title: String
  /// Sanitised HTML.
  public var html: String
  public init(title: String, html: String) { (self.title, self.html) = (title, html) }

  /// Creates a notice whose title needs no words: “+ A, B − C”.
  public init(_ change: ListChange) {
    let parts = [("+", change.added), ("\u{2212}", change.dropped), ("=", change.kept.map(\.name))]
    let title = parts.filter { !$0.1.isEmpty }
      .map { "\($0) \($1.joined(separator: ", "))" }.joined(separator: " ")
    self.init(title: title, html: "")
  }
}

/// Reasons why an article is in no list, as bits of `articleStatus.isHidden`.
package enum HiddenReason {
  package static let unsubscribed: Int64 = 1
  package static let deleted: Int64 = 2
  package static let rule: Int64 = 4
  package static let snoozed: Int64 = 8
}
