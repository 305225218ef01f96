public import Foundation

/// Priorities of operations, most urgent first. Attention and age raise them (`OperationTable`).
public enum OperationPriority: Int, Sendable, Codable, Comparable, CaseIterable {
  /// Sending the user's changes, and explicit requests of the user.
  case userInitiated = 0
  /// Feeds on screen or selected.
  case visible
  case scheduled
  case background
  case prefetch
  /// Orders by urgency, most urgent first.
  public static func < (a: OperationPriority, b: OperationPriority) -> Bool {
    a.rawValue < b.rawValue
  }
}

/// The connection's quality, as screens show it.
public enum ConnectionQuality: String, Sendable, Codable, CaseIterable, Comparable {
  /// The case `excellent` means that the network is not the limit.
  case offline, poor, fair, good, excellent

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  /// Orders worse connections first.
  public static func < (a: ConnectionQuality, b: ConnectionQuality) -> Bool { a.rank < b.rank }
}

/// The state of the sync engine: one row in the cache, observed by every process.
public struct SyncStatus: Sendable, Equatable, Codable {
  /// The connection's quality; `nil` if no engine has run yet.
  public var quality: ConnectionQuality?
  public var isRunning: Bool
  /// Number of refreshes of this sync that ended in success or failure.
  public var done: Int
  public var total: Int
  /// The part of `done` that failed or was postponed.
  public var failed: Int
  public var newArticles: Int
  /// Bytes received on the wire in this sync.
  public var bytes: Int64
  /// Bytes per second over the last window.
  public var rate: Double
  /// The number of operations that may run, and the number that do.
  public var limit: Int
  public var inFlight: Int
  /// Feeds whose refresh has begun and is not yet stored, ascending.
  public var refreshing: [FeedID]
  /// The start of the last sync; `nil` before the first.
  public var startedAt: Date?
  /// The end of the last sync; `nil` during a sync and before the first.
  public var endedAt: Date?

  public init(
    quality: ConnectionQuality? = nil, isRunning: Bool = false, done: Int = 0, total: Int = 0,
    failed: Int = 0, newArticles: Int = 0, bytes: Int64 = 0, rate: Double = 0, limit: Int = 0,
    inFlight: Int = 0, refreshing: [FeedID] = [], startedAt: Date? = nil, endedAt: Date? = nil
  ) {
    (self.quality, self.isRunning, self.done, self.total) = (quality, isRunning, done, total)
    (self.failed, self.newArticles, self.bytes, self.rate) = (failed, newArticles, bytes, rate)
    (self.limit, self.inFlight, self.refreshing) = (limit, inFlight, refreshing)
    (self.startedAt, self.endedAt) = (startedAt, endedAt)
  }
}

/// The feeds of a refresh request.
public enum RefreshScope: Sendable, Hashable, Codable {
  case all
  /// The feeds in a folder and in its nested folders.
  case folder(FolderID)
  case feed(FeedID)
  case feeds([FeedID])

  /// The priority of the refreshes that a request of this scope causes. A refresh of everything, of
  /// a folder or of several feeds is `scheduled`, although the user requests it: its thousand feeds
  /// must not start before those on screen, which become `visible`, or before the feed that the
  /// user requests next.
  public var priority: OperationPriority {
    if case .feed = self { .userInitiated } else { .scheduled }
  }
}

/// A durable request to refresh, with its progress and result.
public struct RefreshRequest: Sendable, Equatable, Identifiable {
  public var id: Int64
  public var scope: RefreshScope
  public var requestedAt: Date
  public var total = 0
  /// Number of refreshes that ended in success or failure.
  public var done = 0
  public var failed = 0
  public var newArticles = 0
  public var unchanged = 0
  /// Bytes received on the wire.
  public var bytes: Int64 = 0
  /// The end or cancellation of the request; `nil` before.
  public var finishedAt: Date?
  public var isFinished: Bool { finishedAt != nil }

  public init(id: Int64, scope: RefreshScope, requestedAt: Date) {
    (self.id, self.scope, self.requestedAt) = (id, scope, requestedAt)
  }
}
