/// Pane widths set by the user, in columns; `nil` if the width depends on the window.
public nonisolated struct PaneWidths: Equatable, Sendable {
  public var feeds: Int?
  public var articles: Int?

  public init(feeds: Int? = nil, articles: Int? = nil) {
    self.feeds = feeds
    self.articles = articles
  }
}
