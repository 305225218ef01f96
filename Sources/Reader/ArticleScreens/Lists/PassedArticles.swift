import TerminalViews

/// Articles that the selection has passed on its way down, if passing marks them read. They are
/// written together shortly after the last step: as one undo step, with no write for each key.
package final class PassedArticles {
  private let context: ReaderContext
  private var ids: [ArticleID] = []
  private let timer: RestTimer
  private static let pause = Duration.milliseconds(700)

  init(context: ReaderContext) {
    self.context = context
    timer = RestTimer(context.timers, after: Self.pause)
  }

  private func isPassing(_ feed: FeedID) -> Bool {
    guard let policy = context.markPolicies[feed] else {
      return context.configuration.marksPassed
    }
    return policy == .passed
  }

  /// Adds the passed rows; returns the articles that become read.
  func add(_ rows: some Sequence<ArticleRow>) -> [ArticleID] {
    let passed = rows.filter { !$0.status.isRead && isPassing($0.feed) }.map(\.id)
    guard !passed.isEmpty else { return [] }
    ids += passed.filter { !ids.contains($0) }
    timer.restart { [weak self] in self?.flush() }
    return passed
  }

  package func flush() {
    timer.cancel()
    guard !ids.isEmpty else { return }
    let passed = ids
    ids = []
    context.write { store in try await store.states.set(.read, passed, true, sparesKept: true) }
  }

  /// Returns the rows from `start` up to `end`, without `end` itself; `nil` if `start` is missing.
  /// - Parameter then: the window's rows after it has moved.
  static func rows(
    from start: ArticleID, to end: ArticleID, in before: [ArticleRow], then after: [ArticleRow]
  ) -> [ArticleRow]? {
    guard let first = before.firstIndex(where: { $0.id == start }) else { return nil }
    let rows = before[first...].prefix { $0.id != end }
    guard rows.endIndex == before.endIndex else { return Array(rows) }
    let last = before.last?.id
    let behind = after.firstIndex { $0.id == last }.map { after[($0 + 1)...] } ?? []
    return rows + behind.prefix { $0.id != end }
  }
}
