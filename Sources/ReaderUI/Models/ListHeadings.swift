import FeedModel

/// Which rows of a list have a heading above them. A heading is a line of its own that the cursor
/// passes over.
struct ListHeadings {
  /// Rows that belong together have the same.
  var group: (ArticleRow) -> Int
  /// How many rows a group needs for a heading.
  var least: (_ group: Int) -> Int = { _ in 1 }
  /// The first row in view has its heading too, whatever is above the window.
  var isAlwaysInView = false

  static let none = ListHeadings { _ in 0 }

  enum Heading: Equatable {
    /// Of the row's group.
    case group
    /// Of rows of several small groups, so that they do not seem to belong to the one above.
    case rest
  }

  /// What is above a row; the first of the list needs nothing.
  func heading(above index: Int, in rows: [ArticleRow], isTop: Bool) -> Heading? {
    if isTop, isAlwaysInView { return .group }
    guard index > 0 else { return nil }
    let (group, before) = (group(rows[index]), group(rows[index - 1]))
    guard group != before else { return nil }
    if isLarge(group, rows[index...]) { return .group }
    return isLarge(before, rows[..<index].reversed()) ? .rest : nil
  }

  /// So many rows at the beginning are of a group that it has a heading.
  private func isLarge(_ group: Int, _ rows: some Sequence<ArticleRow>) -> Bool {
    let count = least(group)
    let first = Array(rows.prefix(count))
    return first.count == count && first.allSatisfy { self.group($0) == group }
  }
}
