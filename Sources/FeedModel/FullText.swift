/// The article of a web page, without what stands around it.
public struct MainContent: Sendable, Equatable {
  /// Plain text; nil where the page gives itself none.
  public var title: String?
  /// Sanitised HTML with absolute addresses; its title is not repeated in it.
  public var html: String
  public init(title: String? = nil, html: String) {
    self.title = title
    self.html = html
  }
}

/// The text of an article's web page, asked for beside what its feed says: a durable row.
public struct FullText: Sendable, Equatable {
  public enum State: Sendable, Equatable {
    /// Asked for; fetched as soon as the line allows.
    case waiting
    /// Sanitised HTML.
    case found(html: String)
    case failed(RefreshFailure)
  }
  public var article: ArticleID
  /// The page.
  public var url: String
  public var state: State
  /// Whether it is shown in place of what the feed says, once it is there.
  public var isShown: Bool

  public init(article: ArticleID, url: String, state: State, isShown: Bool = true) {
    self.article = article
    self.url = url
    self.state = state
    self.isShown = isShown
  }
}
