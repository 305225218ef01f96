import Foundation

// Compares a sample of articles before lists are applied, because a list may be empty at a starting
// server, and IDs may belong to other articles at one that was rebuilt.

extension AccountPull {
  /// The maximum number of articles whose addresses are compared before lists are applied or
  /// changes are sent. A rebuilt server gives nearly all IDs to others, and one that was set back
  /// the newest, which a sample has first.
  static let sampleSize = 20

  /// The result of a check of lists.
  enum Verdict: Equatable {
    /// The lists can be applied. The subscriptions with these IDs have moved to other addresses.
    case plausible(moved: Set<String>)
    /// The lists can be applied to other IDs than before.
    case rebuilt
    case failed(AccountError)
  }

  /// Checks the lists against the articles themselves. Removes IDs that the server gave to others
  /// or has lost.
  func check(_ lists: Lists, began: Date) async throws(StoreError) -> Verdict {
    let feeds = lists.tree.subscriptions.map(Self.cleaned)
    let sample = try store.sample(
      of: account.id, feeds, unread: lists.unread, starred: lists.starred,
      limit: min(Self.sampleSize, backend.itemsAtOnce))
    if sample.hasFeeds, feeds.isEmpty { return try await emptyLists(began) }
    guard !sample.articles.isEmpty else { return .plausible(moved: []) }
    let homes = Self.homes(feeds)
    let found: [String: RemoteArticle]
    do throws(AccountError) {
      found = try await backend.present(sample.articles.map(\.remoteID))
        .mapValues { Self.cleaned($0, home: homes[$0.feed]) }
    } catch {
      return .failed(error)
    }
    let answered = sample.articles.filter { found[$0.remoteID] != nil }
    let isOther = answered.contains { known in
      found[known.remoteID].map { !known.isSame(as: $0) } ?? false
    }
    if isOther || answered.isEmpty && sample.articles.contains(where: \.isLasting) {
      try await store.noteRebuilt(account.id)
      return .rebuilt
    }
    // A list that was fetched only in part proves nothing about missing names.
    if lists.unread.isComplete, lists.starred.isComplete {
      let (unread, starred) = (Set(lists.unread.names), Set(lists.starred.names))
      let removed = answered.filter { known in
        !known.isRead && !unread.contains(known.remoteID)
          || known.isStarred && !starred.contains(known.remoteID)
      }
      let denied = removed.count { known in
        guard let item = found[known.remoteID] else { return false }
        return known.isStarred && !starred.contains(known.remoteID)
          ? item.isStarred : !item.isRead
      }
      if denied * 2 > removed.count { return try await emptyLists(began) }
    }
    try await store.forget(
      sample.articles.filter { $0.isLasting && found[$0.remoteID] == nil }.map(\.remoteID),
      of: account.id)
    try await store.sendLostMarks(of: account.id, unread: lists.unread, starred: lists.starred)
    let proven = Set(answered.compactMap { found[$0.remoteID]?.feed == $0.feed ? $0.feed : nil })
    return .plausible(moved: sample.moved.intersection(proven))
  }

  private func emptyLists(_ began: Date) async throws(StoreError) -> Verdict {
    try await store.noteEmptyLists(of: account.id, began: began)
      ? .plausible(moved: []) : .failed(.emptyLists)
  }
}

extension RemoteBackend {
  /// Returns those articles that the server has, by ID; none if it refuses the request.
  /// - Parameter ids: at most `itemsAtOnce`.
  func present(_ ids: [String]) async throws(AccountError) -> [String: RemoteArticle] {
    do throws(AccountError) {
      return Dictionary(
        try await items(ids).map { ($0.item.id, $0) }, uniquingKeysWith: { first, _ in first })
    } catch  where error.isRefusal {
      return [:]
    }
  }

  /// Fetches all pages of a list. A repeated continuation means that the list has no end.
  func names(of list: RemoteList) async throws(AccountError) -> RemoteNames {
    // A longer list counts as endless.
    let mostNames = 500_000
    var names: [String] = []
    var continuations: Set<String> = []
    var next: String?
    repeat {
      let page = try await ids(list, after: next)
      names += page.ids
      next = page.continuation
      if page.isCircular || page.ids.isEmpty && next != nil
        || next.map({ !continuations.insert($0).inserted }) ?? false
        || names.count > mostNames
      {
        return RemoteNames(names, isComplete: false)
      }
    } while next != nil
    return RemoteNames(names, isComplete: true)
  }
}

/// A pure value that corrects the states of articles by the lists of a pull, because some servers
/// return wrong states with articles.
struct ListedStates: Sendable {
  private let unread: Set<String>
  private let starred: Set<String>
  /// True if absence from a list means the opposite state.
  private let isComplete: Bool
  /// True if states of starred articles differed from the lists; `nil` before a comparison.
  private(set) var itemStatesAreWrong: Bool?

  init(unread: RemoteNames, starred: RemoteNames) {
    (self.unread, self.starred) = (Set(unread.names), Set(starred.names))
    isComplete = unread.isComplete && starred.isComplete
  }

  mutating func corrected(_ item: RemoteArticle) -> RemoteArticle {
    let (isUnread, isStarred) = (unread.contains(item.item.id), starred.contains(item.item.id))
    guard isUnread || isStarred else { return item }
    var item = item
    if isStarred {
      let isWrong = !item.isStarred || isComplete && item.isRead == isUnread
      itemStatesAreWrong = isWrong || itemStatesAreWrong ?? false
      // An article that may be unread must not count as read.
      if isWrong { item.isRead = false }
    }
    item.isStarred = isStarred || !isComplete && item.isStarred
    if isComplete || isUnread { item.isRead = !isUnread }
    return item
  }
}
