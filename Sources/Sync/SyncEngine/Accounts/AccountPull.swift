import FeedParsing
import Foundation

/// Fetches an account's state: subscriptions, unread and starred articles, and missing articles.
struct AccountPull: Sendable {
  let account: Account
  let backend: any RemoteBackend
  let store: AccountSyncCache
  /// Names that earlier pulls requested but did not get.
  var missing = MissingRemoteIDs()
  /// The feed whose subscription is about to end; `nil` for a pull.
  var ending: Int64?

  /// The maximum number of labels per pull, and of new articles fetched for each.
  private static let mostLabels = 100
  private static let mostLabelled = 1_000
  /// The maximum number of plausible subscriptions of an account.
  private static let mostFeeds = 50_000

  struct Outcome: AccountOperationOutcome {
    var added = 0
    /// Requested names about which the server has answered.
    var asked: [String] = []
    var missing = MissingRemoteIDs()
    /// Subscriptions with starred articles that ended at the server.
    var ended: [EndedSubscription] = []
    var listed: ListedStates?
    /// The failure that ended the pull early.
    var failure: AccountError?
    /// The reason of a value that the cache refuses. The rest was stored.
    var refusal: StoreError.Detail?
  }

  /// - Parameter began: the store's current time.
  func run(began: Date) async throws(StoreError) -> Outcome {
    var outcome = Outcome(missing: missing)
    let lists: Lists
    do throws(AccountError) {
      // Fetches all lists first, so that they describe nearly the same moment.
      lists = try await self.lists()
    } catch {
      outcome.failure = error
      return outcome
    }
    guard let moved = try await check(lists, began: began, &outcome) else { return outcome }
    outcome.listed = ListedStates(unread: lists.unread, starred: lists.starred)
    let feeds = lists.tree.subscriptions
    (outcome.ended, outcome.refusal) = try await store.applySubscriptions(
      feeds.map(Self.cleaned), moved: moved, isArranged: lists.tree.isArranged, of: account.id,
      began: began)
    try await store.applyStates(
      of: account.id, unread: lists.unread, starred: lists.starred, began: began)
    if let labels = lists.labels {
      let refusal = try await store.applyLabels(
        labels, folders: Set(feeds.flatMap(\.folders)), of: account.id, began: began)
      outcome.refusal = outcome.refusal ?? refusal
    }
    var seen: Set<String> = []
    let labelled = (lists.labels ?? []).flatMap { $0.names.names.prefix(Self.mostLabelled) }
    let wanted = (lists.unread.names + lists.starred.names + labelled)
      .filter { seen.insert($0).inserted }
    outcome.missing.begin(Set(feeds.map(\.id)), at: began)
    let missing = try store.unknown(wanted, of: account.id)
      .filter { outcome.missing.isWorthwhile($0) }
    let homes = Self.homes(feeds)
    try await fetch(all: missing, homes, &outcome)
    if !outcome.asked.isEmpty {
      outcome.missing.add(try store.unknown(outcome.asked, of: account.id))
    }
    for feed in try store.requestedFeeds(of: account.id) where outcome.failure == nil {
      try await fetch(all: try await older(feed, &outcome), homes, &outcome)
    }
    if let areWrong = outcome.listed?.itemStatesAreWrong {
      try await store.noteItemStates(of: account.id, areWrong: areWrong)
    }
    return outcome
  }

  /// Stores the marks that the server loses with a subscription: those of its newest articles.
  /// Other clients may have made them since the last pull, or on articles that were never fetched.
  /// - Parameters:
  ///   - id: the server's ID of the feed `ending`.
  ///   - feeds: the server's subscriptions.
  func storeLastMarks(
    of id: String, _ feeds: [RemoteFeed], unread: RemoteNames, starred: RemoteNames
  ) async throws(StoreError) -> AccountError? {
    var outcome = Outcome()
    outcome.listed = ListedStates(unread: unread, starred: starred)
    try await fetch(all: try await older(id, &outcome), Self.homes(feeds), &outcome)
    return outcome.failure
  }

  struct Lists {
    var tree: RemoteTree
    var unread: RemoteNames
    var starred: RemoteNames
    /// The labels and their articles; `nil` if unknown.
    var labels: [RemoteLabel]?
  }

