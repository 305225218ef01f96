import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

extension ArticlesScreen {
  func draw(on canvas: Canvas, isFocused: Bool) {
    let isRoomy = context.configuration.isRoomy && canvas.height >= 6
    model.setHeight(canvas.height, rowHeight: isRoomy ? 2 : 1)
    guard !model.isEmpty else { return drawEmpty(on: canvas) }
    let hasThumbnails = isRoomy && thumbnails.areShown(width: canvas.width)
    let drawing = ArticleRowDrawing(
      canvas: canvas, context: context, showsFeed: source.isMixed && order != .feed,
      showsScore: order == .score, indent: hasThumbnails ? ArticleThumbnails.indent : 0)
    packs.read(model.query)
    if isRoomy { summaries.read(model.visibleRows.map(\.id)) }
    if hasThumbnails { thumbnails.need(model.visibleRows.map(\.id)) }
    let selected = model.selectedRows
    for (y, line) in model.visibleLines().enumerated() {
      switch line {
      case .heading(let index, let heading):
        drawing.heading(text(heading, above: index, drawing), y: y)
      case .row(let index), .summary(let index):
        let row = model.rows[index]
        if line == .row(index) {
          drawing.draw(row, isPacked: packs.share.map { _ in packs.ready.contains(row.id) }, y: y)
        } else {
          drawing.draw(summary: summaries.text(of: row), y: y)
        }
        if selected.contains(index) { canvas.restyle(row: y, .selected) }
        if index == model.selected { canvas.select(row: y, isFocused: isFocused) }
        // Last: the colours of a placeholder are its number.
        guard hasThumbnails else { continue }
        let column = ArticleRowDrawing.firstColumn
        thumbnails.draw(row.id, row: line == .row(index) ? 0 : 1, x: column, y: y, on: canvas)
      }
    }
  }

  private func text(
    _ heading: ListHeadings.Heading, above index: Int, _ drawing: ArticleRowDrawing
  ) -> String {
    let row = model.rows[index]
    let visit = "before your last visit"
    let name: String
    switch heading {
    case .group: name = order == .feed ? context.feedName(of: row) : drawing.period(of: row)
    case .rest: name = order == .oldest ? "later" : "earlier"
    case .visit: return visit
    }
    return model.headings.isVisit(above: index, in: model.rows) ? "\(name) \u{B7} \(visit)" : name
  }

  private func drawEmpty(on canvas: Canvas) {
    let key = { (command: Command) in self.context.keymap.label(command) ?? "" }
    let lines: [String]
    if look != nil { return }
    if source == .hidden {
      lines = ["No rule hides an article."]
    } else if !text.isEmpty {
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
