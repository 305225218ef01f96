import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// Reads the rows after a list's window in the background, so that no key waits for them.
final class RowsAhead {
  private let context: ReaderContext
  private let model: ArticleListModel
  /// The running read, and its first row.
  private var running: (loading: TimerToken, key: ArticleKey)?

  init(context: ReaderContext, model: ArticleListModel) {
    self.context = context
    self.model = model
  }

  func read() {
    guard let page = model.pageBehind, running?.key != page.key else { return }
    let loading = context.load { store throws(StoreError) in
      try store.articles.page(page.query, .after(page.key), limit: page.limit)
    } then: { [weak self] rows in
      self?.running = nil
      self?.model.append(rows, of: page)
    }
    running = (loading, page.key)
  }

  /// Discards rows that were read before a change, so that they are not shown after it.
  func discard() { running = nil }
}
