/// The result of marking a list read.
public struct MarkedArticles: Sendable, Equatable {
  /// Articles of the list that changed.
  public var articles: Int
  /// Copies in other lists that changed with them.
  public var copies: Int
  /// Articles that stay unread because the user marked them unread by hand.
  public var kept: Int
  /// Articles that stay unread because their feed or folder is important.
  public var important: Int

  public init(articles: Int, copies: Int = 0, kept: Int = 0, important: Int = 0) {
    self.articles = articles
    self.copies = copies
    self.kept = kept
    self.important = important
  }
}

/// The unread articles of a part of a list.
public struct UnreadPart: Sendable, Equatable {
  /// Articles that marking the part read would change.
  public var ids: [ArticleID]
  /// Numbers of articles that stay unread; see `MarkedArticles`.
  public var kept, important: Int

  public init(ids: [ArticleID], kept: Int, important: Int) {
    (self.ids, self.kept, self.important) = (ids, kept, important)
  }
}
