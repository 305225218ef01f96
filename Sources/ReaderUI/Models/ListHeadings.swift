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
}
