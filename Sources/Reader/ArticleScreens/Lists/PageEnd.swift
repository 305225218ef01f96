import TerminalViews

/// The line below the last article of the daily page, with the number of unread articles that are
/// not on it.
final class PageEnd {
  private let context: ReaderContext
  /// `nil` until the articles were counted once.
  private(set) var text: String?
  private var hasOthers = false
  private var isCounted = false
  private var loading: TimerToken?

  init(context: ReaderContext) { self.context = context }

  /// Counts the other articles if they may have changed.
  func read() { if !isCounted { count() } }

  /// - Parameter isText: `false` for the empty line above the text.
  func draw(_ isText: Bool, on canvas: Canvas, y: Int) {
    guard isText, let text else { return }
    let columns = canvas.width - 4
    let key = hasOthers ? context.keymap.label(.markPart) : nil
    let whole = text + (key.map { "  \($0) marks them read" } ?? "")
    canvas.write(
      GraphemeWidth.width(of: whole) <= columns ? whole : text, x: ArticleRowDrawing.firstColumn,
      y: y, columns: columns, .secondary)
  }

  private func count() {
    isCounted = true
    loading = context.load { store in
      try store.plan.countBeyondDailyPage()
    } then: { [weak self] count in
      self?.hasOthers = count > 0
      self?.text = MarkWording.endOfPage(count)
      self?.context.invalidate()
    }
  }

  /// Counts the articles again after a change of the cache, if they were counted before.
  func changed() {
    isCounted = false
    if text != nil { count() }
  }
}

/// The articles that are not on the daily page.
struct BeyondPage {
  let context: ReaderContext

  var effect: EffectText.Source {
    context.effect({ store in try store.plan.beyondDailyPage().count }) {
      MarkWording.othersEffect($0)
    }
  }

  func askToMarkRead() {
    let context = context
    context.session.preparation = context.load { store in
      try store.plan.beyondDailyPage()
    } then: { ids in
      guard !ids.isEmpty else { return context.note("No other article is unread") }
      let amount = AmountWording.count(ids.count, "other article", "other articles")
      context.ask(whether: "Mark \(amount) read?") { context.markRead(ids) }
    }
  }
}
