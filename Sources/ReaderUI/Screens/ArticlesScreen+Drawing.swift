import FeedModel
import FeedStore
import TerminalKit
import Wording

extension ArticlesScreen {
  func draw(on canvas: Canvas, isFocused: Bool) {
    model.setHeight(canvas.height)
    guard !model.isEmpty else { return drawEmpty(on: canvas) }
    let drawing = ArticleRowDrawing(
      canvas: canvas, dates: context.dates, showsFeed: source.isMixed)
    let selected = model.selectedRows
    for (y, line) in model.visibleLines().enumerated() {
      switch line {
      case .heading(let index): drawing.heading(model.rows[index], y: y)
      case .row(let index):
        drawing.draw(model.rows[index], y: y)
        if selected.contains(index) { canvas.restyle(row: y, .selected) }
        guard index == model.selected else { continue }
        if isFocused { canvas.select(row: y) }
        canvas.mark(row: y)
      }
    }
  }

  private func drawEmpty(on canvas: Canvas) {
    let key = { (command: Command) in self.context.keymap.label(command) ?? "" }
    let lines: [String]
    if look != nil { return }
    if !text.isEmpty {
      lines = ["No matches in titles, authors and feeds.", "\(key(.dismiss)) shows all."]
    } else if source == .smart(.starred), model.query.filter == .starred {
      lines = ["No starred articles yet.", "\(key(.toggleStar)) stars an article."]
    } else if model.query.filter != .all {
      let next =
        switch nextFilter {
        case .all: model.query.filter == .unread ? "read ones too" : "all"
        case .unread: "unread ones"
        case .starred: "starred ones"
        }
      lines = [
        model.query.filter == .unread ? "No unread articles." : "No starred articles.",
        "\(key(.toggleUnreadFilter)) shows \(next).",
      ]
    } else if source.isSearch {
      lines = ["No results yet."]
    } else {
      lines = ["No articles yet.", "\(key(.refresh)) refreshes."]
    }
    for (y, line) in lines.enumerated() {
      canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
    }
  }
}
