import Foundation
import GRDB
import TextRules

/// The columns of an article's text that come from its item. Reading derives from this list too.
enum BodyColumn: String, ItemColumn {
  case html, summary, externalURL, commentsURL, imageURL, language, authors, tags, publishedAt
  case updatedAt

  static let selected = names.map { "b.\($0)" }.joined(separator: ", ") + ", b.itemID"

  var newValue: String {
    let isKept = self == .authors || self == .publishedAt
    return isKept ? "ifnull(?\(index), \(rawValue))" : "?\(index)"
  }

  /// Writes the text of an item, whose HTML is that of `ItemText.body`.
  /// - Parameter isNew: true if the statement is the insertion, whose last value is the item's ID.
  static func write(
    _ item: ParsedItem, _ html: String, of article: Int64, isNew: Bool, _ statement: DirectStatement
  ) throws {
    for column in allCases { try column.bind(item, statement) }
    try statement.bind(article, at: count + 1)
    if isNew {
      try statement.bind(ItemText.cut(item.id, ItemText.Limit.identifier), at: count + 2)
    }
    try statement.run(with: html, at: Self.html.index)
  }

  private func bind(_ item: ParsedItem, _ statement: DirectStatement) throws {
    switch self {
    case .html: break  // Bound without a copy when the statement runs.
    case .summary:
      try statement.bind(item.summary.map { ItemText.cut($0, ItemText.Limit.summary) }, at: index)
    case .externalURL: try statement.bind(ItemText.address(item.externalURL), at: index)
    case .commentsURL: try statement.bind(ItemText.address(item.commentsURL), at: index)
    case .imageURL: try statement.bind(ItemText.address(item.imageURL), at: index)
    case .language: try statement.bind(item.language.map(ItemText.label), at: index)
    case .authors:
      let authors = item.authors.prefix(ItemText.mostParts).map { author in
        Author(name: author.name.map(ItemText.label), url: ItemText.address(author.url))
      }
      try statement.bind(StringList.text(authors), at: index)
    case .tags:
      let tags = item.tags.prefix(ItemText.mostParts).map(ItemText.label)
      try statement.bind(StringList.text(tags), at: index)
    case .publishedAt: try statement.bind(item.datePublished?.milliseconds, at: index)
    case .updatedAt: try statement.bind(item.dateModified?.milliseconds, at: index)
    }
  }
}

extension Article {
  /// Reads the columns of `BodyColumn`, `firstSeenAt` and `chapters`.
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
