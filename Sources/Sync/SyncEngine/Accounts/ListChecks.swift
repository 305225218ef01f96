import Foundation

// Compares a sample of articles before lists are applied, because a list may be empty at a starting
// server, and IDs may belong to other articles at one that was rebuilt.

extension AccountPull {
  /// The maximum number of articles whose addresses are compared before lists are applied or
  /// changes are sent. A rebuilt server gives nearly all IDs to others, and one that was set back
  /// the newest, which a sample has first.
  static let sampleSize = 20

  /// Checks the lists against the articles themselves. Removes IDs that the server gave to others
  /// or has lost.
  /// - Returns: IDs of subscriptions that have moved to other addresses; `nil` if the lists cannot
  ///   be applied, because of the outcome's failure.
  func check(
    _ lists: Lists, began: Date, _ outcome: inout Outcome
  ) async throws(StoreError) -> Set<String>? {
    let feeds = lists.tree.subscriptions.map(Self.cleaned)
    let sample = try store.sample(
      of: account.id, feeds, unread: lists.unread, starred: lists.starred,
      limit: min(Self.sampleSize, backend.itemsAtOnce))
    if sample.hasFeeds, feeds.isEmpty { return try await emptyLists(began, &outcome) }
    guard !sample.articles.isEmpty else { return [] }
    let homes = Self.homes(feeds)
    let found: [String: RemoteArticle]
    do throws(AccountError) {
      found = try await backend.present(sample.articles.map(\.remoteID))
        .mapValues { Self.cleaned($0, home: homes[$0.feed]) }
    } catch {
      outcome.failure = error
      return nil
    }
    let answered = sample.articles.filter { found[$0.remoteID] != nil }
    let isOther = answered.contains { known in
      found[known.remoteID].map { !known.isSame(as: $0) } ?? false
    }
    if isOther || answered.isEmpty && sample.articles.contains(where: \.isLasting) {
      try await store.noteRebuilt(account.id)
      outcome.missing = MissingRemoteIDs()
      return []
    }
    // A list that was fetched only in part proves nothing about missing names.
    if lists.unread.isComplete, lists.starred.isComplete {
      let (unread, starred) = (lists.unread.listed, lists.starred.listed)
      let removed = answered.filter { known in
        !known.isRead && !unread.contains(known.remoteID)
          || known.isStarred && !starred.contains(known.remoteID)
      }
      let denied = removed.count { known in
        guard let item = found[known.remoteID] else { return false }
        return known.isStarred && !starred.contains(known.remoteID)
          ? item.isStarred : !item.isRead
      }
      if denied * 2 > removed.count { return try await emptyLists(began, &outcome) }
    }
    try await store.forget(
      sample.articles.filter { $0.isLasting && found[$0.remoteID] == nil }.map(\.remoteID),
      of: account.id)
    try await store.sendLostMarks(of: account.id, unread: lists.unread, starred: lists.starred)
    let proven = Set(answered.compactMap { found[$0.remoteID]?.feed == $0.feed ? $0.feed : nil })
    return sample.moved.intersection(proven)
  }

  private func emptyLists(
    _ began: Date, _ outcome: inout Outcome
  ) async throws(StoreError) -> Set<String>? {
    if try await store.noteEmptyLists(of: account.id, began: began) { return [] }
    outcome.failure = .emptyLists
    return nil
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
  let unread: RemoteNames
  let starred: RemoteNames
  /// True if states of starred articles differed from the lists; `nil` before a comparison.
  private(set) var itemStatesAreWrong: Bool?

  mutating func corrected(_ item: RemoteArticle) -> RemoteArticle {
    let (isUnread, isStarred) = (
      unread.listed.contains(item.item.id), starred.listed.contains(item.item.id)
    )
    // Absence from a complete list means the opposite state.
    let isComplete = unread.isComplete && starred.isComplete
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
