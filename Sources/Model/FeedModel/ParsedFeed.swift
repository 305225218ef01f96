public import Foundation

// An *item* is an entry in a feed document; an *article* is its stored form.

/// The family of a feed document.
public enum FeedFormat: String, Sendable, Codable {
  /// CDF is the Channel Definition Format.
  case rss, rdf, atom, jsonFeed, cdf
  case html
  case opml
}

/// A parsed feed document: plain-text titles, sanitised HTML, absolute addresses.
public struct ParsedFeed: Sendable, Equatable {
  /// The format of the content, which a Content-Type may misstate.
  public var format: FeedFormat
  /// Plain text; may be empty.
  public var title: String
  /// Plain text.
  public var summary: String?
  /// The absolute address of the feed's web page.
  public var homePageURL: String?
  /// The feed's own address (Atom `rel=self`, JSON Feed `feed_url`).
  public var feedURL: String?
  /// The address to which the feed says it has moved (`itunes:new-feed-url`).
  public var movedTo: String?
  /// The document with older items (RFC 5005 `prev-archive` or `next`, JSON Feed `next_url`).
  public var olderURL: String?
  /// Plain text: the program that wrote an XML document, as the document says.
  public var generator: String?
  /// A larger picture of the feed, absolute (RSS `image`, Atom `logo`, JSON Feed `icon`).
  public var iconURL: String?
  /// A small square picture, absolute (Atom `icon`, JSON Feed `favicon`).
  public var faviconURL: String?
  /// A BCP 47 tag, as written.
  public var language: String?
  /// Authors of the feed, in the order of the document.
  public var authors: [Author] = []
  /// The items in the order of the document, not sorted by date.
  public var items: [ParsedItem]
  public var updateHints = UpdateHints()

  public init(
    format: FeedFormat, title: String = "", summary: String? = nil, homePageURL: String? = nil,
    language: String? = nil, items: [ParsedItem] = []
  ) {
    (self.format, self.title, self.summary) = (format, title, summary)
    (self.homePageURL, self.language, self.items) = (homePageURL, language, items)
  }
}

/// An entry of a feed document.
public struct ParsedItem: Sendable, Equatable {
  /// An identifier that is stable across fetches: the guid, Atom id or `rdf:about` as written; else
  /// the address; else a hash of what identifies the item. Never empty.
  public var id: String
  /// False if the document gives the item no identifier.
  package var hasOwnID = true
  public var url: String?
  /// The page that the item is about, if different (JSON Feed `external_url`, Atom `rel=related`).
  public var externalURL: String?
  /// Plain text.
  public var title: String?
  /// Sanitised HTML; `nil` if there is only `contentText`.
  public var contentHTML: String?
  /// Content that the feed marks as plain text.
  public var contentText: String?
  /// Plain text.
  public var summary: String?
  /// The item's picture, absolute (`media:thumbnail`, JSON Feed `image`).
  public var imageURL: String?
  /// RSS `pubDate`, Atom `published`, `dc:date`, JSON Feed `date_published`; may be in the future.
  public var datePublished: Date?
  /// Atom `updated`, `dcterms:modified`, JSON Feed `date_modified`.
  public var dateModified: Date?
  /// The authors in the order of the document.
  public var authors: [Author]
  /// Labels (RSS and Atom `category`, JSON Feed `tags`), each once, in the order of the document.
  public var tags: [String]
  /// The files in the order of the document, each address once.
  public var enclosures: [Enclosure]
  /// A BCP 47 tag, as written.
  public var language: String?
  /// The discussion page (RSS `comments`, Atom `rel=replies`), if it is not `url`.
  public var commentsURL: String?
  /// The file of an episode's chapters (`podcast:chapters`), if the item itself lists none.
  public var chaptersURL: String?

  public init(
    id: String, url: String? = nil, externalURL: String? = nil, title: String? = nil,
    contentHTML: String? = nil, contentText: String? = nil, summary: String? = nil,
    imageURL: String? = nil, datePublished: Date? = nil, dateModified: Date? = nil,
    authors: [Author] = [], tags: [String] = [], enclosures: [Enclosure] = [],
    language: String? = nil, commentsURL: String? = nil
  ) {
    (self.id, self.url, self.externalURL, self.title) = (id, url, externalURL, title)
    (self.contentHTML, self.contentText, self.summary) = (contentHTML, contentText, summary)
    (self.imageURL, self.datePublished, self.dateModified) = (imageURL, datePublished, dateModified)
    (self.authors, self.tags, self.enclosures) = (authors, tags, enclosures)
    (self.language, self.commentsURL) = (language, commentsURL)
  }
}

