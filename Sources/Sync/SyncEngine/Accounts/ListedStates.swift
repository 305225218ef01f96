import FeedStore
import RemoteAccounts

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

  /// Returns the article with the lists' states.
  mutating func corrected(_ item: RemoteItem) -> RemoteItem {
    let (isUnread, isStarred) = (unread.contains(item.id), starred.contains(item.id))
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
