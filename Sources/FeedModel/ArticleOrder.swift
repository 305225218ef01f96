/// How a list of articles is sorted; raw values are what configuration, state, OPML and the command
/// `sort` call it.
public enum ArticleOrder: String, CaseIterable, Sendable {
  /// By date, by the name of the feed, title or author, unread ones first, by length or by score.
  case newest, oldest, feed, title, author, unread, length, score
}

/// When the articles of a feed become read by themselves; raw values are those of the
/// configuration.
public enum MarkPolicy: String, CaseIterable, Sendable {
  case opened
  /// When they are opened, or when the selection passes them on its way down a list.
  case passed
  /// Only when they are marked.
  case never
}
