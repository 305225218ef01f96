import FeedModel
import FeedStore
import TerminalKit

/// Narrowing the list to what holds a text, and filling it with what a search finds.
extension ArticlesScreen {
  func setText(_ newText: String) {
    guard newText != text else { return }
    text = newText
    find()
  }

  /// Looks for what the list is to hold, and sorts it, beside the screen; what is shown stays until
  /// that is known.
  func find() {
    context.invalidate()
    var plain = model.query
    plain.hits = nil
    let sorting = order.sorting
    let showsHidden = plain.showsHiddenByRules
    if text.isEmpty, !source.isSearch, !showsHidden {
      guard sorting != nil else {
        look = nil
        return model.setHits(nil)
      }
      if sortNow(plain) { return }
    }
    let (list, search, text, isAlone) = (plain, search, text, source == .hidden)
    let feedOrder = feedOrder
    look = context.look(
      { [cache = context.search] store throws(StoreError) in
        var list = list
        if showsHidden {
          list.hits = try store.hiddenByRules(in: list, isAlone: isAlone)
        } else if let search {
          guard let query = search.query else { return SearchHits.none }
          list.hits = try await cache.hits(query, in: list, order: search.order)
          guard list.hits != nil else { return nil }
        }
        if !text.isEmpty, !showsHidden {
          list.hits = try await cache.hits(holding: text, in: list)
          guard list.hits != nil else { return nil }
        }
        return try sorting.map { order throws(StoreError) in
          try store.sorted(list, by: order, feeds: feedOrder)
        } ?? list.hits
      },
      then: { [weak self] (hits: SearchHits) in
        guard let self else { return }
        look = nil
        model.setHits(hits)
        context.report(model.failure)
        context.invalidate()
      })
  }

  func askForFilter() {
    context.window?.ask(.filter(text) { [weak self] in self?.setText($0) })
  }
}