  private func lists() async throws(AccountError) -> Lists {
    let tree = try await backend.tree()
    guard tree.subscriptions.count <= Self.mostFeeds else {
      throw AccountError.unusable(detail: "\(tree.subscriptions.count) subscriptions")
    }
    var lists = Lists(
      tree: tree, unread: try await backend.names(of: .unread),
      starred: try await backend.names(of: .starred))
    guard let names = tree.labels else { return lists }
    var labels: [RemoteLabel] = []
    for (index, name) in names.enumerated() {
      var list = RemoteNames([], isComplete: false)
      if index < Self.mostLabels {
        do throws(AccountError) {
          list = try await backend.names(of: .label(name))
        } catch {
          // The label exists, but its articles are unknown.
          guard error.isRefusal || error.isServerError else { throw error }
        }
      }
      labels.append(RemoteLabel(name, list))
    }
    lists.labels = labels
    return lists
  }

  private func fetch(
    all names: [String], _ homes: [String: String], _ outcome: inout Outcome
  ) async throws(StoreError) {
    var missing = names[...]
    while !missing.isEmpty, outcome.failure == nil, !Task.isCancelled {
      try await fetch(missing.prefix(backend.itemsAtOnce), homes, &outcome)
      missing = missing.dropFirst(backend.itemsAtOnce)
    }
  }

  /// Returns the newest missing articles of a feed, at most those of one call; those of a feed that
  /// is about to end need not be missing.
  private func older(_ feed: String, _ outcome: inout Outcome) async throws(StoreError) -> [String]
  {
    var found: [String] = []
    var continuations: Set<String> = []
    var next: String?
    repeat {
      let page: RemotePage
      do throws(AccountError) {
        page = try await backend.ids(.subscription(feed), after: next)
      } catch {
        if error != .unsupported, !error.isRefusal { outcome.failure = error }
        return []
      }
      found += try ending != nil ? page.ids : store.unknown(page.ids, of: account.id)
      next = page.ids.isEmpty ? nil : page.continuation
      if let next, !continuations.insert(next).inserted { break }
    } while next != nil && found.count < backend.itemsAtOnce
    return Array(found.prefix(backend.itemsAtOnce))
  }

  /// Halves refused batches, and skips a single refused article.
  private func fetch(
    _ names: ArraySlice<String>, _ homes: [String: String], _ outcome: inout Outcome
  ) async throws(StoreError) {
    guard outcome.failure == nil, !Task.isCancelled else { return }
    let items: [RemoteArticle]
    do throws(AccountError) {
      items = try await backend.items(Array(names))
    } catch  where error.isRefusal {
      guard names.count > 1 else {
        outcome.asked += names
        return
      }
      let middle = names.startIndex + names.count / 2
      try await fetch(names[..<middle], homes, &outcome)
      try await fetch(names[middle...], homes, &outcome)
      return
    } catch {
      outcome.failure = error
      return
    }
    outcome.asked += names
    var articles: [RemoteArticle] = []
    for item in items {
      let item = outcome.listed?.corrected(item) ?? item
      articles.append(Self.cleaned(item, home: homes[item.feed]))
    }
    let stored = try await store.storeArticles(articles, of: account.id, ending: ending)
    outcome.added += stored.added.count
    outcome.refusal = outcome.refusal ?? stored.refusal
  }

  // MARK: Cleaning

  /// Returns the base of relative addresses by the ID of the feed.
  static func homes(_ feeds: [RemoteFeed]) -> [String: String] {
    Dictionary(
      feeds.compactMap { feed in (feed.homePageURL ?? feed.url).map { (feed.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  static func cleaned(_ feed: RemoteFeed) -> RemoteFeed {
    RemoteFeed(
      id: feed.id, title: ItemCleaner.label(feed.title) ?? "",
      url: ItemCleaner.address(feed.url), homePageURL: ItemCleaner.address(feed.homePageURL),
      folders: feed.folders.compactMap(ItemCleaner.label))
  }

  static func cleaned(_ article: RemoteArticle, home: String?) -> RemoteArticle {
    var article = article
    article.item = ItemCleaner.clean(article.item, base: home)
    return article
  }
}
