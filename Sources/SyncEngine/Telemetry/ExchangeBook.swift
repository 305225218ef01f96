// What may enter this folder: what the engine tells of itself, and how it is steered from outside.

import FeedModel
import Foundation
import Networking
import Synchronization

/// Where each exchange stands and what each host answered last, noted on the transport's thread and
/// read when somebody wants to know. A note costs a lock and a dictionary's entry.
final class ExchangeBook: Sendable {
  struct Exchange: Sendable, Equatable {
    var host = ""
    var stage = SyncOperation.Stage.connecting
    /// Off the socket, over all hops.
    var bytes: Int64 = 0
  }

  struct Answer: Sendable, Equatable {
    var status: Int
    var at: Date
    /// Seconds from the request to its first byte; nil where the transport did not say.
    var latency: Double?
  }

  private struct Notes {
    var exchanges: [OperationID: Exchange] = [:]
    var latencies: [OperationID: Double] = [:]
    var answers: [String: Answer] = [:]
    /// Of the newest connections, in seconds.
    var connects: [Double] = []
    var leastConnect: Double?

    /// Hosts that answered long ago give way.
    mutating func forgetSome() {
      guard answers.count > 4 * SyncTelemetry.hostLimit else { return }
      let newest = answers.sorted { $0.value.at > $1.value.at }.prefix(2 * SyncTelemetry.hostLimit)
      answers = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
  }

  /// As many connections tell the line's latency.
  private static let connectsKept = 16

  private let notes = Mutex(Notes())

  /// Where one operation's exchanges are noted, one after another.
  struct Page: Sendable {
    fileprivate let book: ExchangeBook
    fileprivate let operation: OperationID

    /// An exchange with this host is wanted.
    func asks(_ host: String) {
      book.notes.withLock {
        $0.exchanges[operation, default: Exchange()].host = host
        $0.exchanges[operation]?.stage = .waitingForHost
        $0.latencies[operation] = nil
      }
    }

    /// The host has room for it.
    func begins() { book.note(operation) { $0.stage = .connecting } }

    func observed(_ event: TransferEvent) { book.observed(event, operation) }

    func answered(_ host: String, status: Int, at now: Date) {
      book.notes.withLock {
        $0.answers[host] = Answer(status: status, at: now, latency: $0.latencies[operation])
        $0.forgetSome()
      }
    }
  }

  func page(of operation: OperationID) -> Page { Page(book: self, operation: operation) }

  /// The operation needs the network no longer.
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

  /// The median of the newest connect times and its excess over the least ever seen, in seconds.
  var latency: (median: Double, queueing: Double)? {
    notes.withLock { notes in
      guard let least = notes.leastConnect, !notes.connects.isEmpty else { return nil }
      let median = notes.connects.sorted()[notes.connects.count / 2]
      return (median, max(0, median - least))
    }
  }

  private func note(_ operation: OperationID, _ change: (inout Exchange) -> Void) {
    notes.withLock { change(&$0.exchanges[operation, default: Exchange()]) }
  }

  private func observed(_ event: TransferEvent, _ operation: OperationID) {
    notes.withLock { notes in
      var exchange = notes.exchanges[operation] ?? Exchange()
      switch event {
      case .connected(let seconds):
        notes.connects.append(seconds)
        if notes.connects.count > Self.connectsKept { notes.connects.removeFirst() }
        notes.leastConnect = min(notes.leastConnect ?? seconds, seconds)
      case .requesting: exchange.stage = .waitingForAnswer
      case .firstByte(let seconds):
        exchange.stage = .receiving
        notes.latencies[operation] = seconds
      case .received(let bytes):
        exchange.bytes += Int64(bytes)
      case .roundTrip: break
      }
      notes.exchanges[operation] = exchange
    }
  }
}
