public import Foundation

/// The article of a web page, without its surroundings.
public struct MainContent: Sendable, Equatable {
  /// Plain text; `nil` if the page has none.
  public var title: String?
  public var author: String?
  public var published: Date?
  /// Sanitised HTML with absolute addresses, without the title.
  public var html: String
  /// The address of the next page of the article.
  public var nextPart: String?
  /// The address of another version of the page, if the article is much shorter than announced.
  public var otherVersion: String?
  /// The reason why the page shows only the beginning of the article, if it does.
  public var obstacle: FailureDetail?
  /// The addresses requested for the article, and those that answered.
  public var pages: [String] = []
  public init(
    title: String? = nil, author: String? = nil, published: Date? = nil, html: String,
    nextPart: String? = nil, otherVersion: String? = nil
  ) {
    (self.title, self.author, self.published, self.html) = (title, author, published, html)
    (self.nextPart, self.otherVersion) = (nextPart, otherVersion)
  }
}

/// The result of a request for the article of a page.
public enum FullTextOutcome: Sendable, Equatable {
  case found(MainContent)
  case failed(RefreshFailure)
}

/// A durable request for the text of an article's web page.
public struct FullText: Sendable, Equatable {
  /// The progress of the request.
  public enum State: Sendable, Equatable {
    case waiting
    /// The article as sanitised HTML.
    case found(html: String)
    case failed(RefreshFailure)
  }
  public var article: ArticleID
  public var url: String
  public var state: State
  /// True if the text, once found, is shown in place of the feed's text.
  public var isShown: Bool
  /// The reason why the page shows only the beginning of the article, if it does.
  public var obstacle: FailureDetail?

  public init(
    article: ArticleID, url: String, state: State, isShown: Bool = true,
    obstacle: FailureDetail? = nil
  ) {
    (self.article, self.url, self.state, self.isShown) = (article, url, state, isShown)
    self.obstacle = obstacle
  }
}
