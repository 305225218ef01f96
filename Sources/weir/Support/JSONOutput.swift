import FeedModel
import FeedStore
import Foundation
import ReaderUI
import Wording

/// JSON on standard output: keys in alphabetical order, dates in ISO 8601, one value a line.
enum JSONOutput {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return SafeText.json(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  static func print(_ value: some Encodable) throws {
    try Console.write(Array((text(value) + "\n").utf8))
  }

  /// An array that is written as it grows: one element a line.
  struct Elements {
    private var isFirst = true

    mutating func add(_ value: some Encodable) throws {
      try Console.write(Array(((isFirst ? "[" : ",") + "\n" + text(value)).utf8))
      isFirst = false
    }

    func end() throws { try Console.write(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
  }
}

struct FeedDocument: Encodable {
  struct Failure: Encodable {
    var kind: String
    var status: Int?
    var detail: String?
    var since: Date
    var count: Int
    var message: String
  }

  var id: Int64
  /// Without `user:password@`.
  var url: String
  var name: String
  var folder: [String]
  var homePage: String?
  var total: Int
  var unread: Int
  var starred: Int
  var state: FeedCondition
  var checkedAt: Date?
  var succeededAt: Date?
  var nextCheckAt: Date?
  var nextCheckReason: String?
  /// Both in one sentence: "next 14:20: max-age 3600; 6 articles a day".
  var nextCheck: String
  var failure: Failure?
  var movedTo: String?
  /// Missing where it is a feed.
  var isList: Bool?

  init(_ feed: Feed, folder: [String], wording: FailureWording) {
    id = feed.id.rawValue
    url = SafeText.withoutSecrets(feed.url)
    name = SafeText.withoutSecrets(feed.name)
    self.folder = folder
    homePage = feed.homePageURL
    total = feed.counts.total
    unread = feed.counts.unread
    starred = feed.counts.starred
    state = FeedCondition(feed)
    checkedAt = feed.state.checkedAt
    succeededAt = feed.state.succeededAt
    nextCheckAt = feed.state.nextCheckAt
    nextCheckReason = NextCheckWording.reasons(feed.state.nextCheckReasons)
    nextCheck = NextCheckWording(dates: wording.dates).sentence(for: feed)
    isList = feed.isList ? true : nil
    movedTo = feed.state.movedTo.map(SafeText.withoutSecrets)
    failure = feed.state.failure.map {
      Failure(
        kind: $0.kind.rawValue, status: $0.status,
        detail: $0.detail.map { SafeText.withoutSecrets(DetailWording.words($0)) }, since: $0.since,
        count: $0.count,
        message: SafeText.withoutSecrets(
          wording.happened($0, subject: FailureWording.subject(feed.url))))
    }
  }
}

/// A feed's state in one word.
enum FeedCondition: String, Encodable {
  case ok, refreshing, failing, gone, moved, paused, new

  init(_ feed: Feed) {
    if feed.state.failure?.kind == .gone {
      self = .gone
    } else if feed.isPaused {
      self = .paused
    } else if feed.state.phase != .idle {
      self = .refreshing
    } else if feed.state.failure != nil {
      self = .failing
    } else if feed.state.movedTo != nil {
      self = .moved
    } else if feed.awaitsFirstCheck {
      self = .new
    } else {
      self = .ok
    }
  }
}

extension Feed {
  /// Not checked yet, and scheduled: not a feed of an account.
  var awaitsFirstCheck: Bool { state.checkedAt == nil && state.nextCheckAt != nil }
}

struct ArticleRowDocument: Encodable {
  var id: Int64
  var feed: Int64
  var feedName: String
  var title: String
  var url: String?
  var date: Date
  var read: Bool
  var starred: Bool
  var hasEnclosure: Bool

  init(_ row: ArticleRow) {
    id = row.id.rawValue
    feed = row.feed.rawValue
    feedName = row.feedName
    title = row.title
    url = row.url
    date = row.sortDate
    read = row.status.isRead
    starred = row.status.isStarred
    hasEnclosure = row.hasEnclosure
  }
}

struct FoundArticleDocument: Encodable {
  struct Piece: Encodable {
    var text: String
    var isHit: Bool
  }
  private enum Key: String, CodingKey { case snippet }

  private let row: ArticleRowDocument
  private let snippet: [Piece]

  init(_ found: FoundArticle) {
    row = ArticleRowDocument(found.row)
    snippet = found.snippet.pieces.map { Piece(text: String($0.text), isHit: $0.isHit) }
  }

  func encode(to encoder: any Encoder) throws {
    try row.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(snippet, forKey: .snippet)
  }
}

struct ArticleDocument: Encodable {
  var id: Int64
  var feed: Int64
  var feedName: String
  var title: String
  var url: String?
  var externalURL: String?
  var commentsURL: String?
  var authors: [Author]
  var date: Date
  var publishedAt: Date?
  var updatedAt: Date?
  var firstSeenAt: Date
  var read: Bool
  var starred: Bool
  var imageURL: String?
  var language: String?
  /// The publisher's.
  var categories: [String]
  var tags: [String]
  var summary: String?
  /// Sanitised.
  var html: String
  var text: String
  var enclosures: [Enclosure]

  init(_ article: Article, tags: [String], text: String) {
    id = article.id.rawValue
    feed = article.row.feed.rawValue
    feedName = article.row.feedName
    title = article.row.title
    url = article.row.url
    externalURL = article.externalURL
    commentsURL = article.commentsURL
    authors = article.authors
    date = article.row.sortDate
    publishedAt = article.publishedAt
    updatedAt = article.updatedAt
    firstSeenAt = article.firstSeenAt
    read = article.row.status.isRead
    starred = article.row.status.isStarred
    imageURL = article.imageURL
    language = article.language
    categories = article.tags
    self.tags = tags
    summary = article.summary
    html = article.bodyHTML
    self.text = text
    enclosures = article.enclosures
  }
}
