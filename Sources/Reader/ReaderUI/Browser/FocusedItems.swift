import TerminalViews

/// The feed, the article and the list to which commands of the window apply.
struct FocusedItems {
  private let browser: Browser

  init(_ browser: Browser) { self.browser = browser }

  /// The feed whose list is open.
  var openFeed: Feed? {
    if case .feed(let id) = browser.articles?.source { browser.feeds.model.feed(id) } else { nil }
  }

  /// The selected feed, or the feed of the article.
  var focusedFeed: Feed? {
    browser.catchUp()
    let feeds = browser.feeds
    return switch browser.focus {
    case .feeds: feeds.selectedFeed
    case .articles: (browser.articles?.model.selectedRow?.feed).flatMap(feeds.model.feed)
    case .reader: (browser.reader.article?.row.feed).flatMap(feeds.model.feed)
    }
  }

  /// The selected article, or the open one.
  var focusedArticle: ArticleID? {
    switch browser.focus {
    case .feeds: nil
    case .articles: browser.articles?.model.selectedRow?.id
    case .reader: browser.reader.article?.id
    }
  }

  private func quoted(_ field: String, _ name: String) -> String {
    "\(field):\"\(name.replacing("\"", with: " "))\""
  }

  /// The displayed list as a condition: a search as typed, a list by its name.
  var shownQuery: String {
    if browser.sheets.contains(where: { $0 is SearchScreen }) { return browser.search.text }
    let (feeds, isInFeeds) = (browser.feeds, browser.focus == .feeds)
    let source = isInFeeds ? feeds.model.selectedSource : browser.articles?.source
    let filter = isInFeeds ? "" : browser.articles?.text ?? ""
    let condition: String
    switch source {
    case .search(let text): condition = text
    case .saved(let id): condition = feeds.model.search(id)?.query ?? ""
    case .feed(let id): condition = quoted("feed", feeds.model.name(.feed(id)))
    case .folder(let id): condition = quoted("in", feeds.model.name(.folder(id)))
    case .tag(let tag): condition = quoted("tag", tag)
    case .smart, .hidden, .dailyPage, nil: condition = ""
    }
    return (condition.isEmpty ? "" : condition + " ")
      + (filter.isEmpty ? "" : "title:\"\(filter)\"")
  }
}
