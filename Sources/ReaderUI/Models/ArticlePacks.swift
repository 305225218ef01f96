import FeedModel
import FeedStore
import Foundation

/// Which articles of a list a pack has made ready, read beside the screen.
final class ArticlePacks {
  private let context: ReaderContext
  private(set) var ready: Set<ArticleID> = []
  /// Of the whole list, in percent; nil: there is no pack, or it is not known yet.
  private(set) var share: Int?
  private var look: TimerToken?
  private var query: ArticleQuery?
  private var isStale = true
  /// Of a longer list the beginning is counted.
  private nonisolated static let most = 5_000

  init(context: ReaderContext) { self.context = context }

  /// The list may have changed, or a pack.
  func changed() {
    isStale = true
    if let query { read(query) }
  }

  /// Counts the articles of a list that are ready; they are drawn when that is known.
  func read(_ new: ArticleQuery) {
    guard look == nil, isStale || new != query else { return }
    query = new
    isStale = false
    let oldest = context.now - .days(Double(Pack.daysKept))
    look = context.look { store throws(StoreError) -> (Set<ArticleID>, Int?)? in
      guard let pack = try store.packs(limit: 1).first, pack.startedAt > oldest else {
        return ([], nil)
      }
      let ids = try store.articles(new, .top, limit: Self.most).map(\.id)
      let ready = try store.packed(ids)
      return (ready, ids.isEmpty ? nil : ready.count * 100 / ids.count)
    } then: { [weak self] found in
      guard let self else { return }
      look = nil
      if isStale, let query { read(query) }
      guard found.0 != ready || found.1 != share else { return }
      (ready, share) = found
      context.invalidate()
    } failed: { [weak self] in
      self?.look = nil
    }
  }
}
