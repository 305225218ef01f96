public import FeedModel
public import Foundation

/// What is needed to refresh a feed: its address, what the origin gave last time, and its history.
public struct FetchRecord: Sendable, Equatable {
  /// The feed's key.
  public var feed: FeedID
  /// The address to be requested.
  public var url: String
  /// The feed's name, for logs and messages.
  public var name: String
  /// The newest `ETag`, as the origin gave it; nil: none.
  public var etag: String?
  /// The newest `Last-Modified`, as the origin gave it; nil: none.
  public var lastModified: String?
  /// The address that gave the validators; they are void for any other.
  public var validatorsURL: String?
  /// Of the last body that was parsed, hexadecimal.
  public var bodyHash: String?
  /// True once any document was merged: the next request is conditional or carries a known hash.
  public var hasBeenFetched: Bool
  /// When the origin last answered well; nil: never.
  public var succeededAt: Date?
  /// When the next check is due; nil: never.
  public var nextCheckAt: Date?
  /// Not to be asked before then, by a user's request either (429, 503 with Retry-After).
  public var notBefore: Date?
  /// The newest failure, until a success clears it.
  public var failure: RefreshFailure?
  /// The target of a permanent redirect that is not confirmed yet; nil: none.
  public var movedTo: String?
  /// When the pending redirect was first seen.
  public var movedSince: Date?
  /// The origin has answered 410, and has not answered well since: no check is planned.
  public var isGone: Bool
  /// Paused by the user.
  public var isPaused: Bool
  /// What the document asks of the refresh schedule; nil: nothing is known of it.
  public var updateHints: UpdateHints?
  /// For how long the origin said that its document stays fresh, in seconds; nil: it did not.
  public var freshFor: Double?
  /// Articles that arrived in the last 28 days, for the learned cadence.
  public var recentArticles: Int
  /// The mean score of its newest articles of these days; without any the score that its articles
  /// begin with.
  public var score = 0
  /// How long its newest complete answer took; zero: there is none.
  public var lastDuration = Duration.zero
  /// What is set for the feed in the cache.
  public var options: FeedOptions
  /// Its document is a list of feeds.
  public var isList = false
  /// The list on the web that named it: one that is followed or was imported; nil: the user's own
  /// word.
  public var listURL: String?
  /// The private server that answered the followed list last; see `RefreshResult.privateServer`.
  public var listServer: String?

  /// What is not given is nil, false, 0 or empty: a feed that was never fetched.
  public init(
    feed: FeedID, url: String, name: String, etag: String? = nil, lastModified: String? = nil,
    validatorsURL: String? = nil, bodyHash: String? = nil, hasBeenFetched: Bool = false,
    succeededAt: Date? = nil, nextCheckAt: Date? = nil, notBefore: Date? = nil,
    failure: RefreshFailure? = nil, movedTo: String? = nil, movedSince: Date? = nil,
    isGone: Bool = false, isPaused: Bool = false, updateHints: UpdateHints? = nil,
    freshFor: Double? = nil, recentArticles: Int = 0, options: FeedOptions = FeedOptions()
  ) {
    self.feed = feed
    self.url = url
    self.name = name
    self.etag = etag
    self.lastModified = lastModified
    self.validatorsURL = validatorsURL
    self.bodyHash = bodyHash
    self.hasBeenFetched = hasBeenFetched
    self.succeededAt = succeededAt
    self.nextCheckAt = nextCheckAt
    self.notBefore = notBefore
    self.failure = failure
    self.movedTo = movedTo
    self.movedSince = movedSince
    self.isGone = isGone
    self.isPaused = isPaused
    self.updateHints = updateHints
    self.freshFor = freshFor
    self.recentArticles = recentArticles
    self.options = options
  }
}

/// That a feed's origin gave what it should.
public struct GoodAnswer: Sendable, Equatable {
  /// The feed's address.
  public var url: String
  /// When it was given.
  public var at: Date
  /// - Parameter url: the feed's address.
  public init(url: String, at: Date) {
    self.url = url
    self.at = at
  }
}

/// The documents that named an address in an article, on which depends what its requests may carry
/// and reach.
public struct AddressNamers: Sendable, Equatable {
  /// The address of the article's feed; `nil` if the feed is gone.
  public var feed: String?
  /// The list on the web, or the server of the account, that named the feed; `nil` if the user did.
  public var list: String?
  /// The pages that the article's text comes from, if it is not the feed's.
  public var pages: [String]
  /// The private server that answered the feed last; see `RefreshResult.privateServer`.
  public var server: String?

