import Foundation
import GRDB
import TextRules

/// The statements that write an item. Insertion and update bind its columns at the same places.
enum ArticleColumns {
  static let insertion = """
    INSERT INTO article (fingerprint, title, author, url, hasEnclosure, link, words, feedID, identity,
      firstSeenAt) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """

  /// Leaves a title and an author that the page gave and the item lacks, and the number of words of
  /// a page that is shown.
  static let update = """
    UPDATE article SET fingerprint = ?1, url = ?4, hasEnclosure = ?5, link = ?6,
      title = CASE WHEN ?2 IN ('·', ?4, ?9) THEN title ELSE ?2 END, author = ifnull(?3, author),
      words = iif(EXISTS (SELECT 1 FROM fullText t WHERE t.articleID = ?8
        AND t.html IS NOT NULL AND t.isShown = 1), words, ?7)
    WHERE id = ?8
    """

  static func insert(
    _ arrival: Merge.Arrival, _ item: ParsedItem, _ html: String, feed: Int64, firstSeen: Int64,
    _ statement: DirectStatement
  ) throws {
    try bind(arrival, item, html, statement)
    try statement.bind(feed, at: 8)
    try statement.bind(arrival.identity, at: 9)
    try statement.bind(firstSeen, at: 10)
    try statement.run()
  }

  static func update(
    _ article: Int64, _ arrival: Merge.Arrival, _ item: ParsedItem, _ html: String,
    _ statement: DirectStatement
  ) throws {
    try bind(arrival, item, html, statement)
    try statement.bind(article, at: 8)
    try statement.bind(item.id, at: 9)
    try statement.run()
  }

  private static func bind(
    _ arrival: Merge.Arrival, _ item: ParsedItem, _ html: String, _ statement: DirectStatement
  ) throws {
    let names = item.authors.prefix(ItemText.mostParts).compactMap(\.name)
    let byline = names.isEmpty ? nil : ItemText.label(names.joined(separator: ", "))
    try statement.bind(arrival.fingerprint, at: 1)
    try statement.bind(arrival.title, at: 2)
    try statement.bind(byline, at: 3)
    try statement.bind(ItemText.address(item.url), at: 4)
    try statement.bind(!item.enclosures.isEmpty, at: 5)
    try statement.bind(arrival.link, at: 6)
    try statement.bind(Int64(ItemText.words(html, item)), at: 7)
  }
}

/// The columns of an article's text, like `ArticleColumns`.
enum BodyColumns {
  static let names = """
    html, summary, externalURL, commentsURL, imageURL, language, authors, tags, publishedAt, \
    updatedAt, articleID, itemID
    """
  static let insertion = """
    INSERT INTO articleBody (\(names)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    """
  static let update = """
    UPDATE articleBody SET html = ?1, summary = ?2, externalURL = ?3, commentsURL = ?4,
      imageURL = ?5, language = ?6, authors = ifnull(?7, authors), tags = ?8,
      publishedAt = ifnull(?9, publishedAt), updatedAt = ?10
    WHERE articleID = ?11
    """

  /// Writes the text of an item, whose HTML is that of `ItemText.body`.
  /// - Parameter isNew: true if the statement is the insertion, whose last value is the item's ID.
  static func write(
    _ item: ParsedItem, _ html: String, of article: Int64, isNew: Bool, _ statement: DirectStatement
  ) throws {
    let authors = item.authors.prefix(ItemText.mostParts).map { author in
      Author(name: author.name.map(ItemText.label), url: ItemText.address(author.url))
    }
    let tags = item.tags.prefix(ItemText.mostParts).map(ItemText.label)
    try statement.bind(item.summary.map { ItemText.cut($0, ItemText.Limit.summary) }, at: 2)
    try statement.bind(ItemText.address(item.externalURL), at: 3)
    try statement.bind(ItemText.address(item.commentsURL), at: 4)
    try statement.bind(ItemText.address(item.imageURL), at: 5)
    try statement.bind(item.language.map(ItemText.label), at: 6)
    try statement.bind(StringList.text(authors), at: 7)
    try statement.bind(StringList.text(tags), at: 8)
    try statement.bind(item.datePublished?.milliseconds, at: 9)
    try statement.bind(item.dateModified?.milliseconds, at: 10)
    try statement.bind(article, at: 11)
    if isNew { try statement.bind(ItemText.cut(item.id, ItemText.Limit.identifier), at: 12) }
    try statement.run(with: html, at: 1)
  }
}

extension Article {
  /// Reads the columns of `BodyColumns`, `firstSeenAt` and `chapters`.
  init(_ article: ArticleRow, body: Row, enclosures: [Enclosure]) {
    let summary: String? = body["summary"]
    let html: String = body["html"]
    let chapters: String = body["chapters"] ?? ""
    self.init(
      row: article, firstSeenAt: Date(milliseconds: body["firstSeenAt"]),
      bodyHTML: (html.isEmpty ? PlainBody.html(summary ?? "") : html) + chapters)
    self.chapters = chapters
    (self.summary, self.enclosures) = (summary, enclosures)
    (externalURL, commentsURL) = (body["externalURL"], body["commentsURL"])
    itemID = body["itemID"]
    authors = StringList.authors(body["authors"])
    (publishedAt, updatedAt) = (body.date("publishedAt"), body.date("updatedAt"))
    tags = StringList.strings(body["tags"])
    (imageURL, language) = (body["imageURL"], body["language"])
  }
}
