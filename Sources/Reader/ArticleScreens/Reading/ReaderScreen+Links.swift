import ArticleText
import TerminalViews

// Links, and the return from links within the article.
extension ReaderScreen {
  /// Raised digits need a terminal that has them, and colours that distinguish them from exponents.
  var linkNumbers: LinkNumbers {
    if context.configuration.hidesLinkNumbers { return .hidden }
    let (link, text) = (context.theme.style(.link), context.theme.style(.text))
    return context.terminal.supportsUTF8 && link.foreground != text.foreground
      ? .raised : .bracketed
  }

  /// A number without a key opens a link.
  func meaning(ofNumber number: Int) -> NumberMeaning? {
    guard let document, let target = document.target(number: number) else { return nil }
    let link = ArticleLink(target: target, address: document.address(of: target), text: "")
    return NumberMeaning(
      command: .open,
      text: link.address == nil ? LinkWording.goes : LinkWording.opens(link.place),
      canGrow: number * 10 <= document.targetCount)
  }

  func follow(_ link: LinkTarget) {
    guard let document else { return }
    switch link {
    case .address:
      if let address = document.address(of: link) { context.window?.follow(address) }
    case .place(let index):
      if let line = document.line(ofPlace: index) {
        goTo(place: line)
      } else {
        goal = .place(index)
        context.note("This part of the article is still loading")
      }
    }
  }

  /// Shows the line of a link within the article. Goes back if the link leads to where the last
  /// link was followed, as the arrow after a footnote does.
  func goTo(place line: Int) {
    guard let document else { return }
    goal = nil
    let before = view.top
    let origin = origins.last.flatMap { document.line($0) }
    if let origin, origin <= line, line < origin + view.size.height {
      _ = goBack()
    } else {
      view.top = min(line, lastTop)
      if view.top != before { origins.append(document.position(line: before)) }
    }
    view.target = line
    context.invalidate()
  }

  /// Returns to where the last link within the article was followed; `false` if there is none.
  func goBack() -> Bool {
    guard let document, let origin = origins.popLast() else { return false }
    goal = nil
    view.top = min(document.line(origin) ?? 0, lastTop)
    context.invalidate()
    return true
  }
}
