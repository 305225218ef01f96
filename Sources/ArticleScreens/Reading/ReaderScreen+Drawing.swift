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
    if let document { pictures.settle(exceptIn: view.pictures(of: document)) }
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
    let shown = document.lines.dropFirst(view.top).prefix(min(canvas.height, shownHeight))
    pictures.need(shown.compactMap(\.picture))
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
