public import Foundation

/// What the engine publishes of its work while the console is open: which operations run and wait,
/// the state of each host, and samples of the network over the last minutes.
public struct SyncTelemetry: Sendable, Equatable {
  /// When it was published; nil: never.
  public var at: Date?
  public var reason: LimitReason?
  /// The most operations that may ever run at once.
  public var ceiling: Int
  /// Running ones first, oldest first; then those that wait, in the order in which they will start.
  /// Of the latter only the first `SyncTelemetry.waitingLimit`.
  public var operations: [OperationStatus]
  public var waiting: [WaitReason: Int]
  /// The hosts that matter most: in use, paused, then those that answered last.
  public var hosts: [HostTelemetry]
  public var samples: [NetworkSample]

  /// Waiting operations beyond this many are only counted.
  public static let waitingLimit = 200
  /// Hosts beyond this many are left out.
  public static let hostLimit = 100
  /// How long a sample is kept, in seconds.
  public static let memory = 300.0

  public init(
    at: Date? = nil, reason: LimitReason? = nil, ceiling: Int = 0,
    operations: [OperationStatus] = [],
    waiting: [WaitReason: Int] = [:], hosts: [HostTelemetry] = [], samples: [NetworkSample] = []
  ) {
    self.at = at
    self.reason = reason
    self.ceiling = ceiling
    self.operations = operations
    self.waiting = waiting
    self.hosts = hosts
    self.samples = samples
  }
}

/// One operation of the sync, running or waiting.
public struct OperationStatus: Sendable, Equatable, Identifiable {
  /// What an operation is about: a kind and a row of the cache.
  public enum Subject: Sendable, Hashable {
    case feed(FeedID)
    case discovery(Int64)
    case fullText(ArticleID)
    case download(Int64)
    /// Sending what waits for an account's server; fetching that server's state.
    case push(AccountID)
    case pull(AccountID)
    case picture(Int64)
    case pack(Int64)
    /// Of a kind that this version has no words for.
    case other(kind: Int, row: Int64)

    /// - Parameters:
    ///   - kind: its number in rows.
    public init(kind: Int, row: Int64) {
      switch kind {
      case 0: self = .feed(FeedID(rawValue: row))
      case 1: self = .discovery(row)
      case 2: self = .fullText(ArticleID(rawValue: row))
      case 3: self = .download(row)
      case 4: self = .push(AccountID(rawValue: row))
      case 5: self = .pull(AccountID(rawValue: row))
      case 7: self = .picture(row)
      case 8: self = .pack(row)
      default: self = .other(kind: kind, row: row)
      }
    }

    /// The number of the kind, and the row.
    public var key: (kind: Int, row: Int64) {
      switch self {
      case .feed(let feed): (0, feed.rawValue)
      case .discovery(let discovery): (1, discovery)
      case .fullText(let article): (2, article.rawValue)
      case .download(let download): (3, download)
      case .push(let account): (4, account.rawValue)
      case .pull(let account): (5, account.rawValue)
      case .picture(let picture): (7, picture)
      case .pack(let item): (8, item)
      case .other(let kind, let row): (kind, row)
      }
    }
  }
  /// How far a running operation is.
  public enum Stage: Int, Sendable, CaseIterable {
    /// Its host has all the connections that it may have.
    case waitingForHost, connecting, waitingForAnswer, receiving, parsing, storing
  }
  /// Whether an operation runs, with its stage, or waits, with the reason.
  public enum State: Sendable, Equatable {
    case running(Stage)
    case waiting(WaitReason)
  }
  public var subject: Subject
  /// The feed's or account's name, the article's title, or the address of what is searched or
  /// fetched; filled in by the cache.
  public var name: String
  /// The host that is asked; empty if none is known yet.
  public var host: String
  public var priority: OperationPriority
  public var state: State
  /// Bytes off the socket so far.
  public var bytes: Int64
  public var since: Date
  /// 1 at the first try; more where the tries before have failed.
  public var attempt: Int
  /// Its place among those of its kind and priority; smaller comes first.
  public var place: Int

