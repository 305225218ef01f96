public import Foundation

/// A subscription, as a list row shows it.
public struct Feed: Sendable, Identifiable, Equatable {
  public var id: FeedID
  public var url: String
  /// What the feed calls itself; plain text, may be empty.
  public var title: String
  public var userTitle: String?
  /// The feed's web page, absolute; nil if neither the feed nor an imported list gives one.
  public var homePageURL: String?
  /// The folder that it is in; nil: at the top level.
  public var folder: FolderID?
  public var position: Int
  /// Paused by the user: it is refreshed only where the user asks for it by name.
  public var isPaused: Bool
  /// The pages of new articles are fetched as they arrive.
  public var fetchesFullText: Bool
  /// Of all its articles that are not hidden.
  public var counts: ArticleCounts
  /// The outcome of the last fetch and the plan for the next one.
  public var state: FeedState
  /// The remote account that refreshes it; nil: Weir itself does.
  public var account: AccountID?
  /// A list of feeds that is followed; its articles say what changed.
  public var isList: Bool

  /// The name to show: the user's, else the feed's own, else its address, without the name and the
  /// password that may be in it. Never empty.
  public var name: String {
    if let userTitle, !userTitle.isEmpty { return userTitle }
    return title.isEmpty ? HiddenSecrets.name(of: url) : title
  }

  public init(
    id: FeedID, url: String, title: String = "", userTitle: String? = nil,
    homePageURL: String? = nil, folder: FolderID? = nil, position: Int = 0,
    isPaused: Bool = false, fetchesFullText: Bool = false,
    counts: ArticleCounts = ArticleCounts(), state: FeedState = FeedState(),
    account: AccountID? = nil, isList: Bool = false
  ) {
    self.id = id
    self.url = url
    self.title = title
    self.userTitle = userTitle
    self.homePageURL = homePageURL
    self.folder = folder
    self.position = position
    self.isPaused = isPaused
    self.fetchesFullText = fetchesFullText
    self.counts = counts
    self.state = state
    self.account = account
    self.isList = isList
  }
}

/// How many articles a list holds.
public struct ArticleCounts: Sendable, Equatable {
  public var total: Int
  /// Those of `total` that are not read.
  public var unread: Int
  /// Those of `total` that are starred, read or not.
  public var starred: Int
  public init(total: Int = 0, unread: Int = 0, starred: Int = 0) {
    self.total = total
    self.unread = unread
    self.starred = starred
  }
  /// The sums of each number, as for a folder of two feeds.
  public static func + (a: ArticleCounts, b: ArticleCounts) -> ArticleCounts {
    ArticleCounts(
      total: a.total + b.total, unread: a.unread + b.unread, starred: a.starred + b.starred)
  }
}

/// What the fetching of a feed came to: its last outcome, and what happens next.
public struct FeedState: Sendable, Equatable {
  /// Whether a refresh of it waits or runs now.
  public var phase: RefreshPhase
  /// When the origin last answered well (200 or 304).
  public var succeededAt: Date?
  public var checkedAt: Date?
  /// When the next check is due; nil: never (gone, paused).
  public var nextCheckAt: Date?
  public var nextCheckReasons: [CheckReason] {
    get { CheckReason.reasons(checkReasons) }
    set { checkReasons = CheckReason.text(newValue) }
  }
  /// As they are stored: reading them takes longer than the rest of a feed, and few are shown.
  private var checkReasons: String?
  /// The newest failure, until a success clears it.
  public var failure: RefreshFailure?
  /// The address that a permanent redirect gave, while it awaits its confirmation; to be shown, and
  /// so without the name and the password that go along with it.
  public var movedTo: String?

  public init(
    phase: RefreshPhase = .idle, succeededAt: Date? = nil, checkedAt: Date? = nil,
    nextCheckAt: Date? = nil, nextCheckReasons: [CheckReason] = [], failure: RefreshFailure? = nil,
    movedTo: String? = nil
  ) {
    self.phase = phase
    self.succeededAt = succeededAt
    self.checkedAt = checkedAt
    self.nextCheckAt = nextCheckAt
    checkReasons = CheckReason.text(nextCheckReasons)
    self.failure = failure
    self.movedTo = movedTo
  }

  /// Takes the reasons of the next check as they are stored (`CheckReason.text`).
  public mutating func setCheckReasons(_ text: String?) { checkReasons = text }
}

/// The state of a refresh.
public enum RefreshPhase: Int, Sendable, Codable {
  case idle = 0
  case waiting = 1
  case fetching = 2
}

/// Why a refresh failed: storable, comparable, and worded only where people read it.
public struct RefreshFailure: Sendable, Equatable {
  /// Raw values are stored in the cache and printed in JSON.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The connection was not made, or broke; or this machine has no network.
    case hostNotFound, connectionRefused, connectTimedOut, connectionLost, stalled, offline
    /// Not the origin: a proxy or a cache before it.
    case proxy
    /// A certificate or a handshake failed; the body is too large, cut off, or wrongly compressed.
    case tls, tooLarge, truncated, badEncoding
    /// An answer that is not HTTP: no status line, or a NUL byte in a header.
    case notHTTP
    /// An answer that was ended because of its form: too many header lines, more chunked framing
    /// than content, or too few bytes a second while the network had capacity to spare.
    case headersTooLarge, tooMuchFraming, tooSlow
    /// An answer other than success: any status, 429 or 503, 410, 401.
    case httpStatus, rateLimited, gone, unauthorized
    /// Redirects without an end, or to an address that is not fetched; a scheme that is not
    /// fetched.
    case tooManyRedirects, forbiddenRedirect, forbiddenAddress, unsupportedScheme
    /// No feed in the body; nothing in it; a file, a program or the cache of this machine failed.
    case notAFeed, empty, unreadableFile, programFailed, storage
    case noArticle
    /// A page whose headlines are followed has no links in their place any more.
    case pageChanged
    /// No list of feeds where one is followed, or an empty or a damaged one.
    case notAList
  }
  /// Decides the wording, and with `status` which remedy is proposed.
  public var kind: Kind
  /// The HTTP status, where there was one.
  public var status: Int?
  /// A short fact beside the kind, plain text: the host, the parser's reason, the TLS library's
  /// words.
  public var detail: String?
  public var since: Date
  /// How many attempts in a row have failed, this one included; 0 if the feed was not asked
  /// because its host is in back-off.
  public var count: Int

  public init(kind: Kind, status: Int? = nil, detail: String? = nil, since: Date, count: Int = 1) {
    self.kind = kind
    self.status = status
    self.detail = detail
    self.since = since
    self.count = count
  }
}

/// A folder of feeds.
public struct Folder: Sendable, Identifiable, Equatable {
  public var id: FolderID
  /// The folder around it; nil: at the top level.
  public var parent: FolderID?
  /// One line of plain text; unique among its siblings.
  public var title: String
  /// Order among siblings; smaller comes first.
  public var position: Int
  /// Its content is shown in the tree of feeds.
  public var isExpanded: Bool
  /// The remote account whose branch of the tree this is; nil for all other folders.
  public var account: AccountID?
  public init(
    id: FolderID, parent: FolderID? = nil, title: String, position: Int = 0,
    isExpanded: Bool = true, account: AccountID? = nil
  ) {
    self.id = id
    self.parent = parent
    self.title = title
    self.position = position
    self.isExpanded = isExpanded
    self.account = account
  }
}

/// A list that a condition makes, not a feed.
public enum SmartFeed: String, Sendable, CaseIterable, Codable {
  /// Articles of the last 24 hours, unread ones, starred ones.
  case today, unread, starred
}
