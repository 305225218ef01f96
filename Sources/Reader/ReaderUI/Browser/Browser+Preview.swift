import TerminalViews

/// Shows the selected article in the reading pane beside a list, without marking it read, so that
/// list and pane are always about the same article.
extension Browser {
  /// The article that the pane should show, and true if the pane is in view without the focus.
  private var previewed: (article: ArticleID?, isInView: Bool) {
    let isInView = sheet == nil && focus != .reader && layout.frame(.reader) != nil
    return (articles?.model.selectedRow?.id, isInView)
  }

  /// True if the pane is in view and does not show the selected article.
  var needsPreview: Bool {
    let (wanted, isInView) = previewed
    return isInView && wanted != reader.article?.id
  }

  func preview() {
    guard needsPreview else { return }
    previewing.mark = nil
    guard let id = previewed.article else { return reader.close() }
    sizeReader(for: focus)
    reader.show(id, of: articles?.search)
    guard reader.article?.id == id else { return }
    reader.pictures.next = articlesBelow
    readNeighbours()
    let seconds = context.configuration.markAfter
    guard seconds > 0 else { return }
    previewing.mark = context.timers.after(.seconds(seconds)) { [weak self] in
      guard let self, reader.article?.id == id, !needsPreview else { return }
      readSelected()
      context.links.events?.readEnded()
    }
  }

  /// Marks the article of the pane read when the focus moves to it.
  func readSelected() {
    preview()
    guard let id = reader.article?.id else { return }
    articles?.model.retain([id])
    reader.open(id)
  }

  private static let ahead = 10

  var articlesBelow: [ArticleID] {
    guard let model = articles?.model else { return [] }
    return model.rows.dropFirst(model.selected + 1).prefix(Self.ahead).map(\.id)
  }

  /// Reads the texts of the rows above and below in the background, before the selection reaches
  /// them.
  private func readNeighbours() {
    let ids = articles?.model.neighbours ?? []
    previewing.neighbours = context.load { store -> Never? in
      for id in ids { _ = try store.articles.article(id) }
      return nil
    } then: { _ in
    }
  }
}
