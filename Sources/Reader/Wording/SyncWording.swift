public import Foundation

/// The engine's state, in words.
public enum SyncWording {
  public static func state(_ state: OperationStatus.State) -> String {
    switch state {
    case .running(let stage): return self.stage(stage)
    case .waiting(let reason): return self.reason(reason)
    }
  }

  private static func stage(_ stage: OperationStatus.Stage) -> String {
    switch stage {
    case .waitingForHost: return "waits for server"
    case .connecting: return "connecting"
    case .waitingForAnswer: return "awaiting answer"
    case .receiving: return "receiving"
    case .parsing: return "parsing"
    case .storing: return "storing"
    }
  }

  public static func reason(_ reason: WaitReason) -> String {
    switch reason {
    case .hostBusy: return "server is busy"
    case .limitReached, .spread: return "in the queue"
    case .slowNetwork: return "connection is slow"
    case .paused: return "paused"
    case .offline: return "offline"
    case .checkingNetwork: return "checking the connection"
    case .storage: return "database is busy"
    }
  }

  /// Returns the displayed name of a host: "this machine" for the user's own files and programs.
  public static func host(_ name: String) -> String {
    name == LocalSource.hostKey ? "this machine" : name
  }

  public static func waiting(for name: String, _ seconds: Double) -> String {
    "waiting for \(host(name)) (\(time(seconds.rounded())))"
  }

  /// Returns text about a bad connection; `nil` if it is not bad.
  /// - Parameters:
  ///   - since: the time when the connection was lost; `nil` if unknown.
  ///   - newest: the time of the last fetch.
  public static func connection(
    _ grade: ConnectionQuality?, since: Date?, newest: Date?, _ dates: DateWording
  ) -> String? {
    switch grade {
    case .offline:
      if let since { return "offline since \(dates.moment(since))" }
      return "offline" + (newest.map { ", last updated \(dates.moment($0))" } ?? "")
    case .poor: return "slow connection"
    case .fair, .good, .excellent, nil: return nil
    }
  }

  /// Returns text like "15 of 36 connections in use", "36 connections: steady" or "offline".
  public static func connections(
    _ limit: Int, running: Int, _ quality: ConnectionQuality?, _ reason: LimitReason?
  ) -> String {
    if quality == .offline { return "offline" }
    let connections = AmountWording.count(limit, "connection", "connections")
    if reason == .fewOperations {
      return "\(AmountWording.grouped(min(running, limit))) of \(connections) in use"
    }
    return connections + (reason.map { ": \(self.reason($0))" } ?? "")
  }

  public static func reason(_ reason: LimitReason) -> String {
    switch reason {
    case .starting: return "starting"
    case .fewOperations: return "not all of them are needed"
    case .queueing: return "more would only queue in the network"
    case .goodputGrowing: return "more are faster"
    case .atCeiling: return "as many as allowed"
    case .steady: return "steady"
    case .silence: return "nothing is received"
    case .offline: return "offline"
    case .recovered: return "the network is back"
    case .collapsed: return "the network became slow"
    }
  }

  /// Returns the limit of a host and its reason, like "4 at once: answers stay fast".
  public static func limit(_ host: HostTelemetry) -> String {
    guard host.limit > 0, let reason = host.limitReason else { return "" }
    let words =
      switch reason {
      case .usual: "usual"
      case .fast: "answers stay fast"
      case .slower: "answers became slow"
      case .refused: "it refused more"
      case .multiplexing: "HTTP/2"
      case .configured: "your setting"
      }
    return "\(host.limit) at once: \(words)"
  }

  public static func urgency(_ priority: OperationPriority) -> String {
    switch priority {
    case .userInitiated: return "asked"
    case .visible: return "first"
    case .scheduled: return "due"
    case .background: return "text"
    case .prefetch: return "ahead"
    }
  }

  /// Returns text like "600 feeds wait in the queue, 188 for busy servers"; `nil` if none waits.
  public static func waiting(_ counts: [WaitReason: Int]) -> String? {
    let parts = counts.filter { $0.value > 0 }
      .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    guard !parts.isEmpty else { return nil }
    return parts.enumerated().map { index, part in
      let subject =
        index == 0
        ? AmountWording.count(part.value, "feed waits", "feeds wait")
        : AmountWording.grouped(part.value)
      return "\(subject) \(awaited(part.key))"
    }.joined(separator: ", ")
  }

  private static func awaited(_ reason: WaitReason) -> String {
    switch reason {
    case .hostBusy: return "for busy servers"
    case .limitReached, .offline, .spread: return "in the queue"
    case .slowNetwork: return "for a faster connection"
    case .paused: return "until you resume"
    case .checkingNetwork: return "for the connection"
    case .storage: return "for the database"
    }
  }

  /// Formats seconds like "8.0 s", "12 s", "3 min" or "1 h 02".
  public static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0 s" }
    if seconds < 9.95 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    return seconds < 99.5 ? "\(Int(seconds.rounded())) s" : AmountWording.duration(seconds)
  }

  /// Formats seconds like "38 ms" or "1.2 s".
  public static func latency(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "" }
    if seconds < 0.000_95 { return "<1 ms" }
    return seconds < 0.9995 ? "\(Int((seconds * 1_000).rounded())) ms" : time(seconds)
  }

  /// Returns the time left at the average speed so far; `nil` if it cannot be estimated yet.
  /// - Parameter silence: seconds since the last feed was done, a lower bound of the time left.
  public static func timeLeft(
    done: Int, total: Int, since start: Date?, silence: Double, now: Date
  ) -> String? {
    guard let start, done > 0, done < total else { return nil }
    let elapsed = now.timeIntervalSince(start)
    guard elapsed > 1 else { return nil }
    return timeLeft(max(silence, elapsed / Double(done) * Double(total - done)))
  }

  public static func timeLeft(_ seconds: Double) -> String {
    let left = seconds.rounded(.up)
    return (left < 60 ? "\(Int(left)) s" : AmountWording.duration(left)) + " left"
  }

  /// Returns text like "1,000 feeds, 7 new articles, 990 unchanged, 3 failed, 20 waiting".
  /// - Parameter waiting: the number of failed feeds whose host is in back-off.
  public static func summary(_ request: RefreshRequest, waiting: Int = 0) -> String {
    let others = AmountWording.some([
      (request.unchanged, "unchanged"), (request.failed - waiting, "failed"), (waiting, "waiting"),
    ])
    return ([AmountWording.feeds(request.done), arrivals(request.newArticles)] + others)
      .joined(separator: ", ")
  }

  /// Returns text like "7 new articles" or "nothing new".
  public static func arrivals(_ count: Int) -> String {
    count == 0 ? "nothing new" : AmountWording.count(count, "new article", "new articles")
  }
}
