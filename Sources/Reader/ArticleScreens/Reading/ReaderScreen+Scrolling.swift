import ArticleText
import TerminalViews

extension ReaderScreen {
  func move(_ movement: ListMovement) {
    switch movement {
    case .top:
      scroll(by: -view.top)
      view.isPaged = true
    case .bottom, .row:
      scroll(by: lastTop - view.top)
      // Shows the end once the article is laid out.
      if isReading { goal = .end }
    case .rows(let count): scroll(by: count)
    case .halfPages(let count):
      scroll(by: count * max(1, view.size.height / 2))
      view.isPaged = true
    case .pages(let count): turnPages(count)
    }
  }

  /// Scrolls by a page; `false` if the end is in view.
  package func readOn() -> Bool {
    guard article != nil, view.top < lastTop || isReading else { return false }
    view.target = nil
    move(.pages(1))
    return true
  }

  /// Lines of the previous page that stay in view, so that the eye finds its place again.
  private static let overlap = 2

  private func turnPages(_ count: Int) {
    for _ in 0..<min(abs(count), 10_000) {
      closeGaps(isDown: count > 0)
      let before = view.top
      let end = view.top + shownHeight
      let rest = lastTop - view.top
      var step = max(1, view.size.height - Self.overlap)
      // One or two lines at the end need no page of their own.
      if count > 0, rest >= step, rest <= view.size.height { step = rest }
      // A heading that was hidden at the end of a page is shown on the next page.
      scroll(by: count < 0 ? -step : min(step, max(1, shownHeight)))
      // A page begins with text.
      while count > 0, view.top < lastTop, document?.lines[view.top].isBlank == true {
        view.top += 1
      }
      view.isPaged = true
      if view.top == before { return }
      // The last page repeats more than the others.
      view.firstNewLine = count > 0 && end > view.top + Self.overlap ? end : nil
    }
  }

  var shownHeight: Int { view.shownHeight(of: document) }
  var lastTop: Int { view.lastTop(of: document) }

  /// True if the rest of the article has not been laid out yet.
  var isReading: Bool { document?.isComplete != true }

  func scroll(by lines: Int) {
    guard document != nil else { return }
    goal = nil
    closeGaps(isDown: lines > 0)
    view.top = min(max(0, view.top + lines), lastTop)
    (view.target, view.isPaged) = (nil, false)
    context.invalidate()
  }

  /// Reduces failed pictures in view to one line each, since the key moves the text anyway. Text at
  /// the edge in the direction of scrolling keeps its place.
  private func closeGaps(isDown: Bool) {
    guard let document else { return }
    pictures.applySizes(exceptIn: view.pictures(of: document).filter { !pictures.isMissing($0) })
    guard page.style != setting else { return }
    view.holdsEnd = isDown
    showPage()
  }

  private static let step = 8
  private var mostSideways: Int { view.mostSideways(of: document) }

  var canScrollRight: Bool { mostSideways > view.sideways }

  func scroll(sideways steps: Int) {
    view.sideways = min(max(0, view.sideways + steps * Self.step), mostSideways)
    context.invalidate()
  }

  var textWidth: Int {
    max(1, min(context.configuration.textWidth, view.size.width - 2 * margin))
  }

  /// Columns between the divider and the text.
  private var margin: Int { view.size.width >= 60 ? 3 : view.size.width >= 48 ? 2 : 1 }

  func layOut() {
    guard article != nil else { return }
    if page.width != textWidth || page.style != setting { showPage() }
    view.column = max(0, (view.size.width - (document?.width ?? textWidth)) / 2)
    view.top = min(view.top, lastTop)
    // The blank line above the title is left out if the article then fits.
    if view.top == 0, lastTop == 1, !isReading { view.top = 1 }
  }

  /// The place to show once there is another document; `nil` for its top.
  var wantedPosition: ReadingPosition? {
    if document == nil, case .position(let position) = goal { return position }
    return view.top > 0 ? document?.position(line: view.top) : nil
  }

  func isReady(_ new: ArticleDocument) -> Bool {
    if new.isComplete { return true }
    guard let position = wantedPosition else {
      return document == nil || new.lines.count >= view.size.height
    }
    guard let line = new.line(position) else { return false }
    return new.lines.count >= line + view.size.height
  }

  /// Shows another document at the same place.
  func replaced(_ old: ArticleDocument?) {
    guard let document else { return }
    var position: ReadingPosition?
    var row = 0
    if old == nil, case .position(let wanted) = goal {
      position = wanted
      goal = nil
    } else if let old, view.top > 0 || view.holdsEnd {
      let text = view.text(of: old) ?? view.top...view.top
      // A picture at the top edge may change; the text below it stays.
      let isPicture = old.lines[view.top..<text.lowerBound].contains { $0.picture != nil }
      let line = view.holdsEnd ? text.upperBound : isPicture ? text.lowerBound : view.top
      (position, row) = (old.position(line: line), line - view.top)
    }
    view.holdsEnd = false
    view.top = max(0, (position.flatMap { document.line($0) } ?? 0) - row)
    if let old { finder.shownHit = document.line(old.position(line: finder.shownHit)) ?? 0 }
    view.target = nil
    findAgain()
  }

  func advanced() {
    guard let document else { return }
    switch goal {
    case .end where document.isComplete:
      goal = nil
      view.top = lastTop
    case .place(let index):
      if let line = document.line(ofPlace: index) { goTo(place: line) }
    case .end, .position, .hit, nil: break
    }
    if document.isComplete { findAgain() }
    context.invalidate()
  }
}
