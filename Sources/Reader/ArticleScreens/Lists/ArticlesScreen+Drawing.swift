import TerminalViews

extension ArticlesScreen {
  func draw(on canvas: Canvas, isFocused: Bool) {
    let isRoomy = rows.isRoomy && canvas.height >= 6
    model.setHeight(canvas.height, rowHeight: isRoomy ? 2 : 1)
    guard !model.isEmpty else { return drawEmpty(on: canvas) }
    let drawing = ArticleRowDrawing(
      canvas: canvas, context: context, showsFeed: source.isMixed && order != .feed,
      isRoomy: isRoomy, prefersMinutes: source == .dailyPage)
    details.read(for: model)
    if isRoomy { details.summaries.read(model.visibleRows.map(\.id)) }
    let selected = model.selectedRows
    for (y, line) in model.visibleLines().enumerated() {
      switch line {
      case .end(let isText): details.end.draw(isText, on: canvas, y: y)
      case .heading(let index, let heading):
        drawing.heading(text(heading, above: index, drawing), y: y)
      case .row(let index), .summary(let index):
        let row = model.rows[index]
        if line == .row(index) {
          drawing.draw(
            row, isPacked: details.packs.share.map { _ in details.packs.ready.contains(row.id) },
            y: y)
        } else {
          drawing.draw(summary: details.summaries.text(of: row), of: row, y: y)
        }
        if selected.contains(index) { canvas.restyle(row: y, .selected) }
        if index == model.selected { canvas.select(row: y, isFocused: isFocused) }
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

  /// The last line of the daily page; `nil` for other lists.
  package var endOfPage: String? { source == .dailyPage ? details.end.text : nil }

  private func drawEmpty(on canvas: Canvas) {
    guard loading == nil else { return }
    for (y, line) in EmptyListText(screen: self).lines.enumerated() {
      canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
    }
  }
}