  /// An operation is known by its subject: there is at most one for each.
  public var id: Subject { subject }
  public var isRunning: Bool { if case .running = state { true } else { false } }

  public init(
    subject: Subject, name: String = "", host: String, priority: OperationPriority, state: State,
    bytes: Int64 = 0, since: Date, attempt: Int = 1, place: Int = 0
  ) {
    self.subject = subject
    self.name = name
    self.host = host
    self.priority = priority
    self.state = state
    self.bytes = bytes
    self.since = since
    self.attempt = attempt
    self.place = place
  }
}

/// Why an operation waits.
public enum WaitReason: Int, Sendable, CaseIterable {
  /// Its host has all the connections that it may have.
  case hostBusy
  /// As many run as the concurrency limit allows.
  case limitReached
  /// The network is too slow for work of its priority.
  case slowNetwork
  /// The user has paused the sync or the host.
  case paused
  case offline
  /// Feeds that are due at the start take their turn one after another.
  case spread
  /// It failed, perhaps because the network did: decided when another host answers.
  case checkingNetwork
  case storage
}

/// The state of one host.
public struct HostTelemetry: Sendable, Equatable, Identifiable {
  /// As `WebAddress.hostKey`.
  public var host: String
  public var inFlight: Int
  public var waiting: Int
  public var pausedUntil: Date?
  /// The status of its last answer; nil: none yet.
  public var status: Int?
  /// When its last answer came; nil: none yet.
  public var answeredAt: Date?
  /// Seconds from the request to the first byte of its last answer.
  public var latency: Double?
  /// How many requests it may have at once, and why; 0: not known.
  public var limit: Int
  /// Why `limit` is what it is; nil: not known.
  public var limitReason: HostLimitReason?

  /// The host: there is one row for each.
  public var id: String { host }

  public init(
    host: String, inFlight: Int = 0, waiting: Int = 0, pausedUntil: Date? = nil,
    status: Int? = nil, answeredAt: Date? = nil, latency: Double? = nil, limit: Int = 0,
    limitReason: HostLimitReason? = nil
  ) {
    self.host = host
    self.inFlight = inFlight
    self.waiting = waiting
    self.pausedUntil = pausedUntil
    self.status = status
    self.answeredAt = answeredAt
    self.latency = latency
    self.limit = limit
    self.limitReason = limitReason
  }
}

/// The network at one moment.
public struct NetworkSample: Sendable, Equatable {
  public var at: Date
  /// Bytes a second.
  public var rate: Double
  /// Seconds that connecting takes: the median of the last connections; nil before the first.
  public var latency: Double?
  /// How much of the latency is a queue in the network: its excess over the least that was seen.
  public var queueing: Double?
  public var limit: Int
  public var inFlight: Int
  public var waiting: Int
  /// Nil: nothing was measured yet.
  public var quality: ConnectionQuality?

  public init(
    at: Date, rate: Double, latency: Double? = nil, queueing: Double? = nil, limit: Int,
    inFlight: Int, waiting: Int, quality: ConnectionQuality? = nil
  ) {
    self.at = at
    self.rate = rate
    self.latency = latency
    self.queueing = queueing
    self.limit = limit
    self.inFlight = inFlight
    self.waiting = waiting
    self.quality = quality
  }
}

/// A pause that the user laid on the sync. It lasts until it is resumed, and no longer than the
/// program in which it was asked for.
public struct SyncPause: Sendable, Equatable {
  /// What is paused.
  public enum Scope: Sendable, Hashable {
    /// Nothing starts but what is asked for by name.
    case everything
    case host(String)
  }
  public var scope: Scope
  public var since: Date
  public init(scope: Scope, since: Date) {
    self.scope = scope
    self.since = since
  }
}

/// What the user no longer wants done in this sync.
public enum SyncCancellation: Sendable, Hashable {
  case feed(FeedID)
  case waiting
}
