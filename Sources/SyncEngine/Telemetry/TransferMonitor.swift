// What may enter this folder: what the engine publishes of itself.

import FeedModel
import Foundation
import NetworkMeasurement
import Networking
import RateLimiting
import Synchronization

/// Follows every transfer: the stage of each operation's exchange, what each host answered last,
/// and the samples that the concurrency limit is measured from. Noted on the transport's thread and
/// read when it is wanted: a note costs a lock, no task and no hop.
final class TransferMonitor: Sendable {
  struct Exchange: Sendable, Equatable {
    var host = ""
    var stage = OperationStatus.Stage.connecting
    /// Off the socket, over all hops.
    var bytes: Int64 = 0
  }

  struct Answer: Sendable, Equatable {
    var status: Int
    var at: Date
    /// From the request to its first byte; nil if the transport did not say.
    var latency: Duration?
  }

  struct Sample: Sendable {
    var operation: OperationID
    var event: TransferEvent
    var at: Instant
  }

  private struct Notes {
    var samples: [Sample] = []
    var exchanges: [OperationID: Exchange] = [:]
    var latencies: [OperationID: Latency] = [:]
    var answers: [String: Answer] = [:]
    /// Of the newest connections.
    var connects: [(time: Duration, at: Instant)] = []
    var leastConnect: Duration?

    /// What the queue that all connections share adds to each round trip: the least of the
    /// newest connect times, above the least ever.
    func sharedQueue(at now: Instant) -> Duration {
      let recent = connects.suffix(TransferMonitor.connectsOfQueue)
        .filter { now - $0.at <= TransferMonitor.recent }.map(\.time).min()
      guard let recent, let leastConnect else { return .zero }
      return max(.zero, recent - leastConnect)
    }

    /// Hosts that answered long ago give way.
    mutating func forgetSome() {
      guard answers.count > 4 * SyncTelemetry.hostLimit else { return }
      let newest = answers.sorted { $0.value.at > $1.value.at }.prefix(2 * SyncTelemetry.hostLimit)
      answers = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
  }

  /// From a request to the first byte of its answer.
  private struct Latency {
    var whole: Duration
    var host: HostLatency
  }

  /// The number of connections whose median is the network's latency.
  private static let connectsKept = 16
  /// A queue builds up within the first second of a sync, which makes a hundred connections: it is
  /// judged by so few. One host alone that is far away does not count as a queue.
  private static let connectsOfQueue = 4
  /// Older connections say nothing of the queue that there is now.
  private static let recent = Duration.seconds(2)

  private let notes = Mutex(Notes())

  /// Where one operation's exchanges are noted, one after another.
  struct Entry: Sendable {
    fileprivate let monitor: TransferMonitor
    fileprivate let operation: OperationID

    /// An exchange with this host is wanted.
    func asks(_ host: String) {
      monitor.notes.withLock {
        $0.exchanges[operation, default: Exchange()].host = host
        $0.exchanges[operation]?.stage = .waitingForHost
        $0.latencies[operation] = nil
      }
    }

    /// The host has room for it, the answer is parsed, or what it brought is stored.
    func reaches(_ stage: OperationStatus.Stage) {
      monitor.notes.withLock { $0.exchanges[operation, default: Exchange()].stage = stage }
    }

    func observed(_ event: TransferEvent, at now: Instant) {
      monitor.observed(Sample(operation: operation, event: event, at: now))
    }

    /// - Returns: nil if the transport did not say.
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

  /// What the operation took off the socket so far.
  func bytes(of operation: OperationID) -> Int64 {
    notes.withLock { $0.exchanges[operation]?.bytes ?? 0 }
  }

  /// The operation is over.
  /// - Returns: what it took off the socket.
  @discardableResult
  func close(_ operation: OperationID) -> Int64 {
    notes.withLock {
      $0.latencies[operation] = nil
      return $0.exchanges.removeValue(forKey: operation)?.bytes ?? 0
    }
  }

  var exchanges: [OperationID: Exchange] { notes.withLock(\.exchanges) }
  var answers: [String: Answer] { notes.withLock(\.answers) }
  /// Whether any operation waits for an answer, receives one or parses one.
  var isFetching: Bool { notes.withLock { $0.exchanges.values.contains { $0.stage != .storing } } }

  /// The samples since the last time.
  func drain() -> [Sample] {
    notes.withLock { notes in
      let drained = notes.samples
      notes.samples.removeAll(keepingCapacity: true)
      return drained
    }
  }

  /// The median of the newest connect times and its excess over the least ever seen.
  var latency: (median: Duration, queueing: Duration)? {
    notes.withLock { notes in
      guard let least = notes.leastConnect, !notes.connects.isEmpty else { return nil }
      let median = notes.connects.map(\.time).sorted()[notes.connects.count / 2]
      return (median, max(.zero, median - least))
    }
  }

  private func observed(_ sample: Sample) {
    let operation = sample.operation
    notes.withLock { notes in
      notes.samples.append(sample)
      switch sample.event {
      case .connected(let seconds):
        let time = Duration.seconds(seconds)
        notes.connects.append((time, sample.at))
        if notes.connects.count > Self.connectsKept { notes.connects.removeFirst() }
        notes.leastConnect = min(notes.leastConnect ?? time, time)
      case .requesting: notes.exchanges[operation, default: Exchange()].stage = .waitingForAnswer
      case .firstByte(let seconds):
        notes.exchanges[operation, default: Exchange()].stage = .receiving
        let whole = Duration.seconds(seconds)
        let queue = notes.sharedQueue(at: sample.at)
        notes.latencies[operation] = Latency(
          whole: whole, host: HostLatency(own: max(.zero, whole - queue), queue: queue))
      case .received(let bytes):
        notes.exchanges[operation, default: Exchange()].bytes += Int64(bytes)
      case .roundTrip: break
      }
    }
  }
}
