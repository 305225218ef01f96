import ArticleScreens
import FeedModel
import ReaderServices
import TerminalViews

/// Moves from an article to the next unread one, in this list and then in the next.
extension Browser {
  var readingBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(.readOn) { browser.readOn() },
      Binding(.nextUnread) {
        if browser.focus == .feeds {
          browser.selectNextUnreadFeed()
        } else {
          browser.goToNextUnread(opens: browser.focus == .reader)
        }
      },
      Binding(.previousUnread, when: browser.focus == .reader && browser.reader.article != nil) {
        browser.openPreviousUnread()
      },
      Binding(.nextArticle, counted: { browser.goToArticle($0) }),
      Binding(.previousArticle, counted: { browser.goToArticle(-$0) }),
      Binding(
        .followLink, when: browser.focus == .articles,
        unless: browser.layout.frame(.reader) == nil
          ? "Open the article to follow its links" : nil
      ) { browser.followLink() },
    ]
  }

  /// Goes to another article of the list, whatever its state; in the reader it is opened.
  private func goToArticle(_ steps: Int) {
    showListAnew()
    guard let articles else { return }
    articles.isTouched = true
    if focus == .reader, let row = reader.article?.row { articles.model.select(row) }
    guard articles.model.selectedRow != nil else { return context.note("This list is empty") }
    guard articles.model.move(.rows(steps)), let row = articles.model.selectedRow else {
      return context.note(steps > 0 ? "This is the last article" : "This is the first article")
    }
    if focus == .reader { open(row.id) }
  }

  private func followLink() {
    preview()
    guard let binding = reader.binding(for: .followLink) else { return }
    if let reason = binding.reason() { return context.note(reason) }
    binding.action(Binding.Call())
  }

  private func openPreviousUnread() {
    showListAnew()
    guard let articles, let key = reader.article?.row.key else { return }
    guard let row = articles.model.unread(isForward: false, from: key) else {
      return context.note("No unread article above")
    }
    articles.model.select(row)
    open(row.id)
  }

  private func readOn() {
    switch focus {
    case .reader: goToNextUnread(opens: true)
    case .articles:
      guard let articles, let row = articles.model.selectedRow else {
        return goToNextUnread(opens: true)
      }
      let isInView = row.id == reader.article?.id && layout.frame(.reader) != nil
      if isInView, row.status.isRead, reader.readOn() { return }
      if !row.status.isRead { open(row.id) }
      // The first page has been on the screen already.
      if isInView, reader.readOn() { return }
      if isInView || row.status.isRead { goToNextUnread(opens: true) }
    case .feeds:
      guard let source = feeds.model.selectedSource else { return }
      showList(source, opens: true)
      goToNextUnread(opens: true, fromBeginning: true)
    }
  }

  /// Searches after the current article, then from the list's beginning, then in the next list.
  private func goToNextUnread(opens: Bool, fromBeginning: Bool = false) {
    catchUp()
    showListAnew()
    if let articles {
      let current = focus == .reader ? reader.article?.row.key : articles.model.selectedRow?.key
      let key = fromBeginning ? nil : current
      if let row = nextUnread(in: articles, from: key)
        ?? (key == nil ? nil : nextUnread(in: articles, from: nil))
      {
        return go(to: row, in: articles, opens: opens)
      }
    }
    var tried: Set<ListSource> = []
    var source = articles?.source
    while let last = source, last.isInTree, tried.insert(last).inserted,
      let next = feeds.model.nextUnreadSource(after: last)
    {
      source = next
      guard !tried.contains(next) else { break }
      feeds.model.reveal(.list(next))
      showList(next, opens: true)
      // The count may be older than the last read.
      guard let articles, let row = nextUnread(in: articles, from: nil) else { continue }
      go(to: row, in: articles, opens: opens)
      return context.note("Next: \(feeds.model.name(next))")
    }
    context.note("No unread articles left here")
  }

  /// Shows the list that is selected in the feeds if the list of the article has been replaced.
  private func showListAnew() {
    if articles == nil { makeArticles(feeds.model.selectedSource ?? .smart(.unread)) }
  }

  private func go(to row: ArticleRow, in articles: ArticlesScreen, opens: Bool) {
    articles.model.select(row)
    if opens { open(row.id) }
  }

  /// Ignores the articles that are being marked read.
  private func nextUnread(in articles: ArticlesScreen, from key: ArticleKey?) -> ArticleRow? {
    var row = articles.model.unread(isForward: true, from: key)
    while let found = row, reader.beingMarked.contains(found.id) {
      row = articles.model.unread(isForward: true, from: found.key)
    }
    return row
  }

  private func selectNextUnreadFeed() {
    catchUp()
    guard let next = feeds.model.nextUnreadSource(after: feeds.model.selectedSource) else {
      return context.note("No unread articles left")
    }
    feeds.model.reveal(.list(next))
    showList(next, opens: false)
  }
}
