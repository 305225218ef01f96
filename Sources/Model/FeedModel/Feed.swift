public import Foundation

/// A subscription, as a list row shows it.
public struct Feed: Sendable, Identifiable, Equatable {
  public var id: FeedID
  public var url: String
  /// The feed's own title as plain text; may be empty.
  public var title = ""
  public var userTitle: String?
  /// The absolute address of the feed's web page.
  public var homePageURL: String?
  /// The containing folder; `nil` at the top level.
  public var folder: FolderID?
  public var position = 0
  /// True if the user paused the feed; only a request for this feed refreshes it.
  public var isPaused = false
  /// True if the pages of new articles are fetched as they arrive.
  public var fetchesFullText = false
  /// Counts of all articles that are not hidden.
  public var counts = ArticleCounts()
  public var state = FeedState()
  /// The remote account that refreshes the feed; `nil` if Weir does.
  public var account: AccountID?
  /// True for a followed list of feeds, whose articles report changes.
  public var isList = false
  /// The priority of the feed itself. If it is normal, that of its folder applies.
  public var priority = FeedPriority.normal
  /// The time until which mixed lists leave the feed out; `nil` if the feed is not snoozed.
  public var snoozedUntil: Date?

  /// The user's name, else the feed's, else its address without user information; never empty.
  public var name: String {
    if let userTitle, !userTitle.isEmpty { return userTitle }
    return title.isEmpty ? HiddenSecrets.name(of: url) : title
  }

  public init(id: FeedID, url: String) { (self.id, self.url) = (id, url) }
}

/// Numbers of articles in a list.
public struct ArticleCounts: Sendable, Equatable {
  public var total: Int
  public var unread: Int
  public var starred: Int
  public init(total: Int = 0, unread: Int = 0, starred: Int = 0) {
    (self.total, self.unread, self.starred) = (total, unread, starred)
  }
}

/// The last outcome of a feed's refresh, and the next planned check.
public struct FeedState: Sendable, Equatable {
  /// The last time the server answered 200 or 304.
  public var succeededAt: Date?
  public var checkedAt: Date?
  /// The time of the next check; `nil` if none is planned, as for a feed that is gone or paused.
  public var nextCheckAt: Date?
  public var nextCheckReasons: [CheckReason] {
    get { CheckReason.reasons(checkReasons) }
    set { checkReasons = CheckReason.text(newValue) }
  }
  /// The stored form; decoded on demand, as decoding takes longer than the rest of a feed.
  private var checkReasons: String?
  /// The newest failure; cleared by a success.
  public var failure: RefreshFailure?
  /// The target of an unconfirmed permanent redirect, without user information; for display.
  public var movedTo: String?

  public init() {}

  /// Sets the reasons of the next check from their stored form (`CheckReason.text`).
  public mutating func setCheckReasons(_ text: String?) { checkReasons = text }
}

/// The reason that a request of a feed, a page or a file failed.
public typealias RefreshFailure = StoredFailure<RefreshFailureKind>

/// The reason of a failure, in a form that can be stored and worded later.
public struct StoredFailure<FailureKind: RawRepresentable<String> & Sendable & Equatable>: Error,
  Sendable, Equatable
{
  public typealias Kind = FailureKind
  /// The kind of failure; it determines the text and, with `status`, the suggested remedy.
  public var kind: Kind
  public var status: Int?
  /// A short fact in plain text, such as the host or the error of the parser or TLS library.
  public var detail: String?
  public var since: Date
  /// Consecutive failures including this one; 0 if the host's back-off prevented the request.
  public var count: Int

  public init(kind: Kind, status: Int? = nil, detail: String? = nil, since: Date, count: Int = 1) {
    (self.kind, self.status, self.detail, self.since) = (kind, status, detail, since)
    self.count = count
  }
}

extension StoredFailure: Codable where FailureKind: Codable {}

/// The kinds of failures of requests. Raw values are stored in the cache and printed in JSON.
public enum RefreshFailureKind: String, Sendable, Codable, CaseIterable {
  /// Failed connections, and a machine without a network.
  case hostNotFound, connectionRefused, connectTimedOut, connectionLost, stalled, offline
  /// A proxy or cache failed, not the origin.
  case proxy
  /// A failed certificate or handshake; a body too large, cut off, or wrongly compressed.
  case tls, tooLarge, truncated, badEncoding
  /// The response has no status line, or a NUL byte in a header.
  case notHTTP
  /// The request was aborted: too many header lines, more chunked framing than content, or too
  /// few bytes a second while the network had spare capacity.
  case headersTooLarge, tooMuchFraming, tooSlow
  /// An unsuccessful status: `rateLimited` is 429, a 403 that means 429, or a back-off of the
  /// host that prevented the request; `gone` is 410, `unauthorized` 401, and `httpStatus` any
  /// other, such as 503.
  case httpStatus, rateLimited, gone, unauthorized
  /// Endless redirects, or an address or scheme that is not fetched.
  case tooManyRedirects, forbiddenRedirect, forbiddenAddress, unsupportedScheme
  /// No feed in the body; an empty body; a failed file, program or cache.
  case notAFeed, empty, unreadableFile, programFailed, storage
  case noArticle
  /// The links of a followed page are no longer in their place.
  case pageChanged
  /// A followed list is missing, empty or damaged.
  case notAList
}

/// A folder of feeds.
public struct Folder: Sendable, Identifiable, Equatable {
  public var id: FolderID
  /// The containing folder; `nil` at the top level.
  public var parent: FolderID?
  /// A line of plain text, unique among its siblings.
  public var title: String
  /// Order among siblings, ascending.
  public var position: Int
  public var isExpanded: Bool
  /// The remote account whose folder this is; `nil` for other folders.
  public var account: AccountID?
  /// The priority of the feeds and folders in it that have none of their own.
  public var priority = FeedPriority.normal
  public init(
    id: FolderID, parent: FolderID? = nil, title: String, position: Int = 0,
    isExpanded: Bool = true, account: AccountID? = nil
  ) {
    (self.id, self.parent, self.title, self.position) = (id, parent, title, position)
    (self.isExpanded, self.account) = (isExpanded, account)
  }
}

/// The priority of a feed's articles in lists of several feeds, set for a feed or for a folder of
/// feeds. The nearest one other than normal applies. The raw values are stored.
public enum FeedPriority: Int, Sendable, CaseIterable {
  case normal = 0
  /// First in Today and in refreshing, with a list of its own. Marking a list above the feed or
  /// folder read leaves its articles unread, and so does moving past them.
  case high = 2
  /// Kept out of Unread and Today (newsboat's `!`).
  case quiet = 1

  /// The name in commands, forms, JSON and OPML.
  public var name: String { String(describing: self) }

  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// A list defined by a condition.
public enum SmartFeed: String, Sendable, CaseIterable, Codable {
  case high = "important"
  /// `today` begins at midnight in the user's time zone.
  case today, unread, starred
  /// Articles that the user keeps for later, also after reading them.
  case later
  /// Articles of feeds that were unsubscribed.
  case archived = "kept"

  /// True for a list that the sidebar has only while something belongs to it.
  public var isShownOnlyIfUsed: Bool { [.high, .later, .archived].contains(self) }
}

/// A search saved under a name, listed like a feed.
public struct SavedSearch: Sendable, Identifiable, Equatable {
  public var id: SavedSearchID
  /// Plain text, never empty.
  public var name: String
  public var query: String
  public var position: Int
  public init(id: SavedSearchID, name: String, query: String, position: Int = 0) {
    (self.id, self.name, self.query, self.position) = (id, name, query, position)
  }
}
