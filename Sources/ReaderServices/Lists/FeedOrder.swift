/// The order of feeds in a folder; folders are ordered by name or by the user.
package nonisolated enum FeedOrder: String, CaseIterable {
  case own, name, unread, latest
}
