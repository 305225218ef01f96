import ArticleText
import TerminalViews

extension ReaderScreen {
  var hints: [Hint] { ReadingHints(screen: self).hints }

  func draw(on canvas: Canvas, isFocused: Bool) {
    frame = Size(width: canvas.width, height: canvas.height)
    guard article != nil else {
      let key = context.keymap.label(.open) ?? ""
      canvas.write(
        "\(key) opens an article here.", x: 2, y: 0, columns: canvas.width - 3, .secondary)
      return
    }
    if let document { pictures.applySizes(exceptIn: view.pictures(of: document)) }
    layOut()
    guard let document else {
      canvas.write("…", x: view.column, y: 0, .secondary)
      return
    }
    for y in 0..<min(canvas.height, shownHeight, document.lines.count - view.top) {
      let line = document.lines[view.top + y]
      if let picture = line.picture { pictures.draw(picture, line, view.column, y, on: canvas) }
      view.draw(
        line: view.top + y, of: document,
        document.runs(view.top + y, marking: finder.findings, highlights: highlights.marks),
        emphasisesNumbers: showsNumbers, y: y, on: canvas)
    }
    if isFocused {
      let text = view.text(of: document)?.lowerBound
      let line = view.target ?? view.firstNewLine ?? text ?? view.top
      canvas.focus(x: view.column, y: line - view.top)
    }
    let shown = document.lines.dropFirst(view.top).prefix(min(canvas.height, shownHeight))
    pictures.need(shown.compactMap(\.picture))
  }

  private var showsNumbers: Bool { linkPrompt != nil || hasTypedNumber }

  func press(x: Int, y: Int, isDouble: Bool) {
    guard !isDouble, y < shownHeight, let document, document.lines.indices.contains(view.top + y)
    else {
      return
    }
    let line = document.lines[view.top + y]
    let edges = view.edges(of: line)
    if x == edges.left { return scroll(sideways: -1) }
    if x == edges.right { return scroll(sideways: 1) }
    let piece = view.pieces(line.runs, of: line).first {
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
