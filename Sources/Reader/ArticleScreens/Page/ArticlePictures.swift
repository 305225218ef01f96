import ArticleText
import TerminalViews

/// The pictures of the open article: cached and requested ones, and the pixels of visible ones.
package final class ArticlePictures {
  private let context: ReaderContext
  private(set) var references: [PictureReference] = []
  private var feed: FeedID?
  private var article: ArticleID?
  /// Sizes used by the layout; a new size is used as soon as it moves no visible text.
  private var sizes: [String: PictureSize] = [:]
  private var hidden: Set<String> = []
  private var refused: Set<String> = []
  private var known: [String: Picture] = [:]
  private let drawn: DrawnPictures
  private var requested = RequestedPictures()
  private var aheadItems: [RequestedPictures.Item] = []
  private var looking: TimerToken?
  private(set) var areShown = true

  /// The next articles, whose pictures are prefetched.
  package var next: [ArticleID] = [] { didSet { if next != oldValue { findPicturesAhead() } } }

  init(context: ReaderContext) {
    self.context = context
    drawn = DrawnPictures(context: context)
    drawn.onMissing = { [weak self] in self?.read() }
  }

  /// The most pictures; further ones are shown as descriptions.
  private static let mostPictures = 200

  /// - Parameter html: The text that is shown.
  func open(_ html: String, of article: ArticleRow) {
    let found = mode == .off ? [] : PictureReference.all(in: html, limit: Self.mostPictures)
    guard found != references || article.id != self.article else { return }
    (references, feed, self.article) = (found, article.feed, article.id)
    (sizes, hidden, refused) = ([:], [], [])
    drawn.interrupt()
    read()
    applySizes(exceptIn: [])
  }

  /// Applies the known sizes of pictures to the layout, except those in `view`.
  func applySizes(exceptIn view: Set<String>) {
    for (url, picture) in known where !view.contains(url) {
      if let size = picture.size, sizes[url] != size { sizes[url] = size }
      switch picture.state {
      case .refused(.tracker): hidden.insert(url)
      case .refused, .failed: refused.insert(url)
      case .waiting, .absent:
        if context.isOffline { refused.insert(url) } else { refused.remove(url) }
      case .stored: refused.remove(url)
      }
    }
  }

  /// Returns true if the picture failed or was refused.
  func isMissing(_ address: String) -> Bool {
    switch known[address]?.state {
    case .failed, .refused: true
    case .waiting, .absent, .stored, nil: false
    }
  }

  /// The number of pictures that have no rows because they failed, were refused, or wait for the
  /// network.
  var missing: Int { refused.count }

  /// Requests the missing pictures again.
  func retry() {
    guard let feed else { return }
    let items = refused.map { RequestedPictures.Item(url: $0, feed: feed, article: article) }
    for url in refused { known[url] = nil }
    context.write(isSeen: false) { store in
      try await store.pictures.requestPictures(
        RequestedPictures(visible: items, isRepeated: true))
    }
  }

  func close() {
    (references, feed, known, sizes) = ([], nil, [:], [:])
    (hidden, refused) = ([], [])
    (looking, next, aheadItems) = (nil, [], [])
    drawn.interrupt()
  }

  func modelUpdated() {
    guard !references.isEmpty else { return }
    let open = references.map(\.address).filter { address in
      switch known[address]?.state {
      case .stored, .refused: false
      default: true
      }
    }
    guard mode != .off, !open.isEmpty,
      let found = context.read(try context.store.pictures.known(at: open))
    else {
      return
    }
    let before = known
    known.merge(found) { $1 }
    if known != before { context.invalidate() }
  }

  private func read() {
    guard mode != .off, !references.isEmpty else { return known = [:] }
    known = context.read(try context.store.pictures.known(at: references.map(\.address))) ?? known
  }

  private var mode: PictureMode { context.pictureMode }

  /// The reason why pictures cannot be shown; `nil` if they can.
  var whyNot: String? {
    if let reason = context.whyNoPictures { return reason }
    return references.isEmpty ? PictureWording.none : nil
  }

  func turn() {
    areShown.toggle()
    context.invalidate()
  }

  private static let mostRows = 24

  /// Returns the settings of pictures for the layout; `nil` if there are none.
  /// - Parameter height: Rows of the screen.
  func setting(height: Int) -> PictureSetting? {
    guard mode != .off, areShown, !references.isEmpty else { return nil }
    let rows = min(Self.mostRows, max(4, height - 2))
    return PictureSetting(
      cell: context.pictureCell, maximumRows: rows, sizes: sizes, hidden: hidden, refused: refused)
  }

  /// Returns the cells of a picture that fills a window; `nil` if its size is unknown.
  func largest(_ address: String, in columns: Int, _ rows: Int) -> (columns: Int, rows: Int)? {
    guard
      let size = known[address]?.size ?? references.first(where: { $0.address == address })?.size,
      columns > 0, rows > 0
    else { return nil }
    // Small pictures are enlarged up to four times.
    let large = PictureSize(width: size.width * 4, height: size.height * 4)
    let most = min(rows, PicturePlaceholder.maximumCells)
    let setting = PictureSetting(cell: context.pictureCell, maximumRows: most)
    return setting.cells(of: large, columns: columns)
  }

  /// Requests the visible pictures from top to bottom, then the other pictures of this article and
  /// of the next articles.
  func need(_ rows: [PictureRow]) {
    guard mode != .off, areShown, let feed else { return }
    var seen: Set<String> = []
    let visible = rows.map(\.address).filter { seen.insert($0).inserted }
    // Pictures of this article precede pictures of the next articles.
    let others = references.map(\.address).filter { !seen.contains($0) && isOpen($0) }
    var room = room
    let wanted = visible.filter { address in
      guard isOpen(address) else { return true }
      room -= 1
      return room >= 0
    }
    let new = RequestedPictures(
      visible: wanted.map { .init(url: $0, feed: feed, article: article) },
      ahead: others.prefix(max(0, room)).map { .init(url: $0, feed: feed, article: article) }
        + aheadItems)
    if new != requested, !(new.visible.isEmpty && new.ahead.isEmpty && requested.visible.isEmpty) {
      requested = new
      context.write(isSeen: false) { store in try await store.pictures.requestPictures(new) }
    }
  }

  /// The number of pictures that may still be requested, if each one has the largest size.
  private var room: Int {
    let stored = references.reduce(0) { sum, reference in
      if case .stored(let picture)? = known[reference.address]?.state {
        sum + picture.length
      } else {
        sum
      }
    }
    return max(0, context.configuration.picturesOfArticle - stored) / PictureLimits.bytes
  }

  /// Returns true if the picture's file may still arrive.
  private func isOpen(_ address: String) -> Bool {
    switch known[address]?.state {
    case .stored, .refused, .failed: false
    case .waiting, .absent, nil: true
    }
  }

  /// The maximum number of pictures that are requested ahead: of one article, and of all articles.
  private nonisolated static let mostAhead = (each: 8, all: 32)

  private func findPicturesAhead() {
    aheadItems = []
    guard !next.isEmpty, mode != .off else { return looking = nil }
    let ids = next
    looking = context.load { store -> [RequestedPictures.Item]? in
      var items: [RequestedPictures.Item] = []
      for id in ids where !Task.isCancelled {
        guard let article = try store.articles.article(id) else { continue }
        let html = article.shownHTML(with: try store.fullTexts.fullText(id))
        items += PictureReference.all(in: html, limit: Self.mostAhead.each).map {
          RequestedPictures.Item(url: $0.address, feed: article.row.feed, article: id)
        }
      }
      return Array(items.prefix(Self.mostAhead.all))
    } then: { [weak self] items in
      self?.aheadItems = items
      self?.context.invalidate()
    }
  }

  func draw(
    _ row: PictureRow, _ line: ArticleDocument.Line, _ column: Int, _ y: Int, on canvas: Canvas
  ) {
    let x = column + line.marginColumns
    guard let index = row.row else {
      // Missing pictures are counted below the text.
      guard isOpen(row.address) else { return }
      let text = "\u{2013} \(notice(at: row.address))"
      let start = column + line.width + 1
      return _ = canvas.write(text, x: start, y: y, columns: canvas.width - start - 1, .secondary)
    }
    let content = content(at: row.address, columns: row.columns, rows: row.rows)
    guard
      let text = DrawnPictures.draw(
        content, row: index, columns: row.columns, x: x, y: y, on: canvas),
      index == (row.rows - 1) / 2
    else { return }
    canvas.write(text, x: x, y: y, columns: canvas.width - x - 1, .secondary)
  }

  /// Returns the content of a picture's cells; starts to decode the picture if necessary.
  func content(at address: String, columns: Int, rows: Int) -> DrawnPictures.Content {
    if case .stored(let stored) = known[address]?.state {
      return drawn.content(of: stored, columns: columns, rows: rows)
    }
    return .notice(notice(at: address))
  }

  /// Returns the notice that replaces a picture outside the cache.
  private func notice(at address: String) -> String {
    switch known[address]?.state {
    case .refused(let refusal): PictureWording.reason(refusal)
    case .failed(let failure):
      PictureWording.reason(failure, of: address, FailureWording(dates: context.dates))
    case .waiting, .absent, .stored, nil:
      if room == 0 {
        PictureWording.beyondArticle
      } else {
        context.isOffline ? PictureWording.offline : PictureWording.waiting
      }
    }
  }
}
