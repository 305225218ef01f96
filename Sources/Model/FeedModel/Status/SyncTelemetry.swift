public import Foundation

/// The engine's activity, published while the console is open: operations, hosts, and network
/// samples of the last minutes.
public struct SyncTelemetry: Sendable, Equatable, Codable {
  /// The time of publication; `nil` if never published.
  public var at: Date?
  public var reason: LimitReason?
  /// The upper bound of the concurrency limit.
  public var ceiling: Int
  /// Running operations, oldest first, then the first `waitingLimit` waiting ones in their order.
  public var operations: [OperationStatus]
  public var waiting: [WaitReason: Int]
  /// Hosts in use, then paused ones, then those with the latest answers.
  public var hosts: [HostTelemetry]
  public var samples: [NetworkSample]

  /// Number of waiting operations listed; others are only counted.
  public static let waitingLimit = 200
  /// Number of hosts listed; others are omitted.
  public static let hostLimit = 100
  /// Seconds that a sample is kept.
  public static let memory = 150.0

  public init(
    at: Date? = nil, reason: LimitReason? = nil, ceiling: Int = 0,
    operations: [OperationStatus] = [],
    waiting: [WaitReason: Int] = [:], hosts: [HostTelemetry] = [], samples: [NetworkSample] = []
  ) {
    (self.at, self.reason, self.ceiling, self.operations) = (at, reason, ceiling, operations)
    (self.waiting, self.hosts, self.samples) = (waiting, hosts, samples)
  }
}

/// An operation of the sync, running or waiting.
public struct OperationStatus: Sendable, Equatable, Identifiable, Codable {
  /// The progress of a running operation.
  public enum Stage: Int, Sendable, Codable, CaseIterable {
    /// The case `waitingForHost` means that the host has reached its connection limit.
    case waitingForHost, connecting, waitingForAnswer, receiving, parsing, storing
  }
  /// The stage of a running operation, or the reason that it waits.
  public enum State: Sendable, Equatable, Codable {
    case running(Stage)
    case waiting(WaitReason)
  }
  public var key: OperationKey
  /// The argument of its title; see `OperationKind.title`.
  public var name: String
  /// The host; empty if unknown.
  public var host: String
  public var priority: OperationPriority
  public var state: State
  /// Bytes received so far.
  public var bytes: Int64
  public var since: Date
  /// Number of the attempt, from 1.
  public var attempt: Int

  public var id: OperationKey { key }
  public var title: String { key.kind.title(name) }
  public var isRunning: Bool { if case .running = state { true } else { false } }

  public init(
    key: OperationKey, name: String = "", host: String, priority: OperationPriority, state: State,
    bytes: Int64 = 0, since: Date, attempt: Int = 1
  ) {
    (self.key, self.name, self.host, self.priority, self.state) = (key, name, host, priority, state)
    (self.bytes, self.since, self.attempt) = (bytes, since, attempt)
  }
}

/// The reason that an operation waits.
public enum WaitReason: Int, Sendable, Codable, CaseIterable {
  /// The host has reached its connection limit.
  case hostBusy
  case limitReached
  /// The network is too slow for this priority.
  case slowNetwork
  /// The user paused the sync or the host.
  case paused
  case offline
  /// Feeds due at the start are spread over time.
  case spread
  /// The operation failed, perhaps because of the network; an answer of another host decides.
  case checkingNetwork
  case storage
}

/// The state of one host.
public struct HostTelemetry: Sendable, Equatable, Identifiable, Codable {
  /// The host as `WebAddress.hostKey` returns it.
  public var host: String
  public var inFlight: Int
  public var waiting: Int
  public var pausedUntil: Date?
  /// The HTTP status of the last answer; `nil` before the first.
  public var status: Int?
  public var answeredAt: Date?
  /// Seconds from the last request to the first byte of its answer.
  public var latency: Double?
  /// The host's concurrency limit; 0 if unknown.
  public var limit: Int
  public var limitReason: HostLimitReason?

  public var id: String { host }

  public init(
    host: String, inFlight: Int = 0, waiting: Int = 0, pausedUntil: Date? = nil,
    status: Int? = nil, answeredAt: Date? = nil, latency: Double? = nil, limit: Int = 0,
    limitReason: HostLimitReason? = nil
  ) {
    (self.host, self.inFlight, self.waiting) = (host, inFlight, waiting)
    (self.pausedUntil, self.status, self.answeredAt) = (pausedUntil, status, answeredAt)
    (self.latency, self.limit, self.limitReason) = (latency, limit, limitReason)
  }
}

/// Measurements of the network at one moment.
public struct NetworkSample: Sendable, Equatable, Codable {
  public var at: Date
  /// Bytes per second.
  public var rate: Double
  /// Median seconds of the last connection attempts; `nil` before the first.
  public var latency: Double?
  /// Queueing delay: the latency beyond the lowest measured.
  public var queueing: Double?
  public var limit: Int
  public var inFlight: Int
  public var waiting: Int
  public var quality: ConnectionQuality?

  public init(
    at: Date, rate: Double, latency: Double? = nil, queueing: Double? = nil, limit: Int,
    inFlight: Int, waiting: Int, quality: ConnectionQuality? = nil
  ) {
    (self.at, self.rate, self.latency, self.queueing) = (at, rate, latency, queueing)
    (self.limit, self.inFlight, self.waiting, self.quality) = (limit, inFlight, waiting, quality)
  }
}

/// A pause by the user. It ends when resumed, or with the program that requested it.
public struct SyncPause: Sendable, Equatable {
  /// The extent of the pause.
  public enum Scope: Sendable, Hashable, Codable {
    /// Only feeds that the user requests by name are refreshed.
    case everything
    case host(String)
  }
  public var scope: Scope
  public var since: Date
  public init(scope: Scope, since: Date) { (self.scope, self.since) = (scope, since) }
}

/// Work that the user cancelled in this sync.
public enum SyncCancellation: Sendable, Hashable, Codable {
  case feed(FeedID)
  case waiting
}
