nonisolated extension ArticleOrder {
  /// The name in the list of orders.
  var title: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .feed: "by feed, with a heading for each"
    case .title: "by title"
    case .author: "by author"
    case .unread: "unread first"
    case .length: "shortest first"
    }
  }

  /// The name in the rule above a list; `nil` for the default order.
  var caption: String? {
    switch self {
    case .newest: nil
    case .feed: "by feed"
    case .oldest, .title, .author, .unread, .length: title
    }
  }

  /// The order of a list's query; `nil` for orders by date, which every query supports. The usual
  /// order of Later begins with the article that was kept last.
  func sorting(of source: ListSource) -> ListOrder? {
    switch self {
    case .newest: source == .smart(.later) ? .later : nil
    case .oldest: nil
    case .feed: .feed
    case .title: .title
    case .author: .author
    case .unread: .unreadFirst
    case .length: .length
    }
  }
}
