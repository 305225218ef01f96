import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// Requests that the running sync refreshes the feed of an open article first, and then the
/// selected feeds.
final class Attention {
  private let context: ReaderContext
  private let model: FeedListModel
  private let timer: RestTimer

  /// The time for which a feed must be selected before it is refreshed first.
  private static let rest = Duration.milliseconds(150)

  init(context: ReaderContext, model: FeedListModel) {
    self.context = context
    self.model = model
    timer = RestTimer(context.timers, after: Self.rest)
  }

  func give(to source: ListSource?, reading feed: FeedID? = nil) {
    timer.restart { [weak self] in
      guard let self else { return }
      let listed = source.map(model.visitedFeeds) ?? []
      let ids = (feed.map { [$0] } ?? []) + listed.filter { $0 != feed }
      context.write(isSeen: false) { store throws(StoreError) in
        try await store.requests.setAttention(ids)
      }
    }
  }
}
