package nonisolated enum ListSource: Hashable, Sendable {
  case smart(SmartFeed)
  case folder(FolderID)
  case feed(FeedID)
  case tag(String)
  case saved(SavedSearchID)
  /// A search that is shown as a list, identified by its text.
  case search(String)
  case hidden
  /// Articles that fit some minutes of reading today.
  case dailyPage

  /// Returns the list as a query. Unread and starred are filters over all articles, so that
  /// articles that are read or unstarred during a visit can stay in the list.
  package func query(filter: ArticleQuery.Filter, asOf: ArticleID?) -> ArticleQuery {
    var query = ArticleQuery(scope: scope, filter: filter, asOf: asOf)
    query.showsHiddenByRules = self == .hidden
    return query
  }

  private var scope: ArticleQuery.Scope {
    switch self {
    case .smart(.today): .smart(.today)
    case .smart(.unread): .exceptQuiet
    case .smart(.high): .smart(.high)
    case .smart(.archived): .smart(.archived)
    case .smart(.later): .smart(.later)
    case .smart(.starred), .saved, .search, .hidden, .dailyPage: .all
    case .folder(let id): .folder(id)
    case .feed(let id): .feed(id)
    case .tag(let tag): .tag(tag)
    }
  }

  package var ownFilter: ArticleQuery.Filter {
    switch self {
    case .smart(.unread): return .unread
    case .smart(.starred): return .starred
    default: return .all
    }
  }

  package var refreshScope: RefreshScope {
    switch self {
    case .smart, .tag, .saved, .search, .hidden, .dailyPage: return .all
    case .folder(let id): return .folder(id)
    case .feed(let id): return .feed(id)
    }
  }

  /// True for a feed or a folder.
  package var isInTree: Bool {
    switch self {
    case .folder, .feed: true
    case .smart, .tag, .saved, .search, .hidden, .dailyPage: false
    }
  }

  package var isSearch: Bool {
    switch self {
    case .saved, .search, .hidden, .dailyPage: return true
    case .smart, .folder, .feed, .tag: return false
    }
  }

  package var isOutsideFeeds: Bool {
    switch self {
    case .search, .hidden, .dailyPage: return true
    default: return false
    }
  }

  package var isMixed: Bool {
    if case .feed = self { false } else { true }
  }
}

package nonisolated struct ListSearch {
  package var text: String
  /// The parsed query; `nil` if the text is invalid, which finds nothing.
  package var query: SearchQuery?
  package var order = SearchOrder.newest
  package var hits: SearchHits?

  package init(
    text: String, query: SearchQuery? = nil, order: SearchOrder = SearchOrder.newest,
    hits: SearchHits? = nil
  ) {
    (self.text, self.query, self.order, self.hits) = (text, query, order, hits)
  }
}

extension ListSearch {
  package init(_ saved: SavedSearch) {
    self.init(text: saved.query, query: try? SearchQuery(saved.query))
  }
}
