import TerminalViews

/// The number of unread articles of a saved search.
nonisolated struct SearchCount: Equatable, Sendable {
  var articles: Int
  /// False if `articles` is a lower bound.
  var isExact = true
}

/// The numbers of unread articles of saved searches, counted in the background: at the start and
/// some time after a change, up to the largest number that is shown.
final class SearchCounts {
  private let context: ReaderContext
  private let counted: ([SavedSearchID: SearchCount]) -> Void
  private var searches: [SavedSearch] = []
  private var folders: [FolderID]?
  private var loading: TimerToken?
  private var timer: TimerToken?

  /// The pause between a change and the count, since a sync causes many changes per second.
  private static let pause = Duration.seconds(2)
  /// The largest number that is counted.
  static let most = 1_000

  init(context: ReaderContext, counted: @escaping ([SavedSearchID: SearchCount]) -> Void) {
    (self.context, self.counted) = (context, counted)
  }

  /// Counts again: at once if the saved searches or the folders themselves changed, otherwise after
  /// a pause.
  func update(_ searches: [SavedSearch], in folders: [FolderID]?) {
    let isKnown = searches == self.searches && folders == self.folders
    (self.searches, self.folders) = (searches, folders)
    guard !searches.isEmpty else { return }
    guard isKnown else { return count() }
    guard timer == nil else { return }
    timer = context.timers.after(Self.pause) { [weak self] in self?.count() }
  }

  private func count() {
    timer = nil
    let (searches, folders) = (searches, folders)
    loading = context.load(
      { [search = context.search] _ in
        var list = ArticleQuery(scope: .all, filter: .unread)
        list.folders = folders
        var counts: [SavedSearchID: SearchCount] = [:]
        for saved in searches {
          guard let query = try? SearchQuery(saved.query) else { continue }
          guard let hits = try await search.hits(query, in: list, limit: Self.most) else {
            return nil
          }
          counts[saved.id] = SearchCount(articles: hits.count, isExact: hits.continuesBefore == nil)
        }
        return counts
      },
      then: { [weak self] counts in self?.counted(counts) })
  }
}
