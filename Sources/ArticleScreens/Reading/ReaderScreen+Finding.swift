import ArticleText
import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

extension ReaderScreen {
  var caption: String? {
    finder.needle.isEmpty ? nil : "/\(finder.needle) · \(finder.wording)"
  }

  func askForText() {
    // Lines have other numbers once the window has another size.
    let position = view.top == 0 ? nil : document?.position(line: view.top)
    let before = { [weak self] in position.flatMap { self?.document?.line($0) } ?? 0 }
    context.window?.ask(
      .filter(finder.needle) { [weak self] text in
        guard let self else { return }
        finder.find(text, in: document) { [weak self] in
          if text.isEmpty { self?.view.top = before() } else { self?.showHit(from: before()) }
        }
      })
  }

  /// Finds the matches again: their lines have other numbers now.
  func findAgain() {
    finder.findAgain(in: document)
    highlights.find(in: document)
    context.invalidate()
  }

  /// Shows the first line with a match at or below a line, else the first of all.
  func showHit(from line: Int) {
    let lines = finder.findings.lines
    guard let hit = lines.first(where: { $0 >= line }) ?? lines.first else { return }
    show(hit)
  }

  var whyNoHit: String? {
    guard finder.findings.lines.isEmpty else { return nil }
    if finder.needle.isEmpty { return "No search" }
    if let problem = finder.problem { return problem }
    return finder.isSearching ? "Still searching" : "\(finder.needle) is not in this article"
  }

  func goToHit(_ steps: Int) {
    let lines = finder.findings.lines
    guard !lines.isEmpty else { return }
    // Counted from the line of the last step.
    let current = lines.lastIndex { $0 <= finder.shownHit } ?? (steps > 0 ? -1 : 0)
    let next = ((current + steps) % lines.count + lines.count) % lines.count
    show(lines[next])
  }

  func show(_ line: Int) {
    goal = nil
    finder.shownHit = line
    if line < view.top || line >= view.top + shownHeight {
      view.top = min(max(0, line - view.size.height / 3), lastTop)
      view.isPaged = false
    }
    context.invalidate()
  }
}
