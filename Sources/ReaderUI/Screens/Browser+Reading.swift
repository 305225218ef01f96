import FeedModel

/// Reading on: from an article to the next unread one, in this list and then in the next.
extension Browser {
  /// Takes the commands that lead from article to article. False where it is none of them.
  func read(_ command: Command) -> Bool {
    switch command {
    case .readOn: readOn()
    case .nextUnread:
      if focus == .feeds { selectNextUnreadFeed() } else { goToNextUnread(opens: focus == .reader) }
    case .previousUnread:
      guard focus == .reader else { return false }
      showListAnew()
      guard let articles, let key = reader.article?.row.key else { return false }
      guard let row = articles.model.unread(isForward: false, from: key) else {
        context.note("No unread article above")
        break
      }
      articles.model.select(row)
      open(row.id)
    default: return false
    }
    context.invalidate()
    return true
  }

  private func readOn() {
    switch focus {
    case .reader: goToNextUnread(opens: true)
    case .articles:
      guard let articles, let row = articles.model.selectedRow else {
        return goToNextUnread(opens: true)
      }
      if row.id == reader.article?.id, layout.frame(.reader) != nil,
        reader.respond(to: .command(.readOn, count: nil))
      {
        return
      }
      if row.status.isRead { goToNextUnread(opens: true) } else { open(row.id) }
    case .feeds:
      guard let source = feeds.model.selectedSource else { return }
      showList(source, opens: true)
      goToNextUnread(opens: true, fromBeginning: true)
    }
  }

  /// Behind the current article, then from the list's beginning, then in the next list.
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
    while let last = source, !isSmart(last), !last.isSearch, tried.insert(last).inserted,
      let next = feeds.model.nextUnreadSource(after: last)
    {
      source = next
      guard !tried.contains(next) else { break }
      feeds.model.reveal(.list(next))
      showList(next, opens: true)
      // The count may be older than what was read a moment ago.
      guard let articles, let row = nextUnread(in: articles, from: nil) else { continue }
      go(to: row, in: articles, opens: opens)
      return context.note("On to \(feeds.model.name(next))")
    }
    context.note("Everything here is read")
  }

  /// Where the list has gone from which the article was opened, the one that is selected in the feeds takes
  /// its place.
  private func showListAnew() {
    if articles == nil { makeArticles(feeds.model.selectedSource ?? .smart(.unread)) }
  }

  private func go(to row: ArticleRow, in articles: ArticlesScreen, opens: Bool) {
    articles.model.select(row)
    if opens { open(row.id) }
  }

  /// Without the articles that are being marked read just now.
  private func nextUnread(in articles: ArticlesScreen, from key: ArticleKey?) -> ArticleRow? {
    var row = articles.model.unread(isForward: true, from: key)
    while let found = row, reader.beingMarked.contains(found.id) {
      row = articles.model.unread(isForward: true, from: found.key)
    }
    return row
  }

  private func isSmart(_ source: ListSource) -> Bool {
    switch source {
    case .smart, .tag, .saved, .search: true
    case .folder, .feed: false
    }
  }

  private func selectNextUnreadFeed() {
    catchUp()
    guard let next = feeds.model.nextUnreadSource(after: feeds.model.selectedSource) else {
      return context.note("Everything is read")
    }
    feeds.model.reveal(.list(next))
    showList(next, opens: false)
  }
}
