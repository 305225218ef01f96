import FeedStore
import RemoteAccounts

/// The lists of a pull, by which the states that come with articles are corrected: some servers
/// give wrong ones. Pure.
struct ListedStates: Sendable {
  private let unread: Set<String>
  private let starred: Set<String>
  /// Whether articles in one list only do not have the other state.
  private let isComplete: Bool
  /// Whether the states of starred articles were other ones than those of the lists; nil as long as
  /// none was compared.
  private(set) var itemStatesAreWrong: Bool?

  init(unread: RemoteNames, starred: RemoteNames) {
    (self.unread, self.starred) = (Set(unread.names), Set(starred.names))
    isComplete = unread.isComplete && starred.isComplete
  }

  /// The article with the states of the lists, if these name it.
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
