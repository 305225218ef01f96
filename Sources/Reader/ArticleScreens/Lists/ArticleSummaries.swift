import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// The first words of the visible articles, read in the background.
final class ArticleSummaries {
  private let context: ReaderContext
  private var texts: [ArticleID: String] = [:]
  /// Articles whose summaries were requested, even if none was found.
  private var known: Set<ArticleID> = []
  private var loading: TimerToken?
  private static let mostKept = 2_000

  init(context: ReaderContext) { self.context = context }

  /// Returns the summary in one line, without the title if the summary begins with it.
  func text(of row: ArticleRow) -> String {
    let text = texts[row.id] ?? ""
    guard text.hasPrefix(row.title) else { return text }
    return String(text.dropFirst(row.title.count)).trimmingWhitespace
  }

  /// Reads the missing summaries of these articles.
  func read(_ ids: [ArticleID]) {
    let missing = ids.filter { !known.contains($0) }
    guard loading == nil, !missing.isEmpty else { return }
    loading = context.load { store throws(StoreError) in
      try store.articles.summaries(of: missing)
    } then: { [weak self] found in
      guard let self else { return }
      if known.count > Self.mostKept { (known, texts) = ([], [:]) }
      loading = nil
      known.formUnion(missing)
      texts.merge(found) { $1 }
      context.invalidate()
    } failed: { [weak self] in
      self?.known.formUnion(missing)
      self?.loading = nil
    }
  }

  /// Marks all summaries as outdated; they are shown until they are read again.
  func forget() { known = [] }
}
