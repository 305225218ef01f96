/// Writes to the cache that articles are read, and their reading positions.
package final class ReadingRecord {
  private let context: ReaderContext
  private var savedPosition: ReadingPosition?
  /// Positions that are being written to the cache.
  private var places: [ArticleID: ReadingPosition?] = [:]
  /// Articles that are being marked read, but are still unread in the cache.
  package private(set) var beingMarked: Set<ArticleID> = []

  init(context: ReaderContext) { self.context = context }

  /// Begins to record the positions in an article.
  /// - Returns: The last reading position; `nil` for the beginning.
  func begin(_ open: OpenArticle) -> ReadingPosition? {
    savedPosition = places[open.article.id] ?? open.place
    return savedPosition
  }

  func save(_ place: ReadingPosition?, of id: ArticleID) {
    guard place != savedPosition else { return }
    savedPosition = place
    places[id] = .some(place)
    context.write(isSeen: false) { store in
      try await store.plan.setReadingPosition(id, place)
    } then: { [weak self] in
      if self?.places[id] == .some(place) { self?.places[id] = nil }
    }
  }

  /// Marks an opened article read, unless its feed forbids that.
  func markRead(_ article: Article) {
    guard !article.row.status.isRead else { return }
    let options = context.read(try context.store.feeds.options(of: article.row.feed))
    guard let options, options.effective.markRead != .never else { return }
    let id = article.id
    beingMarked.insert(id)
    context.write(
      { store in try await store.states.set(.read, [id], true, as: .open) },
      then: { [weak self] in self?.beingMarked.remove(id) },
      failed: { [weak self] error in
        self?.beingMarked.remove(id)
        self?.context.report(error)
      })
  }
}
