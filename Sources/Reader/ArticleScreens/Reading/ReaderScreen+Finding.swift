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
