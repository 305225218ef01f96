import ArticleText
import TerminalViews

/// The picture support of the terminal, within the configuration.
nonisolated enum PictureMode { case off, blocks, pixels }

extension ReaderContext {
  var pictureMode: PictureMode {
    let display = configuration.pictures
    if display == .off || terminal.colorDepth == .mono { return .off }
    return terminal.graphics != nil && display != .blocks ? .pixels : .blocks
  }

  /// The reason why pictures cannot be shown; `nil` if they can.
  package var whyNoPictures: String? {
    if configuration.pictures == .off { return PictureWording.off }
    return pictureMode == .off ? PictureWording.noColors : nil
  }

  /// The pixels of one cell; a common size if the terminal does not report it.
  var pictureCell: PictureSize {
    let cell = terminal.cellPixels ?? Size(width: 10, height: 20)
    return PictureSize(width: cell.width, height: cell.height)
  }
}

/// Pixels of pictures at the displayed sizes, decoded one after another, and kept while there is
/// room.
final class DrawnPictures {
  enum Content {
    /// The terminal's number for the picture.
    case number(UInt32)
    case cells([[Cell]])
    case notice(String)
  }

  /// Draws a row of a picture, or returns the notice that replaces the picture.
  @discardableResult
  static func draw(
    _ content: Content, row: Int, columns: Int, x: Int, y: Int, on canvas: Canvas
  ) -> String? {
    switch content {
    case .number(let number):
      canvas.place(picture: number, row: row, columns: columns, x: x, y: y)
    case .cells(let cells):
      if cells.indices.contains(row) { canvas.draw(cells[row], x: x, y: y) }
    case .notice(let text): return text
    }
    return nil
  }

  private struct Drawn {
    var picture: TerminalPicture?
    /// Cells for a terminal without graphics, or until the terminal has received the picture.
    var cells: [[Cell]] = []
    var failure: String?
    var usedAt = 0
  }

  private struct Drawing: Hashable {
    var stored: StoredPicture
    var columns: Int
    var rows: Int
    var size: Size
  }

  private let context: ReaderContext
  private var drawn: [Drawing: Drawn] = [:]
  private var uses = 0
  private var decoding: TimerToken?
  /// The number of decoding attempts that took too much time or memory.
  private var costlyAttempts = 0
  private var pauseEnd = Duration.zero
  /// Called if the file of a picture is missing or damaged, and must be fetched again.
  var onMissing: () -> Void = {}

  init(context: ReaderContext) { self.context = context }

  /// Cancels the current decoding, so that the next picture need not wait.
  func interrupt() { (decoding, costlyAttempts, pauseEnd) = (nil, 0, .zero) }

  private static let mostCostlyAttempts = 2
  private static let pause = Duration.seconds(60)

  private func noteCostlyAttempt() {
    costlyAttempts += 1
    guard costlyAttempts >= Self.mostCostlyAttempts else { return }
    (costlyAttempts, pauseEnd) = (0, context.timers.now + Self.pause)
  }

  /// Returns the content of a picture's cells; starts to decode the picture if necessary.
  func content(of stored: StoredPicture, columns: Int, rows: Int) -> Content {
    let key = Drawing(stored: stored, columns: columns, rows: rows, size: pixels(columns, rows))
    uses += 1
    guard var found = drawn[key] else {
      guard context.timers.now >= pauseEnd else { return .notice(PictureWording.paused) }
      decode(key)
      return .notice(PictureWording.waiting)
    }
    found.usedAt = uses
    defer { drawn[key] = found }
    if let failure = found.failure { return .notice(failure) }
    guard let picture = found.picture else { return .notice(PictureWording.waiting) }
    if context.pictureMode == .pixels, let number = context.terminal.number(of: picture) {
      return .number(number)
    }
    return .cells(found.cells)
  }

  /// Returns the size in pixels of this many cells. A cell of blocks shows two by two pixels. Each
  /// is made from two pixels, one above the other, since in most terminals a cell is twice as high
  /// as wide.
  private func pixels(_ columns: Int, _ rows: Int) -> Size {
    let cell = context.pictureCell
    if context.pictureMode == .pixels {
      return Size(width: columns * cell.width, height: rows * cell.height)
    }
    let each = BlockArt.pixelsPerCell
    return Size(width: columns * each, height: rows * each * 2)
  }

  /// Decodes a picture. The next child process starts when the previous one has ended.
  private func decode(_ key: Drawing) {
    guard decoding == nil else { return }
    let (store, actions) = (context.store, context.actions)
    decoding = context.runInBackground { [weak self] in
      let result: Drawn?
      do {
        if let bytes = try await store.pictures.pictureBytes(key.stored) {
          result = await Self.drawn(try await actions.decode(bytes, within: key.size), key)
        } else {
          result = nil
        }
      } catch let failure as ActionFailure {
        result = Drawn(failure: failure.sentence)
        if failure.isCostly, !Task.isCancelled { self?.noteCostlyAttempt() }
      } catch {
        result = Drawn(failure: PictureWording.reason(.damaged))
      }
      guard let self, !Task.isCancelled else { return }
      self.decoding = nil
      if let result { self.store(result, for: key) } else { self.onMissing() }
      self.context.invalidate()
    }
  }

  @concurrent private nonisolated static func drawn(
    _ image: PixelImage, _ key: Drawing
  ) async -> Drawn {
    Drawn(
      picture: TerminalPicture(
        key: key.stored.hash, image: image, columns: key.columns, rows: key.rows),
      cells: BlockArt.cells(image, columns: key.columns, rows: key.rows))
  }

  private static let mostKept = 64 << 20

  private func store(_ new: Drawn, for key: Drawing) {
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
