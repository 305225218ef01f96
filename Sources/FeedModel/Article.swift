public import Foundation

/// What the user did with an article. Kept apart from the article itself: a refresh cannot un-read.
public struct ArticleStatus: Sendable, Equatable {
  public var isRead: Bool
  public var isStarred: Bool
  public init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// An article as a list row shows it; without its body.
public struct ArticleRow: Sendable, Identifiable, Equatable {
  public var id: ArticleID
  public var feed: FeedID
  /// The feed's name at the time of reading.
  public var feedName: String
  /// Plain text; never empty (an untitled item gets the start of its text).
  public var title: String
  public var url: String?
  /// The instant that lists sort by: min(published, first seen + 1 day), so that a date in the
  /// future cannot sit on top for years.
  public var sortDate: Date
  public var status: ArticleStatus
  public var hasEnclosure: Bool
  /// What rules and the feed's base score gave it.
  public var score: Int
  /// A colour of `RuleAction.highlights`; 0: none.
  public var highlight: Int
  /// A rule has hidden it.
  public var isHiddenByRule: Bool

  /// Where the row stands in a list sorted by date.
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
  public var sortDate: Date
  public var id: ArticleID
  public init(sortDate: Date, id: ArticleID) {
    self.sortDate = sortDate
    self.id = id
  }
  public static func < (a: ArticleKey, b: ArticleKey) -> Bool {
    a.sortDate != b.sortDate ? a.sortDate < b.sortDate : a.id < b.id
  }
}

/// A whole article, as the reader shows it.
public struct Article: Sendable, Identifiable, Equatable {
  public var row: ArticleRow
  public var externalURL: String?
  public var commentsURL: String?
  public var authors: [Author]
  public var publishedAt: Date?
  public var updatedAt: Date?
  public var firstSeenAt: Date
  public var imageURL: String?
  public var tags: [String]
  public var language: String?
  /// Plain text.
  public var summary: String?
  /// Sanitised HTML.
  public var bodyHTML: String
  public var enclosures: [Enclosure]

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
