/// A durable request to find the feeds at an address.
public struct Discovery: Sendable, Equatable, Identifiable {
  /// The progress of the request, which leaves `waiting` once, when the engine has answered.
  public enum State: Sendable, Equatable, Codable {
    case waiting
    /// Feeds found, best first; a single one is accepted without asking.
    case found([FeedCandidate])
    case failed(RefreshFailure)
  }
  public var id: Int64
  /// The text that the user typed; the engine completes a missing scheme.
  public var url: String
  public var state: State
  public init(id: Int64, url: String, state: State = .waiting) {
    (self.id, self.url, self.state) = (id, url, state)
  }
}

/// A feed, list or page that can be subscribed to.
public struct FeedCandidate: Sendable, Equatable, Codable {
  /// The kind of subscription.
  public enum Kind: String, Sendable, Codable {
    case feed
    case list
    /// Links of a page that has no feed (`HeadlinesAddress`).
    case headlines
  }
  public var url: String
  /// Plain text; `nil` if the feed gives none or was only announced.
  public var title: String?
  /// The newest titles, or the names of a list's first feeds; empty if the feed was not read.
  public var latestTitles: [String]
  public var kind: Kind
  /// The number of feeds in the list, or of headlines on the page.
  public var count: Int?

  public init(
    url: String, title: String? = nil, latestTitles: [String] = [], kind: Kind = .feed,
    count: Int? = nil
  ) {
    (self.url, self.title, self.latestTitles, self.kind) = (url, title, latestTitles, kind)
    self.count = count
  }
}

/// A list of subscriptions that another reader has in one of its usual places, which the first
/// start offers to import.
public struct ImportOffer: Sendable, Hashable {
  /// The name of the reader, or "OPML" for an exported file.
  public var reader: String
  public var path: String
  /// The number of feeds that an import would read from it.
  public var feeds: Int

  public init(reader: String, path: String, feeds: Int) {
    (self.reader, self.path, self.feeds) = (reader, path, feeds)
  }
}
