public import FeedModel
public import Networking

/// A first controller: starts narrow, doubles per epoch while goodput grows, then keeps the widest
/// that paid; gives way when connecting gets slow (a queue stands in the line) or exchanges fail.
///
/// Goodput is the aggregate of socket bytes, never bytes ÷ time of one request: by that measure a 304
/// looks like GPRS, and one slow server like a slow line.
public struct SlowStartWidth: WidthController {
  /// In bytes a second and seconds; where a line's grade begins.
  private enum Bounds {
    static let poor = 40_000.0
    static let fair = 250_000.0
    static let good = 1_250_000.0
    static let poorConnect = 1.4
    static let fairConnect = 0.27
  }
  private static let floor = 2
  private static let window = 1.0

  private let ceiling: Int
  private var now = 0.0
  private var current: Int
  private var isStarting = true
  private var flatEpochs = 0
  private var inFlight: Set<OperationID> = []
  private var offline = OfflineDetector()

  // The epoch: what is measured between two decisions.
  private var epochStart: Double?
  private var epochBytes = 0
  private var epochEnded = 0
  private var epochFailed = 0
  private var epochPeak = 0
  private var connects: [Double] = []
  private var bestGoodput = 0.0
  private var baseConnect = Double.infinity
  private var lastConnect: Double?
  private var answers = 0

  /// Bytes of the last window, for the rate that people see.
  private var arrivals: [(at: Double, bytes: Int)] = []

  public private(set) var grade: LineGrade?
  public private(set) var reason = "starting"

  /// - Parameters:
  ///   - ceiling: the most that may ever run at once.
  ///   - start: the width of the first epoch.
  public init(ceiling: Int, start: Int = 8) {
    self.ceiling = max(Self.floor, ceiling)
    self.current = min(max(Self.floor, start), max(Self.floor, ceiling))
  }

  public var width: Int { offline.isOffline ? 0 : current }
  public var failedProbes: Int { offline.failedProbes }
  public var isInDoubt: Bool { offline.isInDoubt }
  public func mayStart(_ workClass: WorkClass) -> Bool { inFlight.count < width }

  public var silenceLimit: Double {
    switch grade {
    case .poor, .offline: 45
    case .fair: 30
    default: 20
    }
  }

  public var rate: Double {
    guard let first = arrivals.first else { return 0 }
    let bytes = arrivals.reduce(0) { $0 + $1.bytes }
    return Double(bytes) / max(0.2, min(Self.window, now - first.at))
  }

