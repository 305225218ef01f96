import TerminalViews

/// The rows of a list of articles to which a letter leads.
struct ArticleJumps {
  let screen: ArticlesScreen

  var targets: [JumpTarget] {
    screen.model.visibleLines().enumerated().compactMap { y, line in
      guard case .row(let index) = line else { return nil }
      let row = screen.model.rows[index]
      return JumpTarget(x: 0, y: y) { [weak screen] in
        screen?.isTouched = true
        screen?.model.select(row)
      }
    }
  }
}
