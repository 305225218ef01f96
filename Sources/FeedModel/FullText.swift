/// The article of a web page, without what is around it.
public struct MainContent: Sendable, Equatable {
  /// Plain text; nil if the page gives itself none.
  public var title: String?
  /// Sanitised HTML with absolute addresses; its title is not repeated in it.
  public var html: String
  /// The address of the next part, of an article in several pages.
  public var nextPart: String?
  /// - Parameter html: must be sanitised already.
  public init(title: String? = nil, html: String, nextPart: String? = nil) {
    self.title = title
    self.html = html
    self.nextPart = nextPart
  }
}

/// The text of an article's web page, asked for beside what its feed says: a durable row.
public struct FullText: Sendable, Equatable {
  /// How far the request is.
  public enum State: Sendable, Equatable {
    /// Asked for; fetched as soon as the network allows.
    case waiting
    /// Sanitised HTML.
    case found(html: String)
    /// Not fetched, or without an article in it.
    case failed(RefreshFailure)
  }
  /// The article whose page it is.
  public var article: ArticleID
  /// The page.
  public var url: String
  /// Set by the engine.
  public var state: State
  /// Whether it is shown in place of what the feed says, once it is there.
  public var isShown: Bool

  /// Shown once it is there, unless something else is given.
  public init(article: ArticleID, url: String, state: State, isShown: Bool = true) {
    self.article = article
    self.url = url
    self.state = state
    self.isShown = isShown
  }
}
