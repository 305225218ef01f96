import ArticleText
import TerminalViews

/// The visible lines and columns of a document.
struct PageWindow {
  /// The first visible line.
  var top = 0
  var size = Size(width: 80, height: 20)
  /// The column of the window where the text begins.
  var column = 0
  /// The columns by which wide content is scrolled.
  var sideways = 0
  /// True after a step of a whole page: the page then does not end with a heading.
  var isPaged = true
  /// True if the next layout keeps the last line of text in view at its place; false for the first
  /// line.
  var holdsEnd = false
  /// The line to which a link within the article led, until the next key.
  var target: Int?
  /// The first line of a page that was not on the previous page, until the next key.
  var firstNewLine: Int?

  /// Returns the largest value of `top`; 0 without a document.
  func lastTop(of document: ArticleDocument?) -> Int {
    max(0, (document?.lines.count ?? 0) - size.height)
  }

  /// Returns the number of shown lines, without a final heading whose text is on the next page.
  func shownHeight(of document: ArticleDocument?) -> Int {
    guard isPaged, let document, top + size.height < document.lines.count else {
      return size.height
    }
    let lines = document.lines
    var first = top + size.height
    while first > top, lines[first - 1].isHeading || lines[first - 1].isBlank { first -= 1 }
    // All lines from `first` on are blank or headings. If there is no heading among them, all are
    // shown.
    guard let heading = lines[first..<top + size.height].firstIndex(where: \.isHeading),
      heading - top >= size.height / 2
    else { return size.height }
    return heading - top
  }

  /// Returns the first to the last visible line of text; `nil` if there is none.
  func text(of document: ArticleDocument) -> ClosedRange<Int>? {
    let lines = document.lines.dropFirst(top).prefix(size.height)
    let isText = { (line: ArticleDocument.Line) in !line.isBlank && line.picture == nil }
    guard let first = lines.firstIndex(where: isText), let last = lines.lastIndex(where: isText)
    else { return nil }
    return first...last
  }

  /// Returns addresses of pictures between visible lines of text; a change of size would move text.
  func pictures(of document: ArticleDocument) -> Set<String> {
    guard let text = text(of: document) else { return [] }
    return Set(document.lines[text].compactMap { $0.picture?.address })
  }

  // MARK: Wide content

  /// The columns from the left edge of the text to the edge of the window.
  var columnsOfText: Int { max(1, size.width - column - 1) }

  /// Returns the columns by which the visible lines can be scrolled.
  func mostSideways(of document: ArticleDocument?) -> Int {
    guard let document else { return 0 }
    let shown = document.lines.dropFirst(top).prefix(size.height)
    let excess = shown.filter(\.isWide).map { $0.width - columnsOfText }
    return max(0, excess.max() ?? 0)
  }

  struct Piece {
    var x: Int
    var text: String
    var run: ArticleDocument.Run
  }

  /// Returns the visible parts of a line's runs.
  func pieces(_ runs: [ArticleDocument.Run], of line: ArticleDocument.Line) -> [Piece] {
    var pieces: [Piece] = []
    var x = 0
    guard line.isWide else {
      for run in runs {
        pieces.append(Piece(x: column + x, text: run.text, run: run))
        x += GraphemeWidth.width(of: run.text)
      }
      return pieces
    }
    let margin = line.marginColumns
    for run in runs {
      var text = ""
      var start: Int?
      for character in run.text {
        let place = x < margin ? x : x - sideways
        x += GraphemeWidth.width(of: character)
        guard x <= margin || place >= margin, place < columnsOfText else { continue }
        if start == nil { start = place }
        text.append(character)
      }
      if let start { pieces.append(Piece(x: column + start, text: text, run: run)) }
    }
    return pieces
  }

  /// Returns the columns where a scrolled line shows that it continues.
  func edges(of line: ArticleDocument.Line) -> (left: Int?, right: Int?) {
    guard line.isWide else { return (nil, nil) }
    let left = column + line.marginColumns - 1
    return (
      sideways > 0 && left >= 0 ? left : nil,
      line.width - sideways > columnsOfText ? column + columnsOfText : nil
    )
  }

  // MARK: Drawing

  /// Draws a line with its runs, with arrows at the edges if wide content continues there.
  /// - Parameter emphasisesNumbers: True to draw the numbers of links like matches, and to add
  /// missing numbers.
  func draw(
    line index: Int, of document: ArticleDocument, _ runs: [ArticleDocument.Run],
    emphasisesNumbers: Bool, y: Int, on canvas: Canvas
  ) {
    let line = document.lines[index]
    for piece in pieces(runs, of: line) {
      let roles = piece.run.isLinkNumber && emphasisesNumbers ? [.found] : piece.run.roles
      canvas.write(
        piece.text, x: piece.x, y: y, style: canvas.theme.style(roles),
        link: document.address(of: piece.run))
    }
    let edges = edges(of: line)
    if let left = edges.left { canvas.write("‹", x: left, y: y, .accent) }
    if let right = edges.right { canvas.write("›", x: right, y: y, .accent) }
    if emphasisesNumbers { drawNumbers(document, y, on: canvas) }
    if target == index { canvas.mark(row: y) }
    if firstNewLine == index, column > 1 { canvas.write("▸", x: column - 2, y: y, .secondary) }
  }

  /// Draws numbers over the beginning of links that have no number in the text: links within the
  /// article, references, and all links if numbers are hidden.
  private func drawNumbers(_ document: ArticleDocument, _ y: Int, on canvas: Canvas) {
    let line = document.lines[top + y]
    if let picture = line.picture, picture.row == 0, let number = picture.number {
      canvas.write(String(number), x: column + line.marginColumns, y: y, .found)
    }
    let pieces = pieces(line.runs, of: line)
    let numbered = Set(pieces.lazy.filter(\.run.isLinkNumber).compactMap(\.run.link))
    // A link that began in a line above has its number there.
    var last = y > 0 && line.joint != .begins ? document.lines[top + y - 1].runs.last?.link : nil
    for piece in pieces {
      let link = piece.run.link
      if let link, link != last, !numbered.contains(link), let number = document.number(of: link) {
        canvas.write(String(number), x: piece.x, y: y, .found)
      }
      last = link
    }
  }
}
