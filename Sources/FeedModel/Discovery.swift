// Adding a feed from the screen: a durable request that the engine answers, like any other.

/// A request to find the feeds at an address.
public struct Discovery: Sendable, Equatable, Identifiable {
  /// How far the request is. It leaves `waiting` once, when the engine has answered.
  public enum State: Sendable, Equatable {
    case waiting
    /// Best first; one: it can be taken without asking.
    case found([FeedCandidate])
    /// The address could not be fetched, or nothing was found there.
    case failed(RefreshFailure)
  }
  /// The key of its row in the cache.
  public var id: Int64
  /// As the user gave it; a missing scheme is completed by the engine.
  public var url: String
  public var state: State
  public init(id: Int64, url: String, state: State = .waiting) {
    self.id = id
    self.url = url
    self.state = state
  }
}

/// Something that can be subscribed to.
public struct FeedCandidate: Sendable, Equatable, Codable {
  /// What can be subscribed to.
  public enum Kind: String, Sendable, Codable {
    case feed
    case list
    /// Links of a page that has no feed (`HeadlinesAddress`).
    case headlines
  }
  /// Its absolute address.
  public var url: String
  /// Plain text; nil if the feed gives none, or was only announced.
  public var title: String?
  /// The newest titles, for a preview; empty if the feed was only announced, not read. Of a list
  /// the names of its first feeds.
  public var latestTitles: [String]
  public var kind: Kind
  /// How many feeds the list names, or how many headlines the page has.
  public var count: Int?

  public init(
    url: String, title: String? = nil, latestTitles: [String] = [], kind: Kind = .feed,
    count: Int? = nil
  ) {
    self.url = url
    self.title = title
    self.latestTitles = latestTitles
    self.kind = kind
    self.count = count
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      url: try values.decode(String.self, forKey: .url),
      title: try values.decodeIfPresent(String.self, forKey: .title),
      latestTitles: try values.decode([String].self, forKey: .latestTitles),
      // Earlier versions knew feeds only.
      kind: try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .feed,
      count: try values.decodeIfPresent(Int.self, forKey: .count))
  }
}
