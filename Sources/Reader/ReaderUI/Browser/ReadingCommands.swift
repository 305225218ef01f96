import TerminalViews

/// Moves from an article to the next unread one, in this list and then in the next.
struct ReadingCommands {
  unowned let browser: Browser

  var bindings: [Binding] {
    return [
      Binding(.readOn) { readOn() },
      Binding(.nextUnread) {
        if browser.focus == .feeds {
          selectNextUnreadFeed()
        } else {
          goToNextUnread(opens: browser.focus == .reader)
        }
      },
      Binding(.previousUnread, when: browser.focus == .reader && browser.reader.article != nil) {
        openPreviousUnread()
      },
      Binding(.nextArticle, counted: { goToArticle($0) }),
      Binding(.previousArticle, counted: { goToArticle(-$0) }),
      Binding(
        .followLink, when: browser.focus == .articles,
        unless: browser.layout.frame(.reader) == nil
          ? "Open the article to follow its links" : nil
      ) { followLink() },
    ]
  }

  /// Moves to another article of the list, read or unread; opens it if the reader has the focus.
  private func goToArticle(_ steps: Int) {
    showListAnew()
    guard let articles = browser.articles else { return }
    articles.isTouched = true
    if browser.focus == .reader, let row = browser.reader.article?.row {
      articles.model.select(row)
    }
    guard articles.model.selectedRow != nil else {
      return browser.context.note("This list is empty")
    }
    guard articles.model.move(.rows(steps)), let row = articles.model.selectedRow else {
      return browser.context.note(
        steps > 0 ? "This is the last article" : "This is the first article")
    }
    if browser.focus == .reader { browser.open(row.id) }
  }

  private func followLink() {
    browser.preview()
    guard let binding = browser.reader.binding(for: .followLink) else { return }
    if let reason = binding.reason() { return browser.context.note(reason) }
    binding.action(Binding.Call())
  }

  private func openPreviousUnread() {
    showListAnew()
    guard let articles = browser.articles, let key = browser.reader.article?.row.key else { return }
    guard let row = articles.model.unread(isForward: false, from: key) else {
      return browser.context.note("No unread article above")
    }
    articles.model.select(row)
    browser.open(row.id)
  }

  private func readOn() {
    switch browser.focus {
    case .reader: goToNextUnread(opens: true)
    case .articles:
      guard let articles = browser.articles, let row = articles.model.selectedRow else {
        return goToNextUnread(opens: true)
      }
      let isInView = row.id == browser.reader.article?.id && browser.layout.frame(.reader) != nil
      if isInView, row.status.isRead, browser.reader.readOn() { return }
      if !row.status.isRead { browser.open(row.id) }
      // The first page was already on screen.
      if isInView, browser.reader.readOn() { return }
      if isInView || row.status.isRead { goToNextUnread(opens: true) }
    case .feeds:
      guard let source = browser.feeds.model.selectedSource else { return }
      browser.showList(source, opens: true)
      goToNextUnread(opens: true, fromBeginning: true)
    }
  }

  /// Searches after the current article, then from the list's beginning, then in the next list.
  private func goToNextUnread(opens: Bool, fromBeginning: Bool = false) {
    browser.catchUp()
    showListAnew()
    if let articles = browser.articles {
      let current =
        browser.focus == .reader ? browser.reader.article?.row.key : articles.model.selectedRow?.key
      let key = fromBeginning ? nil : current
      if let row = nextUnread(in: articles, from: key)
        ?? (key == nil ? nil : nextUnread(in: articles, from: nil))
      {
        return go(to: row, in: articles, opens: opens)
      }
    }
    var tried: Set<ListSource> = []
    var source = browser.articles?.source
    while let last = source, last.isInTree, tried.insert(last).inserted,
      let next = browser.feeds.model.nextUnreadSource(after: last)
    {
      source = next
      guard !tried.contains(next) else { break }
      browser.feeds.model.reveal(.list(next))
      browser.showList(next, opens: true)
      // The count may be older than the last read.
      guard let articles = browser.articles, let row = nextUnread(in: articles, from: nil) else {
        continue
      }
      go(to: row, in: articles, opens: opens)
      return browser.context.note("Next: \(browser.feeds.model.name(next))")
    }
    browser.context.note(browser.articles?.endOfPage ?? "No unread articles left here")
  }

  /// Shows the list that is selected among the feeds if there is no list of articles.
  private func showListAnew() {
    if browser.articles == nil {
      browser.makeArticles(browser.feeds.model.selectedSource ?? .smart(.unread))
    }
  }

  private func go(to row: ArticleRow, in articles: ArticlesScreen, opens: Bool) {
    articles.model.select(row)
    if opens { browser.open(row.id) }
  }

  /// Returns the next unread article, without those that are being marked read.
  private func nextUnread(in articles: ArticlesScreen, from key: ArticleKey?) -> ArticleRow? {
    var row = articles.model.unread(isForward: true, from: key)
    while let found = row, browser.reader.beingMarked.contains(found.id) {
      row = articles.model.unread(isForward: true, from: found.key)
    }
    return row
  }

  private func selectNextUnreadFeed() {
    browser.catchUp()
    guard let next = browser.feeds.model.nextUnreadSource(after: browser.feeds.model.selectedSource)
    else {
      return browser.context.note("No unread articles left")
    }
    browser.feeds.model.reveal(.list(next))
    browser.showList(next, opens: false)
  }
}
