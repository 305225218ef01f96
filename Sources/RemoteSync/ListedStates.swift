import FeedStore
import RemoteAccounts

/// The lists of a pull, which correct the states of articles, as some servers give wrong ones.
/// Pure.
struct ListedStates: Sendable {
  private let unread: Set<String>
  private let starred: Set<String>
  /// Whether absence from a list means the other state.
  private let isComplete: Bool
  /// Whether starred articles' states differed from the lists; `nil` before a comparison.
  private(set) var itemStatesAreWrong: Bool?

  init(unread: RemoteNames, starred: RemoteNames) {
    (self.unread, self.starred) = (Set(unread.names), Set(starred.names))
    isComplete = unread.isComplete && starred.isComplete
  }

  /// Returns the article with the lists' states.
  mutating func corrected(_ item: RemoteItem) -> RemoteItem {
    let (isUnread, isStarred) = (unread.contains(item.id), starred.contains(item.id))
    guard isUnread || isStarred else { return item }
    var item = item
    if isStarred {
      let isWrong = !item.isStarred || isComplete && item.isRead == isUnread
      itemStatesAreWrong = isWrong || itemStatesAreWrong ?? false
      // An article that may be unread is not taken for a read one.
      if isWrong { item.isRead = false }
    }
    item.isStarred = isStarred || !isComplete && item.isStarred
    if isComplete || isUnread { item.isRead = !isUnread }
    return item
  }
}