  /// The user named the feed, and its text names the address, unless something else is given.
  public init(
    feed: String?, list: String? = nil, pages: [String] = [], server: String? = nil
  ) {
    (self.feed, self.list, self.pages, self.server) = (feed, list, pages, server)
  }
}

/// The outcome of one refresh, ready to be written: one value, one transaction.
public struct RefreshResult: Sendable {
  /// What the refresh came to.
  public enum Outcome: Sendable {
    /// The document was new: merge its items.
    case parsed(ParsedFeed, bodyHash: String)
    /// 304, or a body with the known hash.
    case unchanged
    /// No document was had, for this reason; the status of the answer, where there was one.
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// No request was sent, as the host is in back-off until `notBefore`. A stored failure is kept;
    /// if there is none, this reason is stored without counting an attempt.
    case postponed(RefreshFailure.Kind, status: Int?, detail: String?)
  }
  /// The feed that was refreshed.
  public var feed: FeedID
  /// When the refresh ended.
  public var at: Date
  /// The feed's address that was asked. Where the feed has another one by now, this result is void.
  /// Nil: whatever it has.
  public var askedURL: String?
  /// What the refresh came to.
  public var outcome: Outcome
  /// Where it failed because the document stopped short: what there is of it, to be merged all the
  /// same.
  public var partial: ParsedFeed?
  /// Of a followed list: the feeds that its document names.
  public var list: [OutlineEntry]?
  /// To be stored with the address that gave them; nil: keep those stored.
  public var validators: (etag: String?, lastModified: String?, url: String)?
  /// Drops stored validators (the address changed, the body was unusable).
  public var dropsValidators: Bool
  /// For how long the origin says that its document stays fresh, in seconds: kept for answers that
  /// do not say it again. Only of a success.
  public var freshFor: Double?
  /// When the next check is due; nil: never.
  public var nextCheckAt: Date?
  /// Why then; worded only on screens.
  public var nextCheckReasons: [CheckReason]
  /// The origin is not to be asked before then (Retry-After); nil: no such time.
  public var notBefore: Date?
  /// A permanent redirect's target that awaits its confirmation, and since when; nil clears it.
  /// Where it is `newURL` itself it is kept only if another subscription has that address.
  public var moved: (to: String, since: Date)?
  /// The confirmed new address: the subscription moves to it, unless another has it.
  public var newURL: String?
  /// The origin has answered 410, and has not answered well since.
  public var isGone: Bool
  /// The address and port of the server that answered well, if it is in a private network.
  public var privateServer: String?
  /// Bytes received on the wire.
  public var bytes: Int64
  /// Seconds.
  public var duration: Double

  /// What is not given is nil, false, 0 or empty.
  public init(
    feed: FeedID, at: Date, askedURL: String? = nil, outcome: Outcome,
    partial: ParsedFeed? = nil,
    validators: (etag: String?, lastModified: String?, url: String)? = nil,
    dropsValidators: Bool = false, freshFor: Double? = nil, nextCheckAt: Date? = nil,
    nextCheckReasons: [CheckReason] = [], notBefore: Date? = nil,
    moved: (to: String, since: Date)? = nil, newURL: String? = nil,
    isGone: Bool = false, bytes: Int64 = 0, duration: Double = 0
  ) {
    self.feed = feed
    self.at = at
    self.askedURL = askedURL
    self.outcome = outcome
    self.partial = partial
    self.validators = validators
    self.dropsValidators = dropsValidators
    self.freshFor = freshFor
    self.nextCheckAt = nextCheckAt
    self.nextCheckReasons = nextCheckReasons
    self.notBefore = notBefore
    self.moved = moved
    self.newURL = newURL
    self.isGone = isGone
    self.bytes = bytes
    self.duration = duration
  }
}

/// What a merge did to one feed.
public struct MergeOutcome: Sendable, Equatable {
  /// The feed that was merged.
  public var feed: FeedID
  /// Articles that were not here before, in ascending order of their keys.
  public var added: [ArticleID]
  /// How many known articles changed.
  public var updated: Int
  /// Nothing changed, unless it is given.
  public init(feed: FeedID, added: [ArticleID] = [], updated: Int = 0) {
    self.feed = feed
    self.added = added
    self.updated = updated
  }
}
