import FeedModel
import FeedStore

nonisolated extension ArticleOrder {
  /// As a list to choose from names it.
  var title: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .feed: "by feed, with a heading for each"
    case .title: "by title"
    case .author: "by author"
    case .unread: "unread first"
    case .length: "shortest first"
    case .score: "best score first"
    }
  }

  /// As the rule above a list names it; nil: it is the usual one.
  var caption: String? {
    switch self {
    case .newest: nil
    case .feed: "by feed"
    case .oldest, .title, .author, .unread, .length, .score: title
    }
  }

  /// Nil: the order is one of dates, which lists have by themselves.
  var sorting: ListOrder? {
    switch self {
    case .newest, .oldest: nil
    case .feed: .feed
    case .title: .title
    case .author: .author
    case .unread: .unreadFirst
    case .length: .length
    case .score: .score
    }
  }
}
