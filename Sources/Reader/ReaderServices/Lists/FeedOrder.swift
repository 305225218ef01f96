/// The order of feeds in a folder. Folders are ordered by name or by the user.
package nonisolated enum FeedOrder: String, CaseIterable {
  case own, name, unread, latest
}
