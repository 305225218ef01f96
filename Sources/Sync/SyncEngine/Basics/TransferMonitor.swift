// Telemetry of the engine.

import Foundation
import Synchronization

enum OperationReport: Sendable {
  /// The operation requests an exchange with this host.
  case asks(String)
  case reaches(OperationStatus.Stage)
  case transfer(TransferEvent, at: Instant)
}

/// Observes all transfers: reports for `OperationTable` and the concurrency limit, latencies, and
/// hosts' last answers. A report on the transport's thread costs one lock.
final class TransferMonitor: Sendable {

  struct Answer: Sendable, Equatable {
    var status: Int
    var at: Date
    /// The time from the request to its first byte; `nil` if unknown.
    var latency: Duration?
  }

  struct Note: Sendable {
    var operation: OperationID
    var report: OperationReport
  }

  private struct Notes {
    var new: [Note] = []
    /// Operations that wait for, receive or parse an answer.
    var fetching: Set<OperationID> = []
    var latencies: [OperationID: Latency] = [:]
    var answers: [String: Answer] = [:]
    var connects: [(time: Duration, at: Instant)] = []
    var leastConnect: Duration?

    /// Returns the delay of the shared queue: the shortest of the recent connect times minus the
    /// shortest ever.
    func sharedQueue(at now: Instant) -> Duration {
      let recent = connects.suffix(TransferMonitor.connectsOfQueue)
        .filter { now - $0.at <= TransferMonitor.recent }.map(\.time).min()
      guard let recent, let leastConnect else { return .zero }
      return max(.zero, recent - leastConnect)
    }

    /// Removes the hosts that answered longest ago.
    mutating func forgetSome() {
      guard answers.count > 4 * SyncTelemetry.hostLimit else { return }
      let newest = answers.sorted { $0.value.at > $1.value.at }.prefix(2 * SyncTelemetry.hostLimit)
      answers = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
  }

  /// The time from a request to the first byte.
  private struct Latency {
    var whole: Duration
    var host: HostLatency
  }

  /// The number of connections whose median is the network's latency.
  private static let connectsKept = 16
  /// The number of connections whose minimum measures the queue: few, as a queue builds up in a
  /// sync's first second, but several, as one host may be far away.
  private static let connectsOfQueue = 4
  /// The age beyond which connections do not measure the present queue.
  private static let recent = Duration.seconds(2)

  private let notes = Mutex(Notes())

  /// Records the exchanges of one operation.
  struct Entry: Sendable {
    fileprivate let monitor: TransferMonitor
    fileprivate let operation: OperationID

    func asks(_ host: String) { monitor.note(.asks(host), of: operation) }

    func reaches(_ stage: OperationStatus.Stage) { monitor.note(.reaches(stage), of: operation) }

    func observed(_ event: TransferEvent, at now: Instant) {
      monitor.note(.transfer(event, at: now), of: operation)
    }

    /// - Returns: the host's latency; `nil` if unknown.
    @discardableResult
    func answered(_ host: String, status: Int, at now: Date) -> HostLatency? {
      monitor.notes.withLock {
        let latency = $0.latencies[operation]
        $0.answers[host] = Answer(status: status, at: now, latency: latency?.whole)
        $0.forgetSome()
        return latency?.host
      }
    }
  }

  func entry(of operation: OperationID) -> Entry { Entry(monitor: self, operation: operation) }

  /// Discards the notes of an ended operation.
  func close(_ operation: OperationID) {
    notes.withLock { notes in
      notes.latencies[operation] = nil
      notes.fetching.remove(operation)
    }
  }

  var answers: [String: Answer] { notes.withLock(\.answers) }
  /// True if any operation waits for, receives or parses an answer.
  var isFetching: Bool { notes.withLock { !$0.fetching.isEmpty } }

  /// Returns the reports since the last call, in their order.
  func drain() -> [Note] {
    notes.withLock { notes in
      let drained = notes.new
      notes.new.removeAll(keepingCapacity: true)
      return drained
    }
  }

  /// The median of the newest connect times and its excess over the minimum ever seen.
  var latency: (median: Duration, queueing: Duration)? {
    notes.withLock { notes in
      guard let least = notes.leastConnect, !notes.connects.isEmpty else { return nil }
      let median = notes.connects.map(\.time).sorted()[notes.connects.count / 2]
      return (median, max(.zero, median - least))
    }
  }

  private func note(_ report: OperationReport, of operation: OperationID) {
    notes.withLock { notes in
      notes.new.append(Note(operation: operation, report: report))
      if case .reaches(.storing) = report {
        notes.fetching.remove(operation)
      } else {
        notes.fetching.insert(operation)
      }
      switch report {
      case .asks: notes.latencies[operation] = nil
      case .transfer(.connected(let seconds), at: let now):
        let time = Duration.seconds(seconds)
        notes.connects.append((time, now))
        if notes.connects.count > Self.connectsKept { notes.connects.removeFirst() }
        notes.leastConnect = min(notes.leastConnect ?? time, time)
      case .transfer(.firstByte(let seconds), at: let now):
        let whole = Duration.seconds(seconds)
        let queue = notes.sharedQueue(at: now)
        notes.latencies[operation] = Latency(
          whole: whole, host: HostLatency(own: max(.zero, whole - queue), queue: queue))
      case .reaches, .transfer: break
      }
    }
  }
}
