import ArticleText
import FeedModel
import FeedStore
import TerminalKit
import Wording

/// The pictures of the open article: what the cache has of them, what is asked for, and the pixels
/// of those that are in view.
final class ArticlePictures {
  /// What stands in the place of a picture.
  enum Look {
    /// The number that the terminal knows it by.
    case number(UInt32)
    case cells([[Cell]])
    case notice(String)
  }

  /// The pixels of a picture at one size.
  private struct Drawn {
    var picture: TerminalPicture?
    /// For a terminal that has no graphics, or has not received the picture yet.
    var cells: [[Cell]] = []
    /// Why there are none.
    var failure: String?
    var usedAt = 0
  }

  private struct Key: Hashable {
    var stored: StoredPicture
    var columns: Int
    var rows: Int
    var size: Size
  }

  private let context: ReaderContext
  private(set) var references: [PictureReference] = []
  private var feed: FeedID?
  /// As they were when the article was opened: the text does not move when one arrives.
  private var sizes: [String: PictureSize] = [:]
  private var hidden: Set<String> = []
  private var refused: Set<String> = []
  private var known: [String: Picture] = [:]
  private var drawn: [Key: Drawn] = [:]
  private var uses = 0
  private var decoding: TimerToken?
  private var wish = PictureWish()
  private var aheadItems: [PictureWish.Item] = []
  private var looking: TimerToken?
  private(set) var areShown = true

  /// The articles that are read next, whose pictures are fetched ahead of need.
  var next: [ArticleID] = [] { didSet { if next != oldValue { lookAhead() } } }

  init(context: ReaderContext) { self.context = context }

  // MARK: The article

  /// Pictures of one article that are shown; the others are descriptions.
  private static let mostPictures = 200

  /// - Parameter html: the text that is shown.
  func open(_ html: String, feed: FeedID) {
    let found = mode == .off ? [] : PictureReference.all(in: html, limit: Self.mostPictures)
    guard found != references || feed != self.feed else { return }
    (references, self.feed) = (found, feed)
    (sizes, hidden, refused) = ([:], [], [])
    decoding = nil
    read()
    for (url, picture) in known {
      sizes[url] = picture.size
      if case .refused(let reason) = picture.state {
        if reason == .tracker { hidden.insert(url) } else { refused.insert(url) }
      }
    }
  }

  func close() {
    (references, feed, known, sizes) = ([], nil, [:], [:])
    (hidden, refused) = ([], [])
    (decoding, looking, next, aheadItems) = (nil, nil, [], [])
  }

  /// The cache may have received some.
  func modelUpdated() {
    guard !references.isEmpty else { return }
    let open = references.map(\.address).filter { address in
      switch known[address]?.state {
      case .stored, .refused: false
      default: true
      }
    }
    guard mode != .off, !open.isEmpty, let found = try? context.store.pictures(at: open) else {
      return
    }
    let before = known
    known.merge(found) { $1 }
    if known != before { context.invalidate() }
  }

  private func read() {
    guard mode != .off, !references.isEmpty else { return known = [:] }
    known = (try? context.store.pictures(at: references.map(\.address))) ?? known
  }

  // MARK: How they are shown

  enum Mode { case off, blocks, pixels }

  var mode: Mode {
    let display = context.configuration.pictures
    if display == .off || context.terminal.colorDepth == .mono { return .off }
    return context.terminal.graphics != nil && display != .blocks ? .pixels : .blocks
  }

  /// Why they cannot be shown; nil: they can.
  var whyNot: String? {
    if context.configuration.pictures == .off { return PictureWording.off }
    if mode == .off { return PictureWording.noColors }
    return references.isEmpty ? PictureWording.none : nil
  }

  func turn() {
    areShown.toggle()
    context.invalidate()
  }

  /// Of one cell in pixels, where the terminal does not say.
  private static let usualCell = Size(width: 10, height: 20)
  /// Rows of a picture in the text, at most.
  private static let mostRows = 24

  private var cell: PictureSize {
    let cell = context.terminal.cellPixels ?? Self.usualCell
    return PictureSize(width: cell.width, height: cell.height)
  }

  /// How the text is laid out around them; nil: without them.
  /// - Parameter height: rows of the screen.
  func setting(height: Int) -> PictureSetting? {
    guard mode != .off, areShown, !references.isEmpty else { return nil }
    let rows = min(Self.mostRows, max(4, height - 2))
    return PictureSetting(
      cell: cell, mostRows: rows, sizes: sizes, hidden: hidden, refused: refused)
  }

  /// The cells of a picture that fills a window; nil: its size is not known.
  func largest(_ address: String, in columns: Int, _ rows: Int) -> (columns: Int, rows: Int)? {
    guard
      let size = known[address]?.size ?? references.first(where: { $0.address == address })?.size,
      columns > 0, rows > 0
    else { return nil }
    // Small ones are enlarged up to four times.
    let large = PictureSize(width: size.width * 4, height: size.height * 4)
    let most = min(rows, PicturePlaceholder.most)
    return PictureSetting(cell: cell, mostRows: most).cells(of: large, columns: columns)
  }

  // MARK: What is needed

