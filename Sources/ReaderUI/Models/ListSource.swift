// What the screens know: windows onto lists, the tree of feeds, the state of refreshes. Models read
// the cache and receive its changes; they draw nothing and know no key.

import FeedModel
import FeedStore

/// A list of articles that can be chosen in the feeds.
nonisolated enum ListSource: Hashable, Sendable {
  case smart(SmartFeed)
  case folder(FolderID)
  case feed(FeedID)
  /// What has a label of the user's.
  case tag(String)
  case saved(SavedSearchID)
  /// A search that was opened as a list, by what was typed.
  case search(String)
  /// What rules hide.
  case hidden

  /// The list as a query. Unread and starred are filters over everything, so that what is read or
  /// unstarred during a visit can be kept in it.
  func query(filter: ArticleQuery.Filter, asOf: ArticleID?) -> ArticleQuery {
    switch self {
    case .smart(.today): return ArticleQuery(scope: .smart(.today), filter: filter, asOf: asOf)
    case .smart(.unread), .smart(.starred):
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

  /// The filter that the list begins with.
  var ownFilter: ArticleQuery.Filter {
    switch self {
    case .smart(.unread): return .unread
    case .smart(.starred): return .starred
    default: return .all
    }
  }

  /// What "refresh this" asks for.
  var refreshScope: RefreshScope {
    switch self {
    case .smart, .tag, .saved, .search, .hidden: return .all
    case .folder(let id): return .folder(id)
    case .feed(let id): return .feed(id)
    }
  }

  /// True if the list is what a search finds.
  var isSearch: Bool {
    switch self {
    case .saved, .search, .hidden: return true
    case .smart, .folder, .feed, .tag: return false
    }
  }

  /// True if it is no row of the feeds.
  var isOutsideFeeds: Bool {
    switch self {
    case .search, .hidden: return true
    default: return false
    }
  }

  /// True if rows of several feeds are together.
  var isMixed: Bool {
    if case .feed = self { return false }
    return true
  }
}
