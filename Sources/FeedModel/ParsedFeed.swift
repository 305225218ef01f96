public import Foundation

// What a feed says, before anything of it is kept. An *item* is what a feed says; an *article* is
// what we keep of it.

/// The family of a feed document.
public enum FeedFormat: String, Sendable, Codable {
  /// RSS 0.9x and 2.0, RSS 1.0, Atom, JSON Feed, Channel Definition Format.
  case rss, rdf, atom, jsonFeed, cdf
  case html
  case opml
}

/// A feed document as understood: plain-text titles, sanitised HTML, absolute addresses.
public struct ParsedFeed: Sendable, Equatable {
  /// Found from the content; a Content-Type may be wrong.
  public var format: FeedFormat
  /// Plain text; empty if the feed has none.
  public var title: String
  /// Plain text.
  public var summary: String?
  /// The web page of the feed, absolute; nil if the feed gives none.
  public var homePageURL: String?
  /// The address that the feed gives for itself (Atom `rel=self`, JSON Feed `feed_url`).
  public var feedURL: String?
  /// A larger picture of the feed, absolute (RSS `image`, Atom `logo`, JSON Feed `icon`).
  public var iconURL: String?
  /// A small square picture, absolute (Atom `icon`, JSON Feed `favicon`); nil: none.
  public var faviconURL: String?
  /// BCP 47, as written.
  public var language: String?
  /// Of the feed as a whole, in the order of the document.
  public var authors: [Author]
  /// In the order of the document, not sorted by date.
  public var items: [ParsedItem]
  public var updateHints: UpdateHints

  public init(
    format: FeedFormat, title: String = "", summary: String? = nil, homePageURL: String? = nil,
    feedURL: String? = nil, iconURL: String? = nil, faviconURL: String? = nil,
    language: String? = nil, authors: [Author] = [], items: [ParsedItem] = [],
    updateHints: UpdateHints = UpdateHints()
  ) {
    self.format = format
    self.title = title
    self.summary = summary
    self.homePageURL = homePageURL
    self.feedURL = feedURL
    self.iconURL = iconURL
    self.faviconURL = faviconURL
    self.language = language
    self.authors = authors
    self.items = items
    self.updateHints = updateHints
  }
}

/// One entry of a feed document.
public struct ParsedItem: Sendable, Equatable {
  /// Stable across fetches: the guid, Atom id or `rdf:about` as written; else the address; else a
  /// hash of what identifies the item. Never empty.
  public var id: String
  public var url: String?
  /// The page that the item is about, where it differs (JSON Feed `external_url`, Atom
  /// `rel=related`).
  public var externalURL: String?
  /// Plain text.
  public var title: String?
  /// Sanitised HTML; nil if `contentText` is all there is.
  public var contentHTML: String?
  /// Plain text content, where the feed says that it is plain.
  public var contentText: String?
  /// Plain text.
  public var summary: String?
  /// A picture that stands for the item, absolute (`media:thumbnail`, JSON Feed `image`).
  public var imageURL: String?
  /// RSS `pubDate`, Atom `published`, `dc:date`, JSON Feed `date_published`; may be in the future.
  public var datePublished: Date?
  /// Atom `updated`, `dcterms:modified`, JSON Feed `date_modified`.
  public var dateModified: Date?
  /// In the order of the document; empty if the item names no author.
  public var authors: [Author]
  /// Labels (RSS and Atom `category`, JSON Feed `tags`), each once, in the order of the document.
  public var tags: [String]
  /// Files, each address once, in the order of the document.
  public var enclosures: [Enclosure]
  /// BCP 47, as written.
  public var language: String?
  /// The page of its discussion (RSS `comments`, Atom `rel=replies`), where it is not `url`.
  public var commentsURL: String?

  public init(
    id: String, url: String? = nil, externalURL: String? = nil, title: String? = nil,
    contentHTML: String? = nil, contentText: String? = nil, summary: String? = nil,
    imageURL: String? = nil, datePublished: Date? = nil, dateModified: Date? = nil,
    authors: [Author] = [], tags: [String] = [], enclosures: [Enclosure] = [],
    language: String? = nil, commentsURL: String? = nil
  ) {
    self.id = id
    self.url = url
    self.externalURL = externalURL
    self.title = title
    self.contentHTML = contentHTML
    self.contentText = contentText
    self.summary = summary
    self.imageURL = imageURL
    self.datePublished = datePublished
    self.dateModified = dateModified
    self.authors = authors
    self.tags = tags
    self.enclosures = enclosures
    self.language = language
    self.commentsURL = commentsURL
  }
}

/// Somebody who wrote an item or a feed.
public struct Author: Sendable, Hashable, Codable {
  /// Plain text; an e-mail address where nothing else is known. Nil: only `url` is known.
  public var name: String?
  /// A web page about them, absolute; nil: none.
  public var url: String?
  public init(name: String? = nil, url: String? = nil) {
    self.name = name
    self.url = url
  }
}

/// A file that an item announces (RSS `enclosure`, Atom `rel=enclosure`, JSON Feed `attachments`).
public struct Enclosure: Sendable, Hashable, Codable {
  /// Absolute.
  public var url: String
  /// As the feed gives it, in lower case; else guessed from the address. Empty: unknown.
  public var mimeType: String
  /// Plain text; nil: none.
  public var title: String?
  /// Bytes, as the feed claims.
  public var size: Int64?
  /// Seconds, as the feed claims.
  public var duration: Double?

  public init(
    url: String, mimeType: String, title: String? = nil, size: Int64? = nil,
    duration: Double? = nil
  ) {
    self.url = url
    self.mimeType = mimeType
    self.title = title
    self.size = size
    self.duration = duration
  }
}

/// What a publisher asks of the refresh schedule, inside the document.
public struct UpdateHints: Sendable, Equatable, Codable {
  /// RSS 2.0 `ttl`, or `sy:updatePeriod` ÷ `sy:updateFrequency`; seconds.
  public var interval: Double?
  /// RSS 2.0 `skipHours`, 0…23 in UTC.
  public var skipHours: [Int]
  /// RSS 2.0 `skipDays`, 1 = Sunday … 7 = Saturday in UTC.
  public var skipDays: [Int]

  /// Nothing is asked for, unless it is given.
  public init(interval: Double? = nil, skipHours: [Int] = [], skipDays: [Int] = []) {
    self.interval = interval
    self.skipHours = skipHours
    self.skipDays = skipDays
  }
}

/// One subscription of an OPML outline or another reader's list.
public struct OutlineEntry: Sendable, Hashable {
  /// The address that is fetched, absolute.
  public var url: String
  /// Plain text; nil: the feed's own name is used once it is known.
  public var title: String?
  /// The feed's web page (OPML `htmlUrl`); nil: none.
  public var homePageURL: String?
  public var folder: [String]
  /// Labels beside the folders (OPML `category`, newsboat tags).
  public var tags: [String]
  /// What is set for the feed (OPML's `weir:` attributes).
  public var options: FeedOptions
  /// The address is that of another list, which is to be followed (OPML's type `include`).
  public var isList: Bool

  public init(
    url: String, title: String? = nil, homePageURL: String? = nil, folder: [String] = [],
    tags: [String] = [], options: FeedOptions = FeedOptions(), isList: Bool = false
  ) {
    self.isList = isList
    self.options = options
    self.url = url
    self.title = title
    self.homePageURL = homePageURL
    self.folder = folder
    self.tags = tags
  }
}
