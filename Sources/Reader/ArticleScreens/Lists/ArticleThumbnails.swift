import ArticleText
import TerminalViews

/// Pictures beside the rows of a list, one for each article that has any, found in the background.
/// Missing pictures are requested after the list has not moved for a moment, and are fetched with
/// prefetch priority.
final class ArticleThumbnails {
  static let columns = 6
  static let rows = 2
  /// The least width, in columns, of a list with thumbnails.
  private static let leastWidth = 40
  static let indent = columns + 1

  private let context: ReaderContext
  private let drawn: DrawnPictures
  /// Pictures of articles; the value `nil` means that the article has none.
  private var items: [ArticleID: RequestedPictures.Item?] = [:]
  /// Articles whose item has not changed since it was read.
  private var current: Set<ArticleID> = []
  private var pictures: [String: Picture] = [:]
  private var visible: [ArticleID] = []
  private var loading: TimerToken?
  private var pause: TimerToken?
  private var isAtRest = false
  private var asked: [RequestedPictures.Item] = []
  private var isStale = false

  init(context: ReaderContext) {
    self.context = context
    drawn = DrawnPictures(.middle, context: context)
    drawn.onMissing = { [weak self] in self?.isStale = true }
  }

  func areShown(width: Int) -> Bool {
    context.configuration.hasThumbnails && context.pictureMode != .off && width >= Self.leastWidth
  }

  /// Marks all pictures as outdated; they are shown until they are read again.
  func articlesChanged() { current = [] }

  func picturesChanged() {
    guard !open.isEmpty else { return }
    isStale = true
    context.invalidate()
  }

  private static let mostKept = 2_000
  /// Pause before pictures are requested, longer than the repeat interval of a held key.
  private static let rest = Duration.milliseconds(300)

  func need(_ ids: [ArticleID]) {
    if ids != visible {
      (visible, isAtRest) = (ids, false)
      pause = context.timers.after(Self.rest) { [weak self] in
        self?.isAtRest = true
        self?.ask()
      }
    }
    let missing = ids.filter { !current.contains($0) }
    guard loading == nil, isStale || !missing.isEmpty else { return }
    isStale = false
    let known = open.map(\.url)
    loading = context.load { store throws(StoreError) in
      let found = try Self.leads(of: missing, store)
      let urls = known + found.values.compactMap { $0?.url }
      return (found, try store.pictures.known(at: urls))
    } then: { [weak self] (found, pictures) in
      guard let self else { return }
      if items.count > Self.mostKept { (items, self.pictures, current) = ([:], [:], []) }
      loading = nil
      current.formUnion(missing)
      items.merge(found) { $1 }
      self.pictures.merge(pictures) { $1 }
      ask()
      context.invalidate()
    } failed: { [weak self] in
      self?.current.formUnion(missing)
      self?.loading = nil
    }
  }

  /// Returns the picture that represents each article: the one that the feed names, otherwise the
  /// first one in the text that is not declared small.
  private nonisolated static func leads(
    of ids: [ArticleID], _ store: ReaderCache
  ) throws(StoreError) -> [ArticleID: RequestedPictures.Item?] {
    var found: [ArticleID: RequestedPictures.Item?] = [:]
    for id in ids where !Task.isCancelled {
      let article = try store.articles.article(id)
      var url = article?.imageURL
      if url == nil, let article {
        let html = article.shownHTML(with: try store.fullTexts.fullText(id))
        url = PictureReference.all(in: html, limit: candidates).first { !$0.isSmall }?.address
      }
      found.updateValue(
        url.flatMap { url in article.map { .init(url: url, feed: $0.row.feed, article: id) } },
        forKey: id)
    }
    return found
  }

  /// The most pictures of a text that are examined.
  private nonisolated static let candidates = 8

  /// Visible pictures that are neither in the cache nor refused.
  private var open: [RequestedPictures.Item] {
    visible.compactMap { items[$0] ?? nil }.filter { item in
      switch pictures[item.url]?.state {
      case .stored, .refused: false
      default: true
      }
    }
  }

  private func ask() {
    let wanted = open
    guard isAtRest, !wanted.isEmpty, wanted != asked else { return }
    asked = wanted
    context.write(isSeen: false) { store throws(StoreError) in
      try await store.pictures.prefetchPictures(wanted)
    }
  }

  /// Draws a row of an article's picture if the picture is in the cache.
  func draw(_ id: ArticleID, row: Int, x: Int, y: Int, on canvas: Canvas) {
    guard let item = items[id] ?? nil, case .stored(let stored)? = pictures[item.url]?.state else {
      return
    }
    let content = drawn.content(of: stored, columns: Self.columns, rows: Self.rows)
    DrawnPictures.draw(content, row: row, columns: Self.columns, x: x, y: y, on: canvas)
  }
}

extension PictureReference {
  /// Pixels of a side; pictures declared smaller are icons or portraits of the author.
  private nonisolated static let leastSide = 64

  fileprivate nonisolated var isSmall: Bool {
    size.map { min($0.width, $0.height) < Self.leastSide } ?? false
  }
}
