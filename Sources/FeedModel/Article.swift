public import Foundation

/// What the user did with an article. Kept apart from the article itself: a refresh cannot un-read.
public struct ArticleStatus: Sendable, Equatable {
  /// False: unread. Set by the user, by a rule or by the server of a remote account.
  public var isRead: Bool
  /// Starred articles are kept, however old they are.
  public var isStarred: Bool
  /// Everything that is not given is false: unread, not starred.
  public init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// An article as a list row shows it; without its body.
public struct ArticleRow: Sendable, Identifiable, Equatable {
  public var id: ArticleID
  public var feed: FeedID
  public var feedName: String
  /// Plain text; never empty (an untitled item gets the start of its text).
  public var title: String
  /// The page to open, absolute; nil: the feed gives none.
  public var url: String?
  /// The instant that lists sort by: min(published, first seen + 1 day), so that a date in the
  /// future cannot sit on top for years.
  public var sortDate: Date
  /// At the time of reading the row; it is not updated afterwards.
  public var status: ArticleStatus
  /// The feed announces at least one file for it.
  public var hasEnclosure: Bool
  /// What rules and the feed's base score gave it.
  public var score: Int
  /// A colour of `RuleAction.highlights`; 0: none.
  public var highlight: Int
  public var isHiddenByRule: Bool

  /// The row's place in a list sorted by date.
  public var key: ArticleKey { ArticleKey(sortDate: sortDate, id: id) }

  public init(
    id: ArticleID, feed: FeedID, feedName: String, title: String, url: String? = nil,
    sortDate: Date, status: ArticleStatus, hasEnclosure: Bool = false, score: Int = 0,
    highlight: Int = 0, isHiddenByRule: Bool = false
  ) {
    self.id = id
    self.feed = feed
    self.feedName = feedName
    self.title = title
    self.url = url
    self.sortDate = sortDate
    self.status = status
    self.hasEnclosure = hasEnclosure
    self.score = score
    self.highlight = highlight
    self.isHiddenByRule = isHiddenByRule
  }
}

/// A place in a list sorted by date: pages begin after such a key, never at an offset.
public struct ArticleKey: Sendable, Hashable, Comparable {
  /// The article's `ArticleRow.sortDate`.
  public var sortDate: Date
  /// Decides between articles of the same date.
  public var id: ArticleID
  public init(sortDate: Date, id: ArticleID) {
    self.sortDate = sortDate
    self.id = id
  }
  /// By date, then by key: the older article is the lesser.
  public static func < (a: ArticleKey, b: ArticleKey) -> Bool {
    a.sortDate != b.sortDate ? a.sortDate < b.sortDate : a.id < b.id
  }
}

/// A whole article, as the reader shows it.
public struct Article: Sendable, Identifiable, Equatable {
  public var row: ArticleRow
  /// The page that the article is about, where it differs from `row.url`; nil: none.
  public var externalURL: String?
  /// The page of its discussion (RSS `comments`, Atom `rel=replies`); nil: none.
  public var commentsURL: String?
  /// In the order of the feed; empty: it names no author.
  public var authors: [Author]
  /// As the feed claims; nil: it does not say. May be in the future.
  public var publishedAt: Date?
  /// When the publisher last changed it, as the feed claims; nil: it does not say.
  public var updatedAt: Date?
  /// When the cache first received it, by the clock of this computer.
  public var firstSeenAt: Date
  /// The picture that stands for the article, absolute; nil: none.
  public var imageURL: String?
  /// Labels from the feed, not the user's tags.
  public var tags: [String]
  /// BCP 47, as written; nil: the feed's language, or unknown.
  public var language: String?
  /// Plain text.
  public var summary: String?
  /// Sanitised HTML.
  public var bodyHTML: String
  /// In the order of the feed.
  public var enclosures: [Enclosure]

  /// The same as that of its row.
  public var id: ArticleID { row.id }

  public init(
    row: ArticleRow, externalURL: String? = nil, commentsURL: String? = nil,
    authors: [Author] = [], publishedAt: Date? = nil, updatedAt: Date? = nil, firstSeenAt: Date,
    imageURL: String? = nil, tags: [String] = [], language: String? = nil,
    summary: String? = nil, bodyHTML: String, enclosures: [Enclosure] = []
  ) {
    self.row = row
    self.externalURL = externalURL
    self.commentsURL = commentsURL
    self.authors = authors
    self.publishedAt = publishedAt
    self.updatedAt = updatedAt
    self.firstSeenAt = firstSeenAt
    self.imageURL = imageURL
    self.tags = tags
    self.language = language
    self.summary = summary
    self.bodyHTML = bodyHTML
    self.enclosures = enclosures
  }
}
