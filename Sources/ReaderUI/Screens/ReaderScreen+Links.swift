import ArticleText
import FeedModel
import FeedStore
import TerminalKit
import Wording

// Links, and the way back from those within the article.
extension ReaderScreen {
  var whyNoLink: String? {
    document?.targets.isEmpty == false ? nil : "This article has no links"
  }

  func askForLink() {
    guard let links = document?.linkList, !links.isEmpty else { return }
    let prompt = LinkListPrompt(links, context: context) { [weak self] link, use in
      switch (use, link.address) {
      case (.open, _): self?.follow(link.target)
      case (.openWith, let address?): self?.askForProgram(address)
      case (.openWith, nil): break
      }
    }
    linkPrompt = prompt
    context.window?.ask(prompt)
  }

  private func askForProgram(_ address: String) {
    let names = context.actions.programNames
    let known = names.count == 1 ? names[0] : ""
    let context = context
    context.ask(for: LinkWording.openWith, text: known) { program in
      context.run(
        ProgramTask(.typed(program), environment: ["WEIR_LINK": address], address: address))
    }
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

  /// Shows a line that a link within the article leads to. One that leads to where the last was
  /// followed (the arrow behind a footnote) is the way back.
  func goTo(place line: Int) {
    guard let document else { return }
    goal = nil
    let before = top
    let origin = origins.last.flatMap { document.line($0) }
    if let origin, origin <= line, line < origin + frame.height {
      _ = goBack()
    } else {
      top = min(line, lastTop)
      if top != before { origins.append(document.position(line: before)) }
    }
    target = line
    context.invalidate()
  }

  /// Goes back to where the last link within the article was followed. False where none was.
  func goBack() -> Bool {
    guard let document, let origin = origins.popLast() else { return false }
    goal = nil
    top = min(document.line(origin) ?? 0, lastTop)
    context.invalidate()
    return true
  }
}
