import ArticleText
import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

extension ReaderScreen {
  func move(_ movement: ListMovement) {
    switch movement {
    case .top:
      scroll(by: -top)
      isPaged = true
    case .bottom, .row:
      scroll(by: lastTop - top)
      // The end is shown when it has been read.
      if isReading { goal = .end }
    case .rows(let count): scroll(by: count)
    case .halfPages(let count):
      scroll(by: count * max(1, frame.height / 2))
      isPaged = true
    case .pages(let count): turnPages(count)
    }
  }

  /// Scrolls by a page; `false` if the end is in view.
  package func readOn() -> Bool {
    guard article != nil, top < lastTop || isReading else { return false }
    target = nil
    move(.pages(1))
    return true
  }

  /// Lines of the last page that stay, so that the eye finds its place again.
  private static let overlap = 2

  private func turnPages(_ count: Int) {
    for _ in 0..<min(abs(count), 10_000) {
      closeGaps(isDown: count > 0)
      let before = top
      let end = top + shownHeight
      let step = max(1, frame.height - Self.overlap)
      // A heading that the page did not show is on the next.
      scroll(by: count < 0 ? -step : min(step, max(1, shownHeight)))
      // A page begins with text.
      while count > 0, top < lastTop, document?.lines[top].isBlank == true { top += 1 }
      isPaged = true
      if top == before { return }
      // The last page repeats more than the others.
      firstNewLine = count > 0 && end > top + Self.overlap ? end : nil
    }
  }

  /// The shown lines of the window: without a heading at the bottom whose text is on the next page.
  var shownHeight: Int {
    guard isPaged, let document, top + frame.height < document.lines.count else {
      return frame.height
    }
    let lines = document.lines
    var first = top + frame.height
    while first > top, lines[first - 1].isHeading || lines[first - 1].isBlank { first -= 1 }
    // Lines above the heading are blank already; all are shown if no heading is among them.
    guard let heading = lines[first..<top + frame.height].firstIndex(where: \.isHeading),
      heading - top >= frame.height / 2
    else { return frame.height }
    return heading - top
  }

  var lastTop: Int { max(0, (document?.lines.count ?? 0) - frame.height) }

  /// The rest of the article has not been read yet.
  var isReading: Bool { document?.isComplete != true }

  func scroll(by lines: Int) {
    guard document != nil else { return }
    goal = nil
    closeGaps(isDown: lines > 0)
    top = min(max(0, top + lines), lastTop)
    (target, isPaged) = (nil, false)
    context.invalidate()
  }

  /// Reduces pictures that failed between lines in view to one line each, as the key moves the text
  /// anyway. The text at the edge towards which it scrolls keeps its place.
  private func closeGaps(isDown: Bool) {
    guard let document else { return }
    pictures.settle(exceptIn: picturesInView(of: document).filter { !pictures.isMissing($0) })
    guard page.style != setting else { return }
    holdsEnd = isDown
    showPage()
  }

  private static let step = 8

  /// From the left edge of the text to that of the window.
  var columnsInView: Int { max(1, frame.width - column - 1) }

  /// Columns by which what is in view can be scrolled.
  private var mostSideways: Int {
    guard let document else { return 0 }
    let shown = document.lines.dropFirst(top).prefix(frame.height)
    let excess = shown.filter(\.isWide).map { $0.width - columnsInView }
    return max(0, excess.max() ?? 0)
  }

  var whyNotSideways: String? {
    mostSideways > 0 || sideways > 0 ? nil : ReadingWording.fitsPage
  }

  func scroll(sideways steps: Int) {
    sideways = min(max(0, sideways + steps * Self.step), mostSideways)
    context.invalidate()
  }

  func turnCode() {
    let wraps = !setting.wrapsCode
    wrapsCode = wraps
    sideways = 0
    showPage()
    let keys = [context.keymap.label(.scrollLeft), context.keymap.label(.scrollRight)]
    context.note(ReadingWording.code(wraps: wraps, keys: keys.compactMap { $0 }))
  }

  var textWidth: Int {
    max(1, min(context.configuration.textWidth, frame.width - 2 * margin))
  }

  /// Columns between the divider and the text.
  private var margin: Int { frame.width >= 60 ? 3 : frame.width >= 48 ? 2 : 1 }

  func layOut() {
    guard article != nil else { return }
    if page.width != textWidth || page.style != setting { showPage() }
    column = max(0, (frame.width - (document?.width ?? textWidth)) / 2)
    top = min(top, lastTop)
  }

  /// The place to show once there is another document; `nil` for its top.
  var wantedPosition: ReadingPosition? {
    if document == nil, case .position(let position) = goal { return position }
    return top > 0 ? document?.position(line: top) : nil
  }

  func isReady(_ new: ArticleDocument) -> Bool {
    if new.isComplete { return true }
    guard let position = wantedPosition else {
      return document == nil || new.lines.count >= frame.height
    }
    guard let line = new.line(position) else { return false }
    return new.lines.count >= line + frame.height
  }

  /// Shows another document at the same place.
  func replaced(_ old: ArticleDocument?) {
    guard let document else { return }
    var position: ReadingPosition?
    var row = 0
    if old == nil, case .position(let wanted) = goal {
      position = wanted
      goal = nil
    } else if let old, top > 0 || holdsEnd {
      let text = textInView(of: old) ?? top...top
      // A picture at the top edge may change; the text below it stays.
      let isPicture = old.lines[top..<text.lowerBound].contains { $0.picture != nil }
      let line = holdsEnd ? text.upperBound : isPicture ? text.lowerBound : top
      (position, row) = (old.position(line: line), line - top)
    }
    holdsEnd = false
    top = max(0, (position.flatMap { document.line($0) } ?? 0) - row)
    if let old { shownHit = document.line(old.position(line: shownHit)) ?? 0 }
    target = nil
    findAgain()
  }

  func advanced() {
    guard let document else { return }
    switch goal {
    case .end where document.isComplete:
      goal = nil
      top = lastTop
    case .place(let index):
      if let line = document.line(ofPlace: index) { goTo(place: line) }
    case .end, .position, nil: break
    }
    if document.isComplete { findAgain() }
    context.invalidate()
  }

  /// By address: the state of a file.
  var fileNotes: [String: String] {
    let wording = DownloadActions.wording(context)
    return Dictionary((shown?.downloads ?? []).map { ($0.url, wording.note($0)) }) { first, _ in
      first
    }
  }
}
