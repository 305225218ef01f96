public import FeedModel
public import Networking

/// One run of one operation, for as long as it is in flight.
public typealias OperationID = UInt64

/// How an operation's part on the network ended, as far as the line is concerned.
public enum OperationEnd: Sendable, Equatable {
  /// The origin answered, with whatever status.
  case answered
  /// This exchange failed; other hosts may do well.
  case failed
  /// Nobody listened there: the host's fault, unless it is everybody's.
  case refused(host: String)
  /// The host's name was not found: the name's fault, or the line's.
  case unresolved(host: String)
  /// The machine says that it has no network.
  case unreachable(host: String)
  /// We ended it, or it never came to an exchange.
  case cancelled
}

/// What the controller wants done beside what it answers when asked.
public enum LineAction: Sendable, Equatable {
  /// End this operation and put its work back in the queue.
  case requeue(OperationID)
  /// Start one operation although the line is thought dead: its answer is the probe.
  case probe
}

/// What waits and runs, as far as a controller needs to know.
public struct LineDemand: Sendable, Equatable {
  /// Operations that wait.
  public var waiting: Int
  /// Distinct hosts among all that waits or runs.
  public var hosts: Int
  public init(waiting: Int, hosts: Int) {
    self.waiting = waiting
    self.hosts = hosts
  }
}

/// Sets how many operations run at once, from what they measure. A pure value: samples and a clock
/// in, decisions out; no time, no tasks, no I/O of its own. Times are monotonic seconds.
public protocol WidthController: Sendable {
  mutating func operationStarted(_ id: OperationID, _ workClass: WorkClass, at now: Double)
  /// Bytes, connect times and first bytes as they come.
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double)
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: LineDemand, at now: Double)
  /// Called about every 100 ms while anything runs or waits for the line, and never when idle.
  mutating func tick(at now: Double, demand: LineDemand) -> [LineAction]

  /// Whether another operation of this class (p1 and below) may start. p0 is not asked about.
  func mayStart(_ workClass: WorkClass) -> Bool
  /// Operations that may run at once; 0 while the line is thought dead.
  var width: Int { get }
  /// The line's quality; nil before anything was measured.
  var grade: LineGrade? { get }
  /// Probes that failed since the line was found dead; 0 while it lives.
  var failedProbes: Int { get }
  /// True while failures came in that may turn out to be the line's and not the hosts'.
  var isInDoubt: Bool { get }
  /// Bytes a second over the last window.
  var rate: Double { get }
  /// Seconds of silence that end an exchange on this line.
  var silenceLimit: Double { get }
  /// Why the width is what it is, in a few words.
  var reason: String { get }
}
