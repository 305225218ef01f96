public import Foundation

/// Read, starred and kept for later. Stored apart from the article, so that a refresh cannot change
/// it.
public struct ArticleStatus: Sendable, Equatable {
  /// True if the user, a rule, or the server of a remote account marked the article as read.
  public var isRead: Bool
  /// True for an article that is kept, however old it is.
  public var isStarred: Bool
  public var isLater: Bool
  public init(isRead: Bool = false, isStarred: Bool = false, isLater: Bool = false) {
    (self.isRead, self.isStarred, self.isLater) = (isRead, isStarred, isLater)
  }
}

/// An article as a list row shows it, without its body.
public struct ArticleRow: Sendable, Identifiable, Equatable {
  public var id: ArticleID
  public var feed: FeedID
  public var feedName: String
  /// Plain text; never empty (an untitled item gets the start of its text).
  public var title: String
  /// The absolute address of the page to open; `nil` if the feed gives none.
  public var url: String?
  /// The date that lists sort by: min(published, first seen + 1 day), which keeps dates in the
  /// future from staying on top; or when its snooze ended.
  public var sortDate: Date
  public var status: ArticleStatus
  public var hasEnclosure: Bool
  /// A colour of `RuleAction.highlights`, or 0.
  public var highlight: Int
  public var isHiddenByRule: Bool
  /// The time until which the article is hidden; `nil` if it is not snoozed.
  public var snoozedUntil: Date?
  /// Words to read as `ReadingTime` counts them; 0 if unknown.
  public var words: Int
  /// Share of the text that has been on screen, from 0 to 1; `nil` if it was not begun.
  public var seen: Double?

  public var key: ArticleKey { ArticleKey(sortDate: sortDate, id: id) }
  /// True for an article that only lists of hidden or snoozed articles show.
  public var isOutOfLists: Bool { isHiddenByRule || snoozedUntil != nil }

  public init(
    id: ArticleID, feed: FeedID, feedName: String, title: String, url: String? = nil,
    sortDate: Date, status: ArticleStatus, hasEnclosure: Bool = false, highlight: Int = 0,
    isHiddenByRule: Bool = false, snoozedUntil: Date? = nil, words: Int = 0, seen: Double? = nil
  ) {
    (self.id, self.feed, self.feedName, self.title, self.url) = (id, feed, feedName, title, url)
    (self.sortDate, self.status, self.hasEnclosure) = (sortDate, status, hasEnclosure)
    (self.highlight, self.isHiddenByRule) = (highlight, isHiddenByRule)
    (self.snoozedUntil, self.words, self.seen) = (snoozedUntil, words, seen)
  }
}

/// A place in a list sorted by date. Pages begin after a key, never at an offset.
public struct ArticleKey: Sendable, Hashable, Comparable {
  public var sortDate: Date
  public var id: ArticleID
  public init(sortDate: Date, id: ArticleID) { (self.sortDate, self.id) = (sortDate, id) }
  /// Older articles come first; articles of the same date are ordered by `id`.
  public static func < (a: ArticleKey, b: ArticleKey) -> Bool {
    a.sortDate != b.sortDate ? a.sortDate < b.sortDate : a.id < b.id
  }
}

/// A whole article, as the reader shows it.
public struct Article: Sendable, Identifiable, Equatable {
  public var row: ArticleRow
  /// The page that the article is about, if it differs from `row.url`.
  public var externalURL: String?
  /// The item's id in the document, often an address.
  public var itemID: String?
  /// The discussion page (RSS `comments`, Atom `rel=replies`).
  public var commentsURL: String?
  public var authors: [Author] = []
  /// The date that the feed claims; may be in the future.
  public var publishedAt: Date?
  /// The date of the last change that the feed claims.
  public var updatedAt: Date?
  public var firstSeenAt: Date
  /// The absolute address of the article's picture.
  public var imageURL: String?
  /// Labels from the feed, not the user's tags.
  public var tags: [String] = []
  /// A BCP 47 tag as written; `nil` for the feed's language, or if unknown.
  public var language: String?
  /// Plain text.
  public var summary: String?
  /// Sanitised HTML, with `chapters` at its end.
  public var bodyHTML: String
  /// The list of a file of chapters as HTML; empty if there is none, or the text has the list.
  public var chapters = ""
  public var enclosures: [Enclosure] = []

  public var id: ArticleID { row.id }
  /// The text as the feed has it.
  public var ownHTML: String { String(bodyHTML.dropLast(chapters.count)) }
  /// Addresses besides that of the row by which links lead to the article.
  public var otherAddresses: [String] { [externalURL, itemID].compactMap(\.self) }
  /// The date to show, which a snooze does not change.
  public var date: Date { publishedAt ?? updatedAt ?? firstSeenAt }

  public init(row: ArticleRow, firstSeenAt: Date, bodyHTML: String) {
    (self.row, self.firstSeenAt, self.bodyHTML) = (row, firstSeenAt, bodyHTML)
  }
}

/// The answer of a user's program about an article, stored with the article.
public struct ArticleNote: Sendable, Equatable, Identifiable {
  /// The row key in the cache. Notes are listed in this order.
  public var id: Int64
  public var program: String
  public var at: Date
  /// Paragraphs without other markup; see `html(ofText:)`.
  public var html: String

  public init(id: Int64, program: String, at: Date, html: String) {
    (self.id, self.program, self.at, self.html) = (id, program, at, html)
  }

  /// Limit of a program's answer in bytes; the rest is dropped.
  public static let longest = 256 << 10
}

/// The result of marking a list read.
public struct MarkedArticles: Sendable, Equatable {
  /// Articles of the list that changed.
  public var articles: Int
  /// Copies in other lists that changed with them.
  public var duplicates: Int
  /// Articles that stay unread because the user marked them unread by hand.
  public var kept: Int
  /// Articles that stay unread because of the high priority of their feed or folder.
  public var spared: Int

  public init(articles: Int, duplicates: Int = 0, kept: Int = 0, spared: Int = 0) {
    (self.articles, self.duplicates, self.kept, self.spared) = (articles, duplicates, kept, spared)
  }

  /// All articles that changed.
  public var changed: Int { articles + duplicates }
}

/// The unread articles of a part of a list.
public struct UnreadPart: Sendable, Equatable {
  /// Articles that marking the part read would change.
  public var ids: [ArticleID]
  /// Numbers of articles that stay unread; see `MarkedArticles`.
  public var kept, spared: Int

  public init(ids: [ArticleID], kept: Int, spared: Int) {
    (self.ids, self.kept, self.spared) = (ids, kept, spared)
  }
}

extension Article {
  private static var discussions: Regex<Substring> {
    /https:\/\/(?:news\.ycombinator\.com\/item\?id=\d+|lobste\.rs\/s\/[A-Za-z0-9_\/]+)/
  }

  /// Returns the discussion page that the feed names, else one that the text links to.
  /// - Parameter html: the text that is shown.
  public func discussionAddress(in html: String) -> String? {
    if let commentsURL { return commentsURL }
    if let url = row.url, url.contains(Self.discussions) { return url }
    return html.firstMatch(of: Self.discussions).map { String($0.output) }
  }
}
