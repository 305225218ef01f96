/// The sort order of a list of articles. Raw values are used by configuration, state, OPML and the
/// command `sort`.
public enum ArticleOrder: String, CaseIterable, Sendable {
  case newest, oldest, feed, title, author, unread, length, score
}

/// The event that marks articles of a feed as read. Raw values are those of the configuration.
public enum MarkPolicy: String, CaseIterable, Sendable {
  case opened
  /// Marks on opening, or when the selection moves past the article down a list.
  case passed
  /// Marks by a command only.
  case never
}
