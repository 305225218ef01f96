/// Headings above rows of a list. A heading has a line to itself, which the cursor skips.
package struct ListHeadings {
  /// Returns a value that all rows of a group share.
  var group: (ArticleRow) -> Int
  /// The least number of rows for which a group gets a heading.
  var least = 1
  /// True if the first row in view always has its group's heading.
  var isAlwaysInView = false
  /// The newest article of the cache at the end of the last session, and the list's newest article
  /// by date at that time.
  var visit: (newestID: ArticleID, lastSeen: ArticleKey)?
  /// True if two lines after the last row mark the end of the list.
  var hasEnd = false

  static let none = ListHeadings { _ in 0 }

  enum Heading: Equatable {
    case group
    /// The end of a group before groups that are too small for headings: a rule without a text.
    case rest
    /// The border between articles that have arrived since the last session and earlier ones.
    case visit
  }

  /// Returns the heading above a row; the first row of the list needs none.
  func heading(above index: Int, in rows: [ArticleRow], isTop: Bool) -> Heading? {
    if isTop, isAlwaysInView { return .group }
    guard index > 0 else { return nil }
    let (group, before) = (group(rows[index]), group(rows[index - 1]))
    if group != before {
      if isLarge(group, rows[index...]) { return .group }
      if isLarge(before, rows[..<index].reversed()) { return .rest }
    }
    return isVisit(above: index, in: rows) ? .visit : nil
  }

  /// Returns true if the border of the last session is directly above a row. At least one article
  /// above the border must have arrived since then; the others may be known articles with dates in
  /// the future.
  func isVisit(above index: Int, in rows: [ArticleRow]) -> Bool {
    guard index > 0, let visit, rows[index].key <= visit.lastSeen,
      rows[index - 1].key > visit.lastSeen
    else { return false }
    return rows[..<index].contains { $0.id > visit.newestID }
  }

  /// Returns true if the first rows belong to a group that is large enough for a heading.
  private func isLarge(_ group: Int, _ rows: some Sequence<ArticleRow>) -> Bool {
    let first = Array(rows.prefix(least))
    return first.count == least && first.allSatisfy { self.group($0) == group }
  }
}

/// A line of a list of articles; rows are counted in the window.
enum ListLine: Equatable {
  case heading(Int, ListHeadings.Heading)
  /// The first line of a row, with its title.
  case row(Int)
  /// A further line of a roomy row, counted from 1.
  case summary(Int, line: Int = 1)
  case end(isText: Bool)

  /// The lines below the last row of a list with an end.
  static let end = [ListLine.end(isText: false), .end(isText: true)]
}