extension ParsedItem {
  /// The hash of all stored parts. An item with an equal hash changes no row.
  package var fingerprint: Int64 {
    var value: UInt64 = 0
    func add(_ text: String?) {
      guard let text else {
        value = value &* XXH64.prime1 &+ XXH64.prime5
        return
      }
      value = XXH64.hash(text, seed: value)
    }
    func add(_ number: Int64) { value = (value ^ UInt64(bitPattern: number)) &* XXH64.prime2 }
    add(url)
    add(externalURL)
    add(title)
    add(contentHTML)
    add(contentText)
    add(summary)
    add(imageURL)
    add(language)
    add(commentsURL)
    if let chaptersURL { add(chaptersURL) }
    add(datePublished?.milliseconds ?? .min)
    add(dateModified?.milliseconds ?? .min)
    for author in authors {
      add(author.name)
      add(author.url)
    }
    for tag in tags { add(tag) }
    for enclosure in enclosures {
      add(enclosure.url)
      add(enclosure.mimeType)
      add(enclosure.title)
      add(enclosure.size ?? .min)
      add(Int64(bitPattern: (enclosure.duration ?? -1).bitPattern))
    }
    return Int64(bitPattern: value)
  }
}

/// An author of an item or a feed.
public struct Author: Sendable, Hashable, Codable {
  /// Plain text, else an e-mail address; `nil` if only `url` is known.
  public var name: String?
  /// An absolute address.
  public var url: String?
  public init(name: String? = nil, url: String? = nil) { (self.name, self.url) = (name, url) }
}

/// A file that an item announces (RSS `enclosure`, Atom `rel=enclosure`, JSON Feed `attachments`).
public struct Enclosure: Sendable, Hashable, Codable {
  /// An absolute address.
  public var url: String
  /// The media type in lower case, from the feed or guessed from the address; empty if unknown.
  public var mimeType: String
  /// Plain text.
  public var title: String?
  /// Bytes, as the feed claims.
  public var size: Int64?
  /// Seconds, as the feed claims.
  public var duration: Double?

  public init(
    url: String, mimeType: String, title: String? = nil, size: Int64? = nil,
    duration: Double? = nil
  ) {
    (self.url, self.mimeType, self.title, self.size) = (url, mimeType, title, size)
    self.duration = duration
  }
}

/// The publisher's requests for the refresh schedule in the document.
public struct UpdateHints: Sendable, Equatable, Codable {
  /// Seconds from RSS 2.0 `ttl`, or `sy:updatePeriod` ÷ `sy:updateFrequency`.
  public var interval: Double?
  /// RSS 2.0 `skipHours`, 0…23 in UTC.
  public var skipHours: [Int]
  /// RSS 2.0 `skipDays`, 1 = Sunday … 7 = Saturday in UTC.
  public var skipDays: [Int]

  public init(interval: Double? = nil, skipHours: [Int] = [], skipDays: [Int] = []) {
    (self.interval, self.skipHours, self.skipDays) = (interval, skipHours, skipDays)
  }
}

extension OutlineEntry {
  /// Joins the entries of one address: the first folder is kept, and the names of others become
  /// tags.
  package static func joined(_ entries: [OutlineEntry]) -> [OutlineEntry] {
    var (joined, places) = ([OutlineEntry](), [String: Int]())
    for entry in entries {
      guard let place = places[entry.url] else {
        places[entry.url] = joined.count
        joined.append(entry)
        continue
      }
      var first = joined[place]
      var tags = entry.tags
      if first.folder.isEmpty {
        (first.folder, first.folderPriorities) = (entry.folder, entry.folderPriorities)
      } else if entry.folder != first.folder {
        tags.insert(contentsOf: entry.folder.suffix(1), at: 0)
      }
      first.title = first.title ?? entry.title
      for tag in tags where first.tags.count < maximumTags && !first.tags.contains(tag) {
        first.tags.append(tag)
      }
      joined[place] = first
    }
    return joined
  }

  private static let maximumTags = 50
}

/// A subscription of an OPML outline or another reader's list.
public struct OutlineEntry: Sendable, Hashable {
  /// An absolute address.
  public var url: String
  /// Plain text; `nil` to use the feed's own title.
  public var title: String?
  /// The feed's web page (OPML `htmlUrl`).
  public var homePageURL: String?
  public var folder: [String]
  /// Labels (OPML `category`, newsboat tags).
  public var tags: [String]
  /// Settings from OPML's `weir:` attributes.
  public var options: FeedOptions
  /// True for the address of another list to follow (OPML's type `include`).
  public var isList: Bool
  public var priority = FeedPriority.normal
  /// The priorities of the folders in `folder`; empty if all are normal.
  public var folderPriorities: [FeedPriority] = []

  public init(
    url: String, title: String? = nil, homePageURL: String? = nil, folder: [String] = [],
    tags: [String] = [], options: FeedOptions = FeedOptions(), isList: Bool = false
  ) {
    (self.isList, self.options, self.url, self.title) = (isList, options, url, title)
    (self.homePageURL, self.folder, self.tags) = (homePageURL, folder, tags)
  }
}
