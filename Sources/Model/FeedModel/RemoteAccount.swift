/// The protocols of accounts' servers. The raw value is the name in the cache and on the command
/// line.
public enum AccountKind: String, Sendable, Codable, CaseIterable {
  /// The Google Reader API: FreshRSS, Miniflux, Inoreader and others.
  case googleReader = "greader"
  case fever
}

/// A subscription of an account at its server.
public struct RemoteFeed: Sendable, Equatable {
  /// The server's opaque key.
  public var id: String
  /// Plain text as the server shows it, which may differ from the text sent and is never sent back.
  public var title: String
  public var url: String?
  public var homePageURL: String?
  /// Folder names; most servers allow one.
  public var folders: [String]
  /// Eight hexadecimal digits of the user's order; `nil` if there is no order.
  public var sortID: String?

  public init(
    id: String, title: String, url: String?, homePageURL: String? = nil, folders: [String] = [],
    sortID: String? = nil
  ) {
    (self.id, self.title, self.url, self.homePageURL) = (id, title, url, homePageURL)
    (self.folders, self.sortID) = (folders, sortID)
  }
}

/// An article of an account at its server. The cache stores sanitised ones.
public struct RemoteArticle: Sendable, Equatable {
  /// The article's content; its `id` is the server's key.
  public var item: ParsedItem
  /// The key of the subscription.
  public var feed: String
  public var isRead: Bool
  public var isStarred: Bool
  /// The user's labels and the subscription's folders, which only the list of labels distinguishes.
  public var labels: [String]

  public init(
    item: ParsedItem, feed: String, isRead: Bool, isStarred: Bool, labels: [String] = []
  ) {
    (self.item, self.feed, self.isRead, self.isStarred) = (item, feed, isRead, isStarred)
    self.labels = labels
  }
}
