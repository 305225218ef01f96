import GRDB

/// The columns of a table that come from an item, in the order in which statements bind them.
/// Insertion and update derive from this list.
protocol ItemColumn: CaseIterable, RawRepresentable<String>, Equatable {
  /// The new value in an update, which may leave the stored one.
  var newValue: String { get }
}

extension ItemColumn {
  static var names: [String] { allCases.map(\.rawValue) }
  static var count: Int32 { Int32(allCases.count) }
  var index: Int32 {
    Int32(Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0) + 1
  }
  var newValue: String { "?\(index)" }

  /// - Parameter others: columns that are bound after these.
  static func insertion(
    into table: String, _ others: String..., of db: Database
  ) throws -> DirectStatement {
    let all = names + others
    let places = repeatElement("?", count: all.count).joined(separator: ", ")
    return try DirectStatement(
      "INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(places))", db)
  }

  /// - Parameter key: the column that is bound after these.
  static func update(_ table: String, by key: String, _ db: Database) throws -> DirectStatement {
    let settings = allCases.map { "\($0.rawValue) = \($0.newValue)" }.joined(separator: ", ")
    return try DirectStatement(
      "UPDATE \(table) SET \(settings) WHERE \(key) = ?\(count + 1)", db)
  }
}

/// The columns of `article` that come from its item.
enum ArticleColumn: String, ItemColumn {
  case fingerprint, title, author, url, hasEnclosure, link, words

  struct Values {
    let item: ParsedItem
    let fingerprint: Int64
    let title: String
    let url: String?
    let link: Int64
    let html: String
  }

  var newValue: String {
    let value = "?\(index)"
    return switch self {
    case .title:
      """
      CASE WHEN \(value) IN ('·', ?\(Self.url.index), ?\(Self.count + 2)) THEN title ELSE \(value) END
      """
    case .author: "ifnull(\(value), author)"
    case .words:
      """
      iif(EXISTS (SELECT 1 FROM fullText t WHERE t.articleID = ?\(Self.count + 1)
        AND t.html IS NOT NULL AND t.isShown = 1), words, \(value))
      """
    case .fingerprint, .url, .hasEnclosure, .link: value
    }
  }

  static func insert(
    _ values: Values, feed: Int64, identity: Int64, firstSeen: Int64, _ statement: DirectStatement
  ) throws {
    for column in allCases { try column.bind(values, statement) }
    try statement.bind(feed, at: count + 1)
    try statement.bind(identity, at: count + 2)
    try statement.bind(firstSeen, at: count + 3)
    try statement.run()
  }

  static func update(_ article: Int64, _ values: Values, _ statement: DirectStatement) throws {
    for column in allCases { try column.bind(values, statement) }
    try statement.bind(article, at: count + 1)
    try statement.bind(values.item.id, at: count + 2)
    try statement.run()
  }

  private func bind(_ values: Values, _ statement: DirectStatement) throws {
    switch self {
    case .fingerprint: try statement.bind(values.fingerprint, at: index)
    case .title: try statement.bind(values.title, at: index)
    case .author: try statement.bind(Self.byline(values.item), at: index)
    case .url: try statement.bind(values.url, at: index)
    case .hasEnclosure: try statement.bind(!values.item.enclosures.isEmpty, at: index)
    case .link: try statement.bind(values.link, at: index)
    case .words:
      try statement.bind(Int64(ItemText.words(values.html, values.item)), at: index)
    }
  }

  private static func byline(_ item: ParsedItem) -> String? {
    let names = item.authors.prefix(ItemText.mostParts).compactMap(\.name)
    return names.isEmpty
      ? nil : ItemText.cut(names.joined(separator: ", "), ItemText.Limit.label)
  }
}
