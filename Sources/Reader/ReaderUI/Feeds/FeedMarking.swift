import TerminalViews

/// Marks the selected list of the feeds read.
struct FeedMarking {
  let source: ListSource
  /// The newest article of the list beside the feeds; `nil` for all articles that exist now.
  let asOf: ArticleID?
  let model: FeedListModel
  let context: ReaderContext

  private var query: ArticleQuery {
    var query = source.query(filter: source.ownFilter, asOf: asOf)
    query.folders = model.view.focus
    return query
  }

  /// The effect of `markRead`. The unread articles of a saved search have been counted already.
  var effect: EffectText.Source {
    let (query, name) = (query, model.name(source))
    guard source.isSearch else {
      return context.effect({ store in
        try await store.articles.unreadCount(query, .all)
      }) { MarkWording.effect($0, in: name) }
    }
    let count = model.rows[model.selected].unread
    return { show in
      if let count { show(MarkWording.effect(count, in: name)) }
      return nil
    }
  }

  /// Marks the articles that existed when the key was pressed.
  func markRead() {
    let context = context
    var search: SearchQuery?
    if case .saved(let id) = source {
      search = model.search(id).flatMap { ListSearch($0).query }
      guard search != nil else { return }
    }
    var query = query
    do throws(StoreError) {
      if query.asOf == nil { query.asOf = try context.store.articles.latestArticleID() }
    } catch {
      return context.report(error)
    }
    let list = { @Sendable [query, search, cache = context.search] in
      var query = query
      if let search { query.hits = try await cache.hits(search, in: query) ?? SearchHits.none }
      return query
    }
    context.markRead(
      counting: { store in try await store.articles.unreadCount(list(), .all) },
      { store in try await store.states.markShownRead(list()) }
    ) { MarkWording.marked($0, undo: context.keymap.label(.undo)) }
  }
}
