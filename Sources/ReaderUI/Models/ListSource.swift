import FeedModel
import FeedStore

nonisolated enum ListSource: Hashable, Sendable {
  case smart(SmartFeed)
  case folder(FolderID)
  case feed(FeedID)
  case tag(String)
  case saved(SavedSearchID)
  /// A search that was opened as a list, by its text.
  case search(String)
  /// Articles that rules hide.
  case hidden

  /// The list as a query. Unread and starred are filters over everything, so that articles that are
  /// read or unstarred during a visit can stay in it.
  func query(filter: ArticleQuery.Filter, asOf: ArticleID?) -> ArticleQuery {
    switch self {
    case .smart(.today): return ArticleQuery(scope: .smart(.today), filter: filter, asOf: asOf)
    case .smart(.unread):
      return ArticleQuery(scope: .exceptApart, filter: filter, asOf: asOf)
    case .smart(.starred):
      return ArticleQuery(scope: .all, filter: filter, asOf: asOf)
    case .folder(let id): return ArticleQuery(scope: .folder(id), filter: filter, asOf: asOf)
    case .feed(let id): return ArticleQuery(scope: .feed(id), filter: filter, asOf: asOf)
    case .tag(let tag): return ArticleQuery(scope: .tag(tag), filter: filter, asOf: asOf)
    case .saved, .search: return ArticleQuery(scope: .all, filter: filter, asOf: asOf)
    case .hidden:
      var query = ArticleQuery(scope: .all, filter: filter, asOf: asOf)
      query.showsHiddenByRules = true
      return query
    }
  }

  var ownFilter: ArticleQuery.Filter {
    switch self {
    case .smart(.unread): return .unread
    case .smart(.starred): return .starred
    default: return .all
    }
  }

  /// The scope of "refresh this".
  var refreshScope: RefreshScope {
    switch self {
    case .smart, .tag, .saved, .search, .hidden: return .all
    case .folder(let id): return .folder(id)
    case .feed(let id): return .feed(id)
    }
  }

  var isSearch: Bool {
    switch self {
    case .saved, .search, .hidden: return true
    case .smart, .folder, .feed, .tag: return false
    }
  }

  var isOutsideFeeds: Bool {
    switch self {
    case .search, .hidden: return true
    default: return false
    }
  }

  var isMixed: Bool {
    if case .feed = self { return false }
    return true
  }
}
