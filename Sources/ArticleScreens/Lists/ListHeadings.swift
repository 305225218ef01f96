import FeedModel

/// The rows of a list that have a heading above them. A heading is a line of its own that the
/// cursor skips.
package struct ListHeadings {
  /// Rows that belong together have the same value.
  var group: (ArticleRow) -> Int
  /// The least number of rows of a group with a heading.
  var least: (_ group: Int) -> Int = { _ in 1 }
  /// The first row in view has its heading too, whatever is above the window.
  var isAlwaysInView = false
  /// The newest article of the cache at the end of the last session, and the newest of the list by
  /// date.
  var visit: (newestID: ArticleID, lastSeen: ArticleKey)?

  static let none = ListHeadings { _ in 0 }

  enum Heading: Equatable {
    case group
    /// Heads the rows of several small groups, which would seem to belong to the group above.
    case rest
    /// Between articles that have arrived since the last session and earlier ones.
    case visit
  }

  /// The heading above a row; the first row of the list needs none.
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

  /// The articles above a row have arrived since the last session, and this one has not. Known
  /// articles may be among them if their dates are in the future.
  func isVisit(above index: Int, in rows: [ArticleRow]) -> Bool {
    guard index > 0, let visit, rows[index].key <= visit.lastSeen,
      rows[index - 1].key > visit.lastSeen
    else { return false }
    return rows[..<index].contains { $0.id > visit.newestID }
  }

  /// The first rows belong to a group that is large enough for a heading.
  private func isLarge(_ group: Int, _ rows: some Sequence<ArticleRow>) -> Bool {
    let count = least(group)
    let first = Array(rows.prefix(count))
    return first.count == count && first.allSatisfy { self.group($0) == group }
  }
}
