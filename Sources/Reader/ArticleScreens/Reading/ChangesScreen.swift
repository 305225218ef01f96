import ArticleText
import TerminalViews

/// The changes of an article's text, the newest first, with deleted and inserted words.
package final class ChangesScreen: Sheet {
  private let context: ReaderContext
  private let article: ArticleRow
  private var changes: [ArticleChange]?
  private var scroll = TextScroll()
  private var reading: TimerToken?
  private var laidOut: (width: Int, lines: [ArticleChange.Line]) = (0, [])

  package init(_ article: Article, context: ReaderContext) {
    self.context = context
    self.article = article.row
    let (id, title, html) = (article.id, article.row.title, article.bodyHTML)
    // Long texts take time to compare.
    reading = context.load { store in
      ArticleChange.all(try store.articles.revisions(of: id), title: title, html: html)
    } then: { [weak self] changes in
      self?.changes = changes
      self?.laidOut = (0, [])
      context.invalidate()
    }
  }

  var commandContext: CommandContext { .help }
  var title: String { "Changes: \(article.title)" }
  var caption: String? { changes.map { AmountWording.changes($0.count) } }
  var hints: [Hint] { [Hint(.pageDown, "page down"), Hint(.back, "back")] }
  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.scroll.move($0) }
  }

  func scroll(by rows: Int, x: Int, y: Int) { scroll.scroll(by: rows) }

  package var spoken: [String]? {
    guard let changes else { return [] }
    if changes.isEmpty { return nil }
    return scroll.visible(laidOut.lines).map { $0.map(\.text).joined() }
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let column = Canvas.column(in: canvas)
    guard let changes else { return }
    guard !changes.isEmpty else {
      column.write("The text of this article has not changed.", x: 2, y: 0, .secondary)
      return
    }
    let width = max(10, column.width - 4)
    if laidOut.width != width {
      let dates = context.dates
      laidOut = (width, changes.flatMap { $0.lines(width: width, dates: dates) })
    }
    scroll.update(count: laidOut.lines.count, height: column.height)
    for (y, line) in scroll.visible(laidOut.lines).enumerated() {
      var x = 2
      for run in line {
        column.write(run.text, x: x, y: y, columns: width + 2 - x, run.role)
        x += GraphemeWidth.width(of: run.text)
      }
    }
  }
}
