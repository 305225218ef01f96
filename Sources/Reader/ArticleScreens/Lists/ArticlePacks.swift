import Foundation
import TerminalViews

/// Articles of a list that a pack has prepared, read in the background.
final class ArticlePacks {
  private let context: ReaderContext
  private(set) var ready: Set<ArticleID> = []
  /// Percentage of the list that the pack has prepared; `nil` if unknown or without a pack.
  private(set) var share: Int?
  private var loading: TimerToken?
  private var query: ArticleQuery?
  private var isStale = true
  /// The most articles that are counted, from the beginning of the list.
  private nonisolated static let most = 5_000

  init(context: ReaderContext) { self.context = context }

  func changed() {
    isStale = true
    if let query { read(query) }
  }

  func read(_ new: ArticleQuery) {
    guard loading == nil, isStale || new != query else { return }
    query = new
    isStale = false
    let oldest = context.now - .days(Double(Pack.daysKept))
    loading = context.load { store throws(StoreError) -> (Set<ArticleID>, Int?)? in
      guard let pack = try store.packs.last(), pack.startedAt > oldest else {
        return ([], nil)
      }
      let ids = try store.articles.page(new, .top, limit: Self.most).map(\.id)
      let ready = try store.packs.packed(ids)
      return (ready, ids.isEmpty ? nil : ready.count * 100 / ids.count)
    } then: { [weak self] found in
      guard let self else { return }
      loading = nil
      if isStale, let query { read(query) }
      guard found.0 != ready || found.1 != share else { return }
      (ready, share) = found
      context.invalidate()
    } failed: { [weak self] in
      self?.loading = nil
    }
  }
}
