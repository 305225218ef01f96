import TerminalViews

extension ArticlesScreen {
  func draw(on canvas: Canvas, isFocused: Bool) {
    let drawing = ArticleRowDrawing(
      canvas: canvas, context: context,
      showsFeed: source.isMixed && order != .feed && details.feedsDiffer(in: model.rows),
      isRoomy: rows.isRoomy && canvas.height >= 6, prefersMinutes: source == .dailyPage)
    model.setHeight(canvas.height, titleColumns: drawing.isRoomy ? drawing.titleColumns : nil)
    guard !model.isEmpty else { return drawEmpty(on: canvas) }
    details.read(for: model)
    if drawing.isRoomy { details.summaries.read(model.visibleRows.map(\.id)) }
    let packs = details.packs
    let selected = model.selectedRows
    for (y, line) in model.visibleLines().enumerated() {
      switch line {
      case .end(let isText): details.end.draw(isText, on: canvas, y: y)
      case .heading(let index, let heading):
        drawing.heading(text(heading, above: index, drawing), y: y)
      case .row(let index), .summary(let index, _):
        let row = model.rows[index]
        let (isSelected, isPacked) = (index == model.selected, packs.ready.contains(row.id))
        if case .summary(_, let line) = line {
          drawing.draw(
            line: line, of: row, summary: details.summaries.text(of: row), isPacked: isPacked,
            isSelected: isSelected, y: y)
        } else {
          drawing.draw(
            row, isPacked: packs.share.map { _ in isPacked }, isSelected: isSelected, y: y)
        }
        if selected.contains(index) { canvas.restyle(row: y, .selected) }
        if isSelected { canvas.select(row: y, isFocused: isFocused) }
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
    case .rest: name = ""
    case .visit: return visit
    }
    guard model.headings.isVisit(above: index, in: model.rows) else { return name }
    return name.isEmpty ? visit : "\(name) \u{B7} \(visit)"
  }

  /// The last line of the daily page; `nil` for other lists.
  package var endOfPage: String? { source == .dailyPage ? details.end.text : nil }

  package var length: Int? { details.length.count(of: model) }
  /// The place of the selected row, such as "3 / 1,671"; `nil` if it is unknown.
  package var position: String? { details.length.position(in: model) }

  private func drawEmpty(on canvas: Canvas) {
    guard loading == nil else { return }
    for (y, line) in EmptyListText(screen: self).lines.enumerated() {
      canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
    }
  }
}
