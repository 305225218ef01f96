public import Foundation

/// The documents that named an address in an article. They decide which credentials and networks
/// its requests may use.
public struct AddressReferrers: Sendable, Equatable {
  /// The address of the article's feed; `nil` if the feed is gone.
  public var feed: String?
  /// The list or account's server that the feed comes from; `nil` if the user added it.
  public var list: String?
  /// The pages that the article's text comes from, if it is not the feed's.
  public var pages: [String]
  /// The private server that answered the feed last; see `RefreshResult.privateServer`.
  public var server: String?

  /// By default, the user added the feed, and the address is in the feed's own text.
  public init(
    feed: String?, list: String? = nil, pages: [String] = [], server: String? = nil
  ) {
    (self.feed, self.list, self.pages, self.server) = (feed, list, pages, server)
  }
}

/// The outcome of one refresh, ready to be written.
public struct RefreshResult: Sendable {
  /// The result of the request.
  public enum Outcome: Sendable {
    case parsed(ParsedFeed, bodyHash: String)
    /// 304, or a body with the known hash.
    case unchanged
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// No request was sent, because the host is in back-off until `notBefore`. A stored failure is
    /// kept; without one, this reason is stored and no attempt is counted.
    case postponed(RefreshFailure.Kind, status: Int?, detail: String?)
  }
  public var feed: FeedID
  public var at: Date
  /// Requested address. The result is void if the feed has another one now; `nil` accepts any.
  public var askedURL: String?
  public var outcome: Outcome
  /// Complete items of a document that was cut off, to be merged after a failure.
  public var partial: ParsedFeed?
  /// Feeds that the document of a followed list names.
  public var list: [OutlineEntry]?
  /// Validators and the address that gave them; `nil` keeps the stored ones.
  public var validators: (etag: String?, lastModified: String?, url: String)?
  /// Drops stored validators (the address changed, the body was unusable).
  public var dropsValidators = false
  /// True if a whole document arrived, even the known one.
  public var hasDocument = false
  /// Seconds that the document stays fresh, stored for later 304s that state no time.
  public var freshFor: Double?
  /// Time of the next check; `nil` if none is planned.
  public var nextCheckAt: Date?
  public var nextCheckReasons: [CheckReason]
  /// End of the address's back-off; `nil` without one.
  public var notBefore: Date?
  /// Target of a permanent redirect that awaits confirmation; `nil` clears it. If it equals
  /// `newURL`, it is stored only if another subscription has that address.
  public var moved: (to: String, since: Date)?
  /// Confirmed new address. The subscription moves to it unless another has it.
  public var newURL: String?
  /// True if the origin answered 410 and has given no good answer since.
  public var isGone = false
  /// The address and port of the server that answered well, if it is in a private network.
  public var privateServer: String?
  /// Bytes received on the wire.
  public var bytes: Int64 = 0
  /// Seconds.
  public var duration = 0.0

  public init(
    feed: FeedID, at: Date, outcome: Outcome, nextCheckAt: Date? = nil,
    nextCheckReasons: [CheckReason] = []
  ) {
    (self.feed, self.at, self.outcome) = (feed, at, outcome)
    (self.nextCheckAt, self.nextCheckReasons) = (nextCheckAt, nextCheckReasons)
  }
}

/// The result of a merge for one feed.
public struct MergeOutcome: Sendable, Equatable {
  public var feed: FeedID
  /// New articles by ascending key.
  public var added: [ArticleID]
  /// Number of known articles that changed.
  public var updated: Int
  /// The reason why a part was not stored.
  public var refusal: String?
  public init(feed: FeedID, added: [ArticleID] = [], updated: Int = 0) {
    (self.feed, self.added, self.updated) = (feed, added, updated)
  }
}
