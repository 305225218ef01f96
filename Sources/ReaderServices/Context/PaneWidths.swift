/// The pane widths that the user has set, in columns; `nil` follows the window.
public nonisolated struct PaneWidths: Equatable, Sendable {
  public var feeds: Int?
  public var articles: Int?

  public init(feeds: Int? = nil, articles: Int? = nil) {
    self.feeds = feeds
    self.articles = articles
  }
}
