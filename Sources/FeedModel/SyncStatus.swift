public import Foundation

/// Priorities of operations, most urgent first (see Documentation.docc/Architecture).
public enum OperationPriority: Int, Sendable, Codable, Comparable, CaseIterable {
  /// Sending, and what the user explicitly asked for now.
  case userInitiated = 0
  /// Feeds on screen, or that the user rests on.
  case visible
  case scheduled
  case background
  case prefetch
  /// The more urgent priority is the lesser.
  public static func < (a: OperationPriority, b: OperationPriority) -> Bool {
    a.rawValue < b.rawValue
  }
}

/// The connection's quality, as screens show it.
public enum ConnectionQuality: String, Sendable, Codable, CaseIterable, Comparable {
  /// From no network to one that is not the limit.
  case offline, poor, fair, good, excellent

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  /// The worse connection is the lesser.
  public static func < (a: ConnectionQuality, b: ConnectionQuality) -> Bool { a.rank < b.rank }
}

/// The state of the sync engine: one row in the cache, observed by every process.
public struct SyncStatus: Sendable, Equatable, Codable {
  /// Nil if no engine has run yet.
  public var quality: ConnectionQuality?
  public var isRunning: Bool
  /// Refreshes of this sync that ended, well or not.
  public var done: Int
  public var total: Int
  /// Those of `done` that failed or were put off.
  public var failed: Int
  public var newArticles: Int
  /// Bytes received on the wire in this sync.
  public var bytes: Int64
  /// Bytes a second over the last window.
  public var rate: Double
  /// Operations that may run at once, and that do.
  public var limit: Int
  public var inFlight: Int
  /// When this sync began; nil: none has yet.
  public var startedAt: Date?
  /// When it ended; nil while it runs, and before the first.
  public var endedAt: Date?

  /// The names under which it is stored.
  private enum CodingKeys: String, CodingKey {
    case quality = "grade", isRunning, done, total, failed, newArticles, bytes, rate
    case limit = "width", inFlight, startedAt, endedAt
  }

  public init(
    quality: ConnectionQuality? = nil, isRunning: Bool = false, done: Int = 0, total: Int = 0,
    failed: Int = 0, newArticles: Int = 0, bytes: Int64 = 0, rate: Double = 0, limit: Int = 0,
    inFlight: Int = 0, startedAt: Date? = nil, endedAt: Date? = nil
  ) {
    self.quality = quality
    self.isRunning = isRunning
    self.done = done
    self.total = total
    self.failed = failed
    self.newArticles = newArticles
    self.bytes = bytes
    self.rate = rate
    self.limit = limit
    self.inFlight = inFlight
    self.startedAt = startedAt
    self.endedAt = endedAt
  }
}

/// What a refresh is asked for.
public enum RefreshScope: Sendable, Hashable {
  case all
  /// The feeds of a folder and of the folders in it.
  case folder(FolderID)
  case feed(FeedID)
  case feeds([FeedID])
}

/// A pull to refresh, as a durable row: what was asked, how far it is, what it came to.
public struct RefreshRequest: Sendable, Equatable, Identifiable {
  /// The key of its row in the cache.
  public var id: Int64
  public var scope: RefreshScope
  public var requestedAt: Date
  public var total: Int
  /// Those of `total` that ended, well or not.
  public var done: Int
  /// Those of `done` that failed.
  public var failed: Int
  public var newArticles: Int
  public var unchanged: Int
  /// Bytes received on the wire for it.
  public var bytes: Int64
  /// When it ended: all of its feeds are done, or it was cancelled; nil: not yet.
  public var finishedAt: Date?
  public var isFinished: Bool { finishedAt != nil }

  public init(
    id: Int64, scope: RefreshScope, requestedAt: Date, total: Int = 0, done: Int = 0,
    failed: Int = 0, newArticles: Int = 0, unchanged: Int = 0, bytes: Int64 = 0,
    finishedAt: Date? = nil
  ) {
    self.id = id
    self.scope = scope
    self.requestedAt = requestedAt
    self.total = total
    self.done = done
    self.failed = failed
    self.newArticles = newArticles
    self.unchanged = unchanged
    self.bytes = bytes
    self.finishedAt = finishedAt
  }
}
