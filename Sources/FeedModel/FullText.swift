public import Foundation

/// The article of a web page, without what is around it.
public struct MainContent: Sendable, Equatable {
  /// Plain text; nil if the page gives itself none.
  public var title: String?
  public var author: String?
  /// The time at which it was published, as the page says.
  public var published: Date?
  /// Sanitised HTML with absolute addresses; its title is not repeated in it.
  public var html: String
  /// The address of the next part, of an article in several pages.
  public var nextPart: String?
  /// The address of another version of the page, of an article that is much shorter than the page
  /// promises.
  public var otherVersion: String?
  /// The addresses that were requested for the article, and those that answered.
  public var pages: [String] = []
  /// - Parameter html: must be sanitised already.
  public init(
    title: String? = nil, author: String? = nil, published: Date? = nil, html: String,
    nextPart: String? = nil, otherVersion: String? = nil
  ) {
    self.title = title
    self.author = author
    self.published = published
    self.html = html
    self.nextPart = nextPart
    self.otherVersion = otherVersion
  }
}

/// The result of a request for the article of a page.
public enum FullTextOutcome: Sendable, Equatable {
  case found(MainContent)
  case failed(RefreshFailure)
}

/// The text of an article's web page, asked for beside what its feed says: a durable row.
public struct FullText: Sendable, Equatable {
  /// How far the request is.
  public enum State: Sendable, Equatable {
    /// Asked for; fetched as soon as the network allows.
    case waiting
    /// Sanitised HTML.
    case found(html: String)
    case failed(RefreshFailure)
  }
  public var article: ArticleID
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