  /// The pictures in view, from top to bottom: what of them is not in the cache is asked for, what
  /// is there is decoded.
  func need(_ rows: [PictureRow]) {
    guard mode != .off, areShown, let feed else { return }
    var seen: Set<String> = []
    let visible = rows.map(\.address).filter { seen.insert($0).inserted }
    // Those of this article come before those of the next ones.
    let others = references.map(\.address).filter { !seen.contains($0) }
    let new = PictureWish(
      visible: visible.map { .init(url: $0, feed: feed) },
      ahead: others.map { .init(url: $0, feed: feed) } + aheadItems)
    if new != wish, !(new.visible.isEmpty && new.ahead.isEmpty && wish.visible.isEmpty) {
      wish = new
      context.write(isSeen: false) { store throws(StoreError) in
        try await store.requestPictures(new)
      }
    }
  }

  private func lookAhead() {
    aheadItems = []
    guard !next.isEmpty, mode != .off else { return looking = nil }
    let ids = next
    looking = context.look { store throws(StoreError) -> [PictureWish.Item]? in
      var items: [PictureWish.Item] = []
      for id in ids where !Task.isCancelled {
        guard let article = try store.article(id) else { continue }
        let html = article.shownHTML(with: try store.fullText(id))
        items += PictureReference.all(in: html, limit: 50).map {
          PictureWish.Item(url: $0.address, feed: article.row.feed)
        }
      }
      return items
    } then: { [weak self] items in
      self?.aheadItems = items
      self?.context.invalidate()
    }
  }

  // MARK: What is drawn

  /// Draws the row of a picture that a line shows.
  func draw(
    _ row: PictureRow, _ line: ArticleDocument.Line, _ column: Int, _ y: Int, on canvas: Canvas
  ) {
    guard let index = row.row else { return }
    let x = column + line.marginColumns
    switch look(at: row.address, columns: row.columns, rows: row.rows) {
    case .number(let number):
      canvas.place(picture: number, row: index, columns: row.columns, x: x, y: y)
    case .cells(let cells):
      if cells.indices.contains(index) { canvas.draw(cells[index], x: x, y: y) }
    case .notice(let text):
      guard index == (row.rows - 1) / 2 else { return }
      canvas.write(
        PictureWording.notice(text), x: x, y: y, columns: canvas.width - x - 1, .secondary)
    }
  }

  /// What stands in the place of a picture of so many cells; begins to decode it where it is
  /// needed.
  func look(at address: String, columns: Int, rows: Int) -> Look {
    switch known[address]?.state {
    case .stored(let stored): return look(at: stored, columns: columns, rows: rows)
    case .refused(let refusal): return .notice(PictureWording.reason(refusal))
    case .failed(let failure):
      let wording = FailureWording(dates: context.dates)
      return .notice(PictureWording.reason(failure, of: address, wording))
    case .waiting, .absent, nil:
      return .notice(context.isOffline ? PictureWording.offline : PictureWording.waiting)
    }
  }

  private func look(at stored: StoredPicture, columns: Int, rows: Int) -> Look {
    let key = Key(stored: stored, columns: columns, rows: rows, size: pixels(columns, rows))
    uses += 1
    guard var found = drawn[key] else {
      decode(key)
      return .notice(PictureWording.waiting)
    }
    found.usedAt = uses
    defer { drawn[key] = found }
    if let failure = found.failure { return .notice(failure) }
    guard let picture = found.picture else { return .notice(PictureWording.waiting) }
    if mode == .pixels, let number = context.terminal.number(of: picture) { return .number(number) }
    return .cells(found.cells)
  }

  @concurrent nonisolated private static func cells(
    _ image: PixelImage, _ columns: Int, _ rows: Int
  ) async -> [[Cell]] {
    BlockArt.cells(image, columns: columns, rows: rows)
  }

  /// The pixels that so many cells show.
  private func pixels(_ columns: Int, _ rows: Int) -> Size {
    let each =
      mode == .pixels
      ? Size(width: cell.width, height: cell.height)
      : Size(width: BlockArt.pixelsPerCell, height: BlockArt.pixelsPerCell)
    return Size(width: columns * each.width, height: rows * each.height)
  }

  /// Bytes of pixels that are kept.
  private static let mostKept = 64 << 20

  /// One after another: the child of the next one starts when this one has ended.
  private func decode(_ key: Key) {
    guard decoding == nil else { return }
    let (store, actions) = (context.store, context.actions)
    decoding = context.beside { [weak self] in
      let result: Drawn?
      do {
        if let bytes = try await store.pictureBytes(key.stored) {
          let image = try await actions.decode(bytes, within: key.size)
          result = Drawn(
            picture: TerminalPicture(
              key: key.stored.hash, image: image, columns: key.columns, rows: key.rows),
            cells: await Self.cells(image, key.columns, key.rows))
        } else {
          // It is fetched again.
          result = nil
        }
      } catch let failure as ActionFailure {
        result = Drawn(failure: failure.sentence)
      } catch {
        result = Drawn(failure: PictureWording.reason(.damaged))
      }
      guard let self, !Task.isCancelled else { return }
      self.decoding = nil
      if let result { self.keep(result, for: key) } else { self.read() }
      self.context.invalidate()
    }
  }

  private func keep(_ new: Drawn, for key: Key) {
    uses += 1
    var new = new
    new.usedAt = uses
    drawn[key] = new
    var total = drawn.values.reduce(0) { $0 + ($1.picture?.image.bytes.count ?? 0) }
    while total > Self.mostKept, drawn.count > 1,
      let oldest = drawn.min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      total -= oldest.value.picture?.image.bytes.count ?? 0
      drawn[oldest.key] = nil
    }
  }
}
