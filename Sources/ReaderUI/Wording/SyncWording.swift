public import FeedModel
public import Foundation

/// What the engine tells of itself, in words.
public nonisolated enum SyncWording {
  static func state(_ state: SyncOperation.State) -> String {
    switch state {
    case .running(let stage): return self.stage(stage)
    case .waiting(let reason): return self.reason(reason)
    }
  }

  private static func stage(_ stage: SyncOperation.Stage) -> String {
    switch stage {
    case .waitingForHost: return "waiting for host"
    case .connecting: return "connecting"
    case .waitingForAnswer: return "awaiting answer"
    case .receiving: return "receiving"
    case .parsing: return "parsing"
    case .storing: return "storing"
    }
  }

  static func reason(_ reason: WaitReason) -> String {
    switch reason {
    case .hostBusy: return "host is busy"
    case .widthFull: return "line is full"
    case .classNotAllowed: return "line too slow"
    case .paused: return "paused"
    case .offline: return "offline"
    case .spread: return "takes its turn"
    case .lineInDoubt: return "line in doubt"
    case .storage: return "cache refuses"
    }
  }

  /// Why an operation is as urgent as it is.
  static func urgency(_ workClass: WorkClass) -> String {
    switch workClass {
    case .p0: return "asked"
    case .p1: return "seen"
    case .p2: return "due"
    case .p3: return "text"
    case .p4: return "ahead"
    }
  }

  /// "600 wait for the line, 188 for their hosts".
  static func waiting(_ counts: [WaitReason: Int]) -> String? {
    let parts = counts.filter { $0.value > 0 }
      .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    guard !parts.isEmpty else { return nil }
    return parts.enumerated().map { index, part in
      "\(AmountWording.grouped(part.value))\(index == 0 ? " wait" : "") \(awaited(part.key))"
    }.joined(separator: ", ")
  }

  private static func awaited(_ reason: WaitReason) -> String {
    switch reason {
    case .hostBusy: return "for their hosts"
    case .widthFull, .offline: return "for the line"
    case .classNotAllowed: return "for a better line"
    case .paused: return "for you to resume"
    case .spread: return "for their turn"
    case .lineInDoubt: return "for any answer"
    case .storage: return "for the cache"
    }
  }

  /// "8 s", "3 min", "1 h 02": how long something takes or has taken.
  public static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0 s" }
    if seconds < 9.95 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    return seconds < 99.5 ? "\(Int(seconds.rounded())) s" : AmountWording.duration(seconds)
  }

  /// "38 ms", "1.2 s".
  static func latency(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "" }
    if seconds < 0.000_95 { return "<1 ms" }
    return seconds < 0.9995 ? "\(Int((seconds * 1_000).rounded())) ms" : time(seconds)
  }

  /// How long a sync will go on, by its speed so far; nil while that is a guess.
  public static func timeLeft(done: Int, total: Int, since start: Date?, now: Date) -> String? {
    guard let start, done > 0, done < total else { return nil }
    let elapsed = now.timeIntervalSince(start)
    guard elapsed > 1 else { return nil }
    let left = (elapsed / Double(done) * Double(total - done)).rounded(.up)
    return (left < 60 ? "\(Int(left)) s" : AmountWording.duration(left)) + " left"
  }

  /// "1,000 feeds, 7 new articles, 990 unchanged, 3 failed".
  public static func summary(_ request: RefreshRequest) -> String {
    var parts = [
      AmountWording.count(request.done, "feed", "feeds"),
      request.newArticles == 0
        ? "nothing new" : AmountWording.count(request.newArticles, "new article", "new articles"),
    ]
    if request.unchanged > 0 {
      parts.append("\(AmountWording.grouped(request.unchanged)) unchanged")
    }
    if request.failed > 0 { parts.append("\(AmountWording.grouped(request.failed)) failed") }
    return parts.joined(separator: ", ")
  }
}
