import FeedStore
import ReaderServices
import TerminalViews

/// The keys that the status line shows for a list of articles.
enum ArticleListHints {
  /// - Parameter filter: the filter that the next key sets.
  static func hints(_ model: ArticleListModel, _ filter: ArticleQuery.Filter) -> [Hint] {
    if model.isEmpty {
      return [Hint(.refresh, "refresh"), Hint(.goOut, "back"), Hint(.help, "help")]
    }
    if model.several != nil {
      return [
        Hint(.readOn, "select"), Hint(.select, "range"), Hint(.toggleRead, "read/unread"),
        Hint(.toggleStar, "star"), Hint(.tag, "tags"),
        Hint(.dismiss, "end"), Hint(.help, "help"),
      ]
    }
    return [
      Hint(.open, "read"), Hint(.readOn, "read on"), Hint(.toggleRead, "read/unread"),
      Hint(.toggleStar, "star"), Hint(.help, "help"), Hint(.openInBrowser, "browser"),
      Hint(.toggleUnreadFilter, filter.title),
      Hint(.filter, "filter"),
      Hint(.markShownRead, model.source == .dailyPage ? "others read" : "all read"),
      Hint(.undo, "undo"),
      Hint(.palette, "commands"),
    ]
  }
}
