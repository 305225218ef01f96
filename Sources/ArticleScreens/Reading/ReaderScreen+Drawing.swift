import ArticleText
import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

extension ReaderScreen {
  var hints: [Hint] {
    guard article != nil else { return [Hint(.goOut, "back"), Hint(.help, "help")] }
    if !finder.findings.lines.isEmpty {
      return [
        Hint(.nextUnread, "next match"), Hint(.previousUnread, "previous match"),
        Hint(.dismiss, "done"), Hint(.readOn, "read on"), Hint(.back, "back"), Hint(.help, "help"),
      ]
    }
    let hasPage = article?.row.url != nil
    var hints = [Hint(.readOn, "read on")]
    if hasPage { hints.append(Hint(.openInBrowser, "browser")) }
    if document?.links.isEmpty == false { hints.append(Hint(.followLink, "links")) }
    hints += [Hint(.back, "back"), Hint(.help, "help")]
    if !origins.isEmpty { hints.insert(Hint(.dismiss, "return"), at: 0) }
    if whyNotSideways == nil { hints.insert(Hint(.scrollRight, "scroll"), at: 1) }
    if !pictures.references.isEmpty { hints.append(Hint(.pictures, "pictures")) }
    if article?.isPlayable == true { hints.append(Hint(.play, "play")) }
    if article?.enclosures.isEmpty == false { hints.append(Hint(.download, "download")) }
    hints.append(Hint(.toggleStar, "star"))
    if hasPage { hints.append(Hint(.fullText, "full text")) }
    return hints + [Hint(.filter, "find"), Hint(.zoom, "zoom"), Hint(.palette, "commands")]
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    frame = Size(width: canvas.width, height: canvas.height)
    guard article != nil else {
      let key = context.keymap.label(.open) ?? ""
      canvas.write(
        "\(key) opens an article here.", x: 2, y: 0, columns: canvas.width - 3, .secondary)
      return
    }
    if let document { pictures.settle(exceptIn: picturesInView(of: document)) }
    layOut()
    guard let document else {
      canvas.write("…", x: column, y: 0, .secondary)
      return
    }
    for y in 0..<min(canvas.height, shownHeight, document.lines.count - top) {
      let line = document.lines[top + y]
      if let picture = line.picture { pictures.draw(picture, line, column, y, on: canvas) }
      for piece in placed(
        document.runs(top + y, marking: finder.findings, highlights: highlights.marks), of: line)
      {
        let roles = piece.run.isLinkNumber && showsNumbers ? [.found] : piece.run.roles
        canvas.write(
          piece.text, x: piece.x, y: y, style: canvas.theme.style(roles),
          link: document.address(of: piece.run))
      }
      if line.isWide { drawEdges(of: line, y, on: canvas) }
      if showsNumbers { drawNumbers(document, y, on: canvas) }
      if target == top + y { canvas.mark(row: y) }
      if firstNewLine == top + y, column > 1 { canvas.write("▸", x: column - 2, y: y, .secondary) }
    }
    let shown = document.lines.dropFirst(top).prefix(min(canvas.height, shownHeight))
    pictures.need(shown.compactMap(\.picture))
  }

  /// Pictures between lines of text in view, whose rows would move that text.
  func picturesInView(of document: ArticleDocument) -> Set<String> {
    guard let text = textInView(of: document) else { return [] }
    return Set(document.lines[text].compactMap { $0.picture?.address })
  }

  /// From the first to the last line of text in view; `nil` without any.
  func textInView(of document: ArticleDocument) -> ClosedRange<Int>? {
    let lines = document.lines.dropFirst(top).prefix(frame.height)
    let isText = { (line: ArticleDocument.Line) in !line.isBlank && line.picture == nil }
    guard let first = lines.firstIndex(where: isText), let last = lines.lastIndex(where: isText)
    else { return nil }
    return first...last
  }

  /// Shows or hides all pictures, or shows one in the whole window.
  func turnPictures(_ call: Binding.Call) {
    if let reason = pictures.whyNot { return context.note(reason) }
    guard let number = call.count else {
      pictures.turn()
      let key = context.keymap.label(.pictures)
      return context.note(PictureWording.shown(pictures.areShown, key: key))
    }
    guard
      let picture = document?.lines.lazy.compactMap(\.picture).first(where: { $0.number == number })
    else { return context.note(PictureWording.noneWithNumber) }
    context.window?.show(PictureScreen(picture.address, pictures, context: context))
  }

  /// A piece of a line and its column.
  private struct Piece {
    var x: Int
    var text: String
    var run: ArticleDocument.Run
  }

  /// The runs of a line that are in view.
  private func placed(_ runs: [ArticleDocument.Run], of line: ArticleDocument.Line) -> [Piece] {
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
        guard x <= margin || place >= margin, place < columnsInView else { continue }
        if start == nil { start = place }
        text.append(character)
      }
      if let start { pieces.append(Piece(x: column + start, text: text, run: run)) }
    }
    return pieces
  }

  /// The columns where a scrolled line shows that it goes on.
  private func edges(of line: ArticleDocument.Line) -> (left: Int?, right: Int?) {
    guard line.isWide else { return (nil, nil) }
    let left = column + line.marginColumns - 1
    return (
      sideways > 0 && left >= 0 ? left : nil,
      line.width - sideways > columnsInView ? column + columnsInView : nil
    )
  }

  private func drawEdges(of line: ArticleDocument.Line, _ y: Int, on canvas: Canvas) {
    let edges = edges(of: line)
    if let left = edges.left { canvas.write("‹", x: left, y: y, .accent) }
    if let right = edges.right { canvas.write("›", x: right, y: y, .accent) }
  }

  private var showsNumbers: Bool { linkPrompt != nil || hasTypedNumber }

  /// Draws numbers over the beginning of links that have none in the text: those within the
  /// article, references, and all if numbers are hidden.
  private func drawNumbers(_ document: ArticleDocument, _ y: Int, on canvas: Canvas) {
    let line = document.lines[top + y]
    let pieces = placed(line.runs, of: line)
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

  func press(x: Int, y: Int, isDouble: Bool) {
    guard !isDouble, y < shownHeight, let document, document.lines.indices.contains(top + y) else {
      return
    }
    let line = document.lines[top + y]
    let edges = edges(of: line)
    if x == edges.left { return scroll(sideways: -1) }
    if x == edges.right { return scroll(sideways: 1) }
    let piece = placed(line.runs, of: line).first {
      x >= $0.x && x < $0.x + GraphemeWidth.width(of: $0.text)
    }
    if let link = piece?.run.link {
      follow(link)
    } else if let address = piece?.run.address {
      context.window?.follow(address)
    }
  }

  func scroll(by rows: Int, x: Int, y: Int) { scroll(by: rows) }
}