  public mutating func operationStarted(_ id: OperationID, _ workClass: WorkClass, at now: Double) {
    self.now = now
    inFlight.insert(id)
    epochPeak = max(epochPeak, inFlight.count)
    if epochStart == nil { epochStart = now }
  }

  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {
    self.now = now
    switch event {
    case .connected(let seconds):
      connects.append(seconds)
    case .firstByte:
      answered(at: now)
    case .received(let bytes):
      answered(at: now)
      epochBytes += bytes
      arrivals.append((now, bytes))
    }
  }

  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: LineDemand, at now: Double
  ) {
    self.now = now
    inFlight.remove(id)
    switch end {
    case .answered:
      answered(at: now)
      answers += 1
      epochEnded += 1
      // A sync of a few feeds ends before its first epoch, and people still want to know.
      if grade == nil {
        lastConnect = connects.min() ?? lastConnect
        judge(0, isLimited: true)
      }
    case .failed:
      epochEnded += 1
      epochFailed += 1
      offline.probeLost(at: now)
    case .refused(let host):
      epochEnded += 1
      epochFailed += 1
      offline.failed(host, .refused, of: demand.hosts, at: now)
    case .unresolved(let host):
      offline.failed(host, .unresolved, of: demand.hosts, at: now)
    case .unreachable(let host):
      offline.failed(host, .unreachable, of: demand.hosts, at: now)
    case .cancelled:
      offline.probeLost(at: now)
    }
    if offline.isOffline {
      grade = .offline
      reason = "offline"
    } else if inFlight.isEmpty, demand.waiting == 0 {
      offline.settle()
    }
  }

  public mutating func tick(at now: Double, demand: LineDemand) -> [LineAction] {
    self.now = now
    arrivals.removeAll { now - $0.at > Self.window }
    if offline.isOffline {
      guard demand.waiting > 0, inFlight.isEmpty else { return [] }
      return offline.takesProbe(at: now) ? [.probe] : []
    }
    if let start = epochStart { endEpoch(start, demand) }
    return []
  }

  private mutating func answered(at now: Double) {
    if offline.isOffline {
      grade = nil
      beginEpoch()
    }
    offline.answered(at: now)
  }

  private mutating func beginEpoch() {
    epochStart = inFlight.isEmpty ? nil : now
    epochBytes = 0
    epochEnded = 0
    epochFailed = 0
    epochPeak = inFlight.count
    connects = []
  }

  private mutating func endEpoch(_ start: Double, _ demand: LineDemand) {
    let elapsed = now - start
    guard elapsed >= 0.2, epochEnded >= max(3, current / 2) || elapsed >= 1.5 else { return }
    let goodput = Double(epochBytes) / elapsed
    let connect = connects.sorted().dropFirst(connects.count / 4).first
    lastConnect = connect ?? lastConnect
    if let connect { baseConnect = min(baseConnect, connect) }
    let queueing = (connect ?? baseConnect) - baseConnect
    let isQueueing = baseConnect.isFinite && queueing > max(0.1, baseConnect)
    let isFailing = epochFailed >= 3 && epochFailed * 4 > epochEnded
    // A sync that runs out of work says nothing about the line.
    let isLimited = epochPeak < current * 3 / 4

    if isQueueing || isFailing {
      isStarting = false
      current = max(Self.floor, current * (isFailing ? 2 : 3) / 4)
      reason = isFailing ? "many exchanges fail" : "connecting gets slow"
    } else if isLimited {
      reason = "little to do"
    } else if isStarting {
      flatEpochs = goodput < bestGoodput * 1.15 ? flatEpochs + 1 : 0
      if flatEpochs >= 2, goodput > Bounds.poor {
        isStarting = false
        reason = "goodput stopped growing"
      } else if current < ceiling {
        current = min(ceiling, current * 2)
        reason = "goodput grows"
      } else {
        isStarting = false
        reason = "at the ceiling"
      }
    } else {
      current = min(ceiling, current + 1)
      reason = current == ceiling ? "at the ceiling" : "steady"
    }
    bestGoodput = max(bestGoodput * 0.98, goodput)
    judge(goodput, isLimited: isLimited)
    beginEpoch()
  }

  /// A grade falls only where the line was asked for more than it gave, not where hosts are slow.
  private mutating func judge(_ goodput: Double, isLimited: Bool) {
    guard answers > 0 || bestGoodput > 0 else { return }
    let byLatency: LineGrade =
      switch lastConnect ?? 0 {
      case ..<Bounds.fairConnect: .excellent
      case ..<Bounds.poorConnect: .fair
      default: .poor
      }
    let byGoodput: LineGrade =
      switch bestGoodput {
      case ..<Bounds.poor: .poor
      case ..<Bounds.fair: .fair
      case ..<Bounds.good: .good
      default: .excellent
      }
    // Small answers on quick connections measure the hosts, not the line.
    let isQuick = (lastConnect ?? .infinity) < Bounds.fairConnect
    let goodputCounts = !isLimited && !isQuick
    let measured = goodputCounts ? byGoodput : max(byGoodput, .good)
    grade = min(byLatency, measured)
  }
}

extension LineGrade {
  fileprivate var rank: Int {
    switch self {
    case .offline: 0
    case .poor: 1
    case .fair: 2
    case .good: 3
    case .excellent: 4
    }
  }
}

private func min(_ a: LineGrade, _ b: LineGrade) -> LineGrade { a.rank <= b.rank ? a : b }
private func max(_ a: LineGrade, _ b: LineGrade) -> LineGrade { a.rank >= b.rank ? a : b }
