import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// The articles at the top of a list's window and at its selection.
package nonisolated struct ListPlace: Equatable {
  var top: ArticleKey
  var selected: ArticleKey
}

/// Filters a list of articles in place. Esc returns to the place from before.
enum ListFilter {
  static func ask(_ screen: ArticlesScreen) {
    let place = screen.model.place
    screen.context.window?.ask(
      .filter(screen.text) { [weak screen] in
        screen?.setText($0)
      } cancelled: { [weak screen] in
        screen?.setText("", at: place)
      })
  }
}

nonisolated extension ArticleQuery {
  /// Returns true if article `a` is above article `b` in the list.
  func comesBefore(_ a: ArticleKey, _ b: ArticleKey) -> Bool {
    if let hits, hits.isRanked { return hits.place(of: a) < hits.place(of: b) }
    return order == .newestFirst ? a > b : a < b
  }
}
