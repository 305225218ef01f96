import ArticleText
import TerminalViews

/// The displayed content of the open article. A short text is read and laid out at once; the rest
/// of a longer one follows in pieces in the background, so that no key waits for it.
final class ArticlePage {
  nonisolated struct Source: Equatable, Sendable {
    var head: ArticleHead
    var enclosures: [Enclosure] = []
    /// Notes below files, by address.
    var fileNotes: [String: String] = [:]
    var remedies = ArticleEnd.Remedies()
    /// The text about missing pictures; `nil` if none is missing.
    var missing: String?
  }

  private let context: ReaderContext
  /// The displayed document; `nil` until the place to show is laid out.
  private(set) var document: ArticleDocument?
  /// The same text at another width, or another text, until it can replace `document`.
  private var incoming: ArticleDocument?
  private var source: Source?
  private var isUntitled = false
  /// The text still to read; `nil` while a piece is being read, and at the end.
  private var layout: ArticleLayout?
  private var reading: TimerToken?
  /// Identifies the layout, to detect pieces of an earlier one.
  private var generation = 0

  /// Returns true if a document contains the place to show, and can replace the previous one.
  var isReady: (ArticleDocument) -> Bool = { _ in true }
  /// Called when another document is shown than before.
  var onReplaced: (_ old: ArticleDocument?) -> Void = { _ in }
  /// Called when the document has grown.
  var onAdvanced: () -> Void = {}

  /// The approximate bytes laid out at once, in a few milliseconds; most articles are shorter.
  nonisolated static let firstPiece = 49_152
  /// The approximate bytes of each further piece.
  nonisolated static let nextPiece = 131_072

  init(context: ReaderContext) { self.context = context }

  /// The requested width; `nil` if nothing is shown.
  var width: Int? { (incoming ?? document)?.width }
  var style: TextSetting? { (incoming ?? document)?.style }

  /// Begins to read a text. The previous text is shown until enough of the new one is laid out.
  func show(_ body: ArticleBody, _ source: Source, width: Int, style: TextSetting) {
    reading = nil
    generation += 1
    self.source = source
    var new = ArticleDocument(width: width, style: style)
    var layout = ArticleLayout(body, width: new.width, style: style)
    let piece = layout.advance(by: Self.firstPiece)
    isUntitled = piece.begins(with: source.head.row.title)
    new.setHead(source.head.lines(width: new.width, omitsTitle: isUntitled))
    incoming = new
    append(piece, end: piece.isLast ? Self.end(of: layout, source, width: new.width) : nil)
    if !piece.isLast {
      self.layout = layout
      readOn()
    }
  }

  func clear() {
    reading = nil
    generation += 1
    (document, incoming, source, layout) = (nil, nil, nil, nil)
  }

  /// Updates the content around the text.
  func update(_ new: Source) {
    guard let old = source, old != new else { return }
    source = new
    change { document in
      if new.head != old.head {
        document.setHead(new.head.lines(width: document.width, omitsTitle: isUntitled))
      }
      if new.fileNotes != old.fileNotes {
        document.setFiles(
          ArticleEnd.fileLines(
            new.enclosures, from: document.links.count - new.enclosures.count, new.fileNotes,
            block: document.lastBodyBlock + 1, width: document.width))
      }
    }
  }

  private func change(_ body: (inout ArticleDocument) -> Void) {
    if incoming == nil { document?.change(body) } else { incoming?.change(body) }
  }

  private func readOn() {
    guard let layout, let source, let width else { return }
    self.layout = nil
    let number = generation
    reading = context.runInBackground { [weak self] in
      guard
        let (next, piece, end) = await computed({
          Self.advance(layout, source, width: width)
        }), let self, self.generation == number
      else { return }
      self.layout = piece.isLast ? nil : next
      self.append(piece, end: end)
      self.readOn()
    }
  }

  private func append(_ piece: ArticleLayout.Piece, end: ArticleEnd?) {
    change { document in
      document.append(piece.lines, links: piece.links, places: piece.places)
      if let end { document.finish(end) }
    }
    if let new = incoming {
      guard isReady(new) else { return }
      let old = document
      document = new
      incoming = nil
      onReplaced(old)
    } else {
      onAdvanced()
    }
  }

  nonisolated private static func advance(
    _ layout: ArticleLayout, _ source: Source, width: Int
  ) -> (ArticleLayout, ArticleLayout.Piece, ArticleEnd?) {
    var layout = layout
    let piece = layout.advance(by: nextPiece)
    return (layout, piece, piece.isLast ? end(of: layout, source, width: width) : nil)
  }

  nonisolated private static func end(
    of layout: ArticleLayout, _ source: Source, width: Int
  ) -> ArticleEnd {
    layout.end(
      enclosures: source.enclosures, fileNotes: source.fileNotes, remedies: source.remedies,
      missing: source.missing, width: width)
  }
}
