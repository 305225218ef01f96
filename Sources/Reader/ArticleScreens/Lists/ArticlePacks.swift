import TerminalViews

/// Articles of a list that a pack has prepared, read in the background: while a pack is made, and
/// offline.
final class ArticlePacks {
  private let context: ReaderContext
  private(set) var ready: Set<ArticleID> = []
  /// Percentage of the list that packs have prepared; `nil` if nothing is prepared.
  private(set) var share: Int?
  private var loading: TimerToken?
  private var query: ArticleQuery?
  /// The most articles that are counted, from the beginning of the list.
  private nonisolated static let most = 5_000

  init(context: ReaderContext) { self.context = context }

  func changed() { if let query { load(query) } }

  func read(_ new: ArticleQuery) { if new != query { load(new) } }

  private func load(_ new: ArticleQuery) {
    query = new
    let isOffline = context.configuration.isOffline
    loading = context.load { store -> (ready: Set<ArticleID>, share: Int?)? in
      guard
        try store.requests.syncStatus().seen(isOffline: isOffline).quality == .offline
          || store.packs.last()?.isOpen == true
      else { return ([], nil) }
      let ids = try store.articles.page(new, .top, limit: Self.most).map(\.id)
      let ready = try store.packs.packed(ids)
      return (ready, ready.isEmpty ? nil : ready.count * 100 / ids.count)
    } then: { [weak self] found in
      guard let self else { return }
      guard found.ready != ready || found.share != share else { return }
      (ready, share) = found
      context.invalidate()
    }
  }
}
