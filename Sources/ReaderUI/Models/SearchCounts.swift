import FeedModel
import FeedStore

/// How many unread articles a saved search holds.
nonisolated struct SearchCount: Equatable, Sendable {
  var articles: Int
  /// False: at least so many.
  var isExact = true
}

/// How many unread articles each saved search holds: counted beside the screen, at first and then a
/// while after something has changed, and no further than anybody reads.
final class SearchCounts {
  private let context: ReaderContext
  private let counted: ([SavedSearchID: SearchCount]) -> Void
  private var searches: [SavedSearch] = []
  private var look: TimerToken?
  private var timer: TimerToken?

  /// Seconds between a change and the count: a sync changes things many times a second.
  private static let pause = Duration.seconds(2)
  /// More are not counted.
  static let most = 1_000

  init(context: ReaderContext, counted: @escaping ([SavedSearchID: SearchCount]) -> Void) {
    self.context = context
    self.counted = counted
  }

  /// Something has changed. A search that is new is counted at once.
  func update(_ searches: [SavedSearch]) {
    let isKnown = searches == self.searches
    self.searches = searches
    guard !searches.isEmpty else { return }
    guard isKnown else { return count() }
    guard timer == nil else { return }
    timer = context.timers.after(Self.pause) { [weak self] in self?.count() }
  }

  private func count() {
    timer = nil
    let searches = searches
    look = context.look(
      { [search = context.search] _ throws(StoreError) in
        let list = ArticleQuery(scope: .all, filter: .unread)
        var counts: [SavedSearchID: SearchCount] = [:]
        for saved in searches {
          guard let query = try? SearchQuery(saved.query) else { continue }
          guard let hits = try await search.hits(query, in: list, limit: Self.most) else {
            return nil
          }
          counts[saved.id] = SearchCount(
            articles: hits.count, isExact: hits.continuesBefore == nil)
        }
        return counts
      },
      then: { [weak self] counts in self?.counted(counts) })
  }
}
