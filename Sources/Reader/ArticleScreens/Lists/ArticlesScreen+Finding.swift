import TerminalViews

/// Filters the list by a text, and fills it with the hits of a search.
extension ArticlesScreen {
  /// - Parameter place: The place to show then; `nil` for the selected article.
  func setText(_ newText: String, at place: ListPosition? = nil) {
    guard newText != text || place != nil && place != model.place else { return }
    text = newText
    find(at: place)
  }

  /// Searches and sorts the list in the background; the previous content stays until then.
  func find(at place: ListPosition? = nil) {
    context.invalidate()
    var plain = model.query
    plain.hits = nil
    let sorting = sorting
    let showsHidden = plain.showsHiddenByRules
    if text.isEmpty, !source.isSearch, !showsHidden {
      guard sorting != nil else {
        loading = nil
        return model.setHits(nil, at: place)
      }
      if sortNow(plain, at: place) { return }
    }
    let (list, search, text, isAlone) = (plain, search, text, source == .hidden)
    let isPage = source == .dailyPage
    let feedOrder = feedOrder
    loading = context.load(
      { [cache = context.search] store in
        var list = list
        if isPage {
          list.hits = try store.plan.dailyPageHits()
        } else if showsHidden {
          list.hits = try store.articles.hiddenByRules(in: list, isAlone: isAlone)
        } else if let search {
          guard let query = search.query else { return SearchHits.none }
          list.hits = try await cache.hits(query, in: list, order: search.order)
          guard list.hits != nil else { return nil }
        }
        if !text.isEmpty, !showsHidden {
          list.hits = try await cache.hits(holding: text, in: list)
          guard list.hits != nil else { return nil }
        }
        return try sorting.map { order in
          try store.articles.sorted(list, by: order, feeds: feedOrder)
        } ?? list.hits
      },
      then: { [weak self] (hits: SearchHits) in
        guard let self else { return }
        loading = nil
        model.setHits(hits, at: place)
        context.report(model.failure)
        context.invalidate()
      })
  }
}
