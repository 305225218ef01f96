import FeedModel
import FeedStore

/// The reading pane beside a list shows the selected article, without marking it read, so that list
/// and pane are always about the same article.
extension Browser {
  /// The article that the pane should show; nil: the pane is out of view, or is being read in.
  private var previewed: (article: ArticleID?, isInView: Bool) {
    let isInView = sheet == nil && focus != .reader && layout.frame(.reader) != nil
    return (articles?.model.selectedRow?.id, isInView)
  }

  /// Whether the pane is in view and shows another article than the selected one.
  var needsPreview: Bool {
    let (wanted, isInView) = previewed
    return isInView && wanted != reader.article?.id
  }

  /// Shows the selected article in the pane, if that is in view.
  func preview() {
    guard needsPreview else { return }
    markTimer = nil
    guard let id = previewed.article else { return reader.close() }
    reader.show(id)
    guard reader.article?.id == id else { return }
    reader.pictures.next = articlesBelow
    readNeighbours()
    guard let seconds = context.configuration.markAfter else { return }
    markTimer = context.timers.after(.seconds(seconds)) { [weak self] in
      guard let self, reader.article?.id == id, !needsPreview else { return }
      readSelected()
      context.onLooked()
    }
  }

  /// The focus has come to the pane: the article in it is being read.
  func readSelected() {
    preview()
    guard let id = reader.article?.id else { return }
    articles?.model.keep([id])
    reader.open(id)
  }

  /// Articles whose pictures are asked for ahead of need.
  private static let ahead = 10

  /// The articles that come next in the list.
  var articlesBelow: [ArticleID] {
    guard let model = articles?.model else { return [] }
    return model.rows.dropFirst(model.selected + 1).prefix(Self.ahead).map(\.id)
  }

  /// The texts of the rows above and below are read beside the screen: they are in memory when the
  /// selection comes to them.
  private func readNeighbours() {
    let ids = articles?.model.neighbours ?? []
    neighbours = context.look { store throws(StoreError) -> Never? in
      for id in ids { _ = try store.article(id) }
      return nil
    } then: { _ in
    }
  }
}
