import Foundation

// Detects implausible lists: empty ones of a starting server, new ids after a rebuild, or a
// restored backup.

extension AccountPull {
  private static let sampleSize = 50

  /// Returns the failure that keeps the cache unchanged; `nil` if the lists are plausible.
  func listFailure(_ lists: Lists, began: Date) async throws(StoreError) -> AccountError? {
    if let failure = try await absenceFailure(lists, began: began) { return failure }
    return try await store.cache.findLostMarks(
      of: account.id, unread: lists.unread, starred: lists.starred
    ).map { .setBack(marks: $0.count, since: $0.since) }
  }

  /// Returns the failure if expected articles are missing.
  private func absenceFailure(
    _ lists: Lists, began: Date
  ) async throws(StoreError) -> AccountError? {
    guard try !store.isRematching(account.id) else { return nil }
    let feeds = lists.tree.subscriptions
    let known = try store.rememberedStates(of: account.id, in: feeds.map(Self.cleaned))
    if known.hasFeeds, feeds.isEmpty { return try await emptyLists(began) }
    let starred = missing(known.starred, from: lists.starred)
    let unread = missing(known.unread, from: lists.unread)
    let size = min(Self.sampleSize, backend.itemsAtOnce)
    let sample = Set((starred + unread).prefix(size))
    if sample.isEmpty {
      let listed = lists.unread.names + lists.starred.names
      guard !listed.isEmpty, try store.unknown(listed, of: account.id).count == listed.count
      else { return nil }
    }
    let items: [RemoteArticle]
    do throws(AccountError) {
      items = try await existing(Array(sample))
      // A server may have deleted a few articles that were read elsewhere.
      if items.isEmpty, starred.isEmpty, unread.count < 5 {
        guard !known.latest.isEmpty, try await existing(known.latest).isEmpty else { return nil }
      }
    } catch {
      return error
    }
    if items.isEmpty {
      try await store.askAboutRebuild(of: account.id)
      return .rebuilt
    }
    // A list that was fetched only in part proves nothing about missing names.
    guard lists.unread.isComplete, lists.starred.isComplete else { return nil }
    let (missingStars, missingUnread) = (Set(starred), Set(unread))
    let agreeing = items.count { item in
      missingStars.contains(item.item.id)
        ? !item.isStarred : !missingUnread.contains(item.item.id) || item.isRead
    }
    return agreeing * 2 >= items.count ? nil : try await emptyLists(began)
  }

  private func existing(_ names: [String]) async throws(AccountError) -> [RemoteArticle] {
    guard !names.isEmpty else { return [] }
    do throws(AccountError) {
      return try await backend.items(names)
    } catch  where error.isRefusal {
      return []
    }
  }

  /// Returns the known names that the list lacks; none if the list has at least a fifth of the
  /// known names.
  private func missing(_ known: [String], from list: RemoteNames) -> [String] {
    let listed = Set(list.names)
    let missing = known.filter { !listed.contains($0) }
    return missing.count * 5 > known.count * 4 ? missing : []
  }

  private func emptyLists(_ began: Date) async throws(StoreError) -> AccountError? {
    try await store.noteEmptyLists(of: account.id, began: began) ? nil : .emptyLists
  }
}

extension RemoteBackend {
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
