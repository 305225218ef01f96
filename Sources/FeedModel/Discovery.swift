// Adding a feed from the screen: a durable request that the engine answers, like any other.

/// A request to find the feeds at an address.
public struct Discovery: Sendable, Equatable, Identifiable {
  /// How far the request is. It leaves `waiting` once, when the engine has answered.
  public enum State: Sendable, Equatable {
    case waiting
    /// Best first; one: it can be taken without asking.
    case found([FeedCandidate])
    case failed(RefreshFailure)
  }
  /// The key of its row in the cache.
  public var id: Int64
  /// As the user gave it; a missing scheme is completed by the engine.
  public var url: String
  /// Set by the engine.
  public var state: State
  /// A request that is not answered yet, unless a state is given.
  public init(id: Int64, url: String, state: State = .waiting) {
    self.id = id
    self.url = url
    self.state = state
  }
}

/// A feed that can be subscribed to.
public struct FeedCandidate: Sendable, Equatable, Codable {
  /// Its absolute address.
  public var url: String
  /// Plain text; nil where the feed gives none, or was only announced.
  public var title: String?
  /// The newest titles, for a preview; empty where the feed was only announced, not read.
  public var latestTitles: [String]
  /// Nothing is known of the feed but its address, unless it is given.
  public init(url: String, title: String? = nil, latestTitles: [String] = []) {
    self.url = url
    self.title = title
    self.latestTitles = latestTitles
  }
}
