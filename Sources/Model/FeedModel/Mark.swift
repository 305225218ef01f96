/// A mark that the user gives articles. The raw value is its column in the cache.
public enum Mark: String, CaseIterable, Sendable {
  case read = "isRead"
  case starred = "isStarred"
  /// The column has the time at which the article was kept for later.
  case later = "laterAt"

  /// Words of commands for articles with the mark and without. The outbox has the first.
  public var words: (with: String, without: String) {
    switch self {
    case .read: ("read", "unread")
    case .starred: ("starred", "unstarred")
    case .later: ("later", "not-later")
    }
  }
}

extension ArticleStatus {
  public subscript(mark: Mark) -> Bool {
    switch mark {
    case .read: isRead
    case .starred: isStarred
    case .later: isLater
    }
  }
}
