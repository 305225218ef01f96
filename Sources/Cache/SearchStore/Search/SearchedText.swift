import GRDB

/// The text of an article for queries. Parts that a query does not ask for are not read.
final class SearchedText {
  let title: String
  let author: String
  /// The publisher's categories.
  private(set) lazy var tags: [String] = loadTags()
  private let loadTags: () -> [String]
  private let loadHTML: () throws -> String
  private let plainText: (String) -> [UInt8]
  /// True if the text itself was read, which is most of the cost of a search.
  private(set) var wasRead = false

  private var htmlRead: String?
  private var bodyMade: [UInt8]?
  private(set) lazy var titleWords = SearchText(title)
  private(set) lazy var authorWords = SearchText(author)
  private(set) lazy var tagLines = tags.joined(separator: "\n")
  private(set) lazy var tagWords = SearchText(tagLines)
  private var bodyWordsMade: SearchText?
  private var hashesMade: Set<UInt64>?
  private var timesAsked = 0
  /// Number of patterns for all fields after which a set of words is consulted first.
  private static let fewPatterns = 8

  init(
    title: String, author: String, tags: @autoclosure @escaping () -> [String],
    html: @escaping () throws -> String,
    plainText: @escaping (String) -> [UInt8]
  ) {
    self.title = title
    self.author = author
    loadTags = tags
    loadHTML = html
    self.plainText = plainText
  }

  static func find(
    _ id: Int64, _ db: Database, _ plainText: @escaping (String) -> [UInt8]
  ) throws -> SearchedText? {
    try db.first(
      """
      SELECT a.title, a.author, b.tags FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.id = ?
      """, [id]
    ) { row in
      let tags: String? = row["tags"]
      return SearchedText(
        title: row["title"], author: row["author"] ?? "", tags: StringList.strings(tags),
        html: { try html(of: id, db) }, plainText: plainText)
    }
  }

  static func html(of id: Int64, _ db: Database) throws -> String {
    let html: String? = try db.value("SELECT html FROM searchDocument WHERE articleID = ?", [id])
    return html ?? ""
  }

  private func html() throws -> String {
    try made(&htmlRead) {
      wasRead = true
      return ItemText.cut(try loadHTML(), SearchDocument.longestBody)
    }
  }

  /// Returns the plain text as UTF-8.
  func body() throws -> [UInt8] { try made(&bodyMade) { plainText(try html()) } }

  func bodyWords() throws -> SearchText { try made(&bodyWordsMade) { SearchText(try body()) } }

  /// Returns a part, which is made once.
  private func made<Part>(_ part: inout Part?, _ make: () throws -> Part) rethrows -> Part {
    if let part { return part }
    let new = try make()
    part = new
    return new
  }

  func holds(_ pattern: SearchPattern) throws -> Bool {
    func isIn(_ text: SearchText) -> Bool { !pattern.places(in: text, atMost: 1).isEmpty }
    return switch pattern.field {
    case .title: isIn(titleWords)
    case .author: isIn(authorWords)
    case .anywhere:
      try mayContain(pattern)
        && (isIn(titleWords) || isIn(authorWords) || isIn(tagWords)
          || (bodyWordsMade != nil || pattern.mayStand(in: html())) && isIn(bodyWords()))
    }
  }

  /// Returns `false` if no word of the article is the first of the pattern.
  private func mayContain(_ pattern: SearchPattern) throws -> Bool {
    timesAsked += 1
    guard timesAsked > Self.fewPatterns, let hash = pattern.firstHash else { return true }
    if let hashesMade { return hashesMade.contains(hash) }
    var hashes = Set(try bodyWords().hashes)
    for words in [titleWords, authorWords, tagWords] { hashes.formUnion(words.hashes) }
    hashesMade = hashes
    return hashes.contains(hash)
  }

  func holds(_ pattern: Pattern, in field: SearchQuery.Field) throws -> Bool {
    switch field {
    case .title: pattern.matches(title)
    case .author: pattern.matches(author)
    case .anywhere:
      try pattern.matches(title) || pattern.matches(author) || pattern.matches(tagLines)
        || pattern.matches(try body())
    }
  }
}
