package import GRDB

// Parts of SQL statements that lists, searches and states share.

/// FROM and WHERE clauses of a statement over `articleStatus s`, with joins for the text filter.
package struct Conditions {
  package private(set) var from: String
  private var parts: [String] = []
  private var values: [any DatabaseValueConvertible] = []
  private let needle: TextMatch?

  /// - Parameter index: an index of articles that are not hidden; `nil` for SQLite's choice.
  package init(index: String?, needle: TextMatch?, tag: String? = nil) {
    self.needle = needle
    from = "FROM articleStatus s" + (index.map { " INDEXED BY \($0)" } ?? "")
    if let tag {
      from = "FROM articleTag t CROSS JOIN articleStatus s ON s.articleID = t.articleID"
      add("t.tag = ?", tag)
    }
    if needle != nil {
      from += " CROSS JOIN article a ON a.id = s.articleID CROSS JOIN feed f ON f.id = s.feedID"
    }
    if index != nil { parts.append("s.isHidden = 0") }
  }

  package mutating func add(_ condition: String, _ values: any DatabaseValueConvertible...) {
    add(condition, values: values)
  }

  package mutating func add(_ condition: String, values: [any DatabaseValueConvertible]) {
    parts.append(condition)
    self.values += values
  }

  package var conditions: String {
    (parts + (needle.map { [$0.condition] } ?? [])).joined(separator: " AND ")
  }

  package var allValues: [any DatabaseValueConvertible] {
    values + (needle.map { [$0.value] } ?? [])
  }

  package var arguments: StatementArguments { StatementArguments(allValues) }
}

package enum SQLText {
  /// The name of `feed f`, by the same rule as `Feed.name`.
  package static let feedName =
    "coalesce(nullif(f.userTitle, ''), nullif(f.title, ''), weir_address(f.url))"

  /// `weir_address(url)`: an address without user name and password.
  static let plainAddress = DatabaseFunction("weir_address", argumentCount: 1, pure: true) {
    String.fromDatabaseValue($0[0]).map(HiddenSecrets.name)
  }

  package static let hasTag =
    "EXISTS (SELECT 1 FROM articleTag t WHERE t.articleID = s.articleID AND t.tag = ?)"

  /// Returns an argument for `json_each`.
  package static func json(_ keys: [Int64]) -> String {
    "[" + keys.map(String.init).joined(separator: ",") + "]"
  }

  package static func json(_ texts: [String]) -> String { StringList.text(texts) ?? "[]" }
}

/// Matches a text without regard to case, in title, author or feed name.
package struct TextMatch {
  package let value: String
  private let isASCII: Bool

  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    value = isASCII ? text : text.lowercased()
  }

  /// The condition with `value` as its parameter. SQLite's `lower` is faster than Swift's, but
  /// handles only ASCII.
  package var condition: String {
    condition(on: "a.title || char(10) || ifnull(a.author, '') || char(10) || \(SQLText.feedName)")
  }

  package func condition(on text: String) -> String {
    "instr(\(isASCII ? "lower" : "weir_lower")(\(text)), \(isASCII ? "lower(?)" : "?")) > 0"
  }

  package static let lower = DatabaseFunction("weir_lower", argumentCount: 1, pure: true) {
    values in
    String.fromDatabaseValue(values[0])?.lowercased()
  }
}
