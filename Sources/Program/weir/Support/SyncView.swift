import Foundation
import ProgramSettings
import Synchronization

/// The progress of `weir sync`, read from the rows that an engine of any process writes: a line
/// that changes, or a line of JSON for each feed whose refresh has ended.
final class SyncView: Sendable {
  private static let interval = Duration.milliseconds(200)
  private let store: FeedStore
  private let request: RefreshRequest
  private let line: Mutex<SyncProgressLine?>
  private let showsLine: Bool
  /// The feeds to print that have not ended, with the numbers of their articles before.
  private let waiting: Mutex<[FeedID: Int]>

  init(
    store: FeedStore, request: RefreshRequest, progress: SyncProgressLine.Form?, printsFeeds: Bool
  ) throws(StoreError) {
    self.store = store
    self.request = request
    line = Mutex(progress.map { SyncProgressLine($0) })
    showsLine = progress != nil
    let feeds = printsFeeds ? try store.reader.feeds.subscriptions().feeds : []
    let pending = try Self.pending(request, store)
    waiting = Mutex(
      feeds.reduce(into: [:]) { totals, feed in
        if pending.contains(feed.id) { totals[feed.id] = feed.counts.total }
      })
  }

  private static func pending(
    _ request: RefreshRequest, _ store: FeedStore
  ) throws(StoreError) -> Set<FeedID> {
    Set(try store.engine.requests.pendingFeeds(of: request.id).map(\.feed))
  }

  /// Shows progress until cancelled.
  /// - Returns: the error of the output or of the cache.
  func follow() async -> CommandFailure? {
    do {
      while !Task.isCancelled {
        try show()
        try? await Task.sleep(for: Self.interval)
      }
      return nil
    } catch {
      return error as? CommandFailure ?? (error as? StoreError).map { CommandFailure($0) }
    }
  }

  func finish() throws {
    line.withLock { $0?.clear() }
    try printEnded()
  }

  private func show() throws {
    try printEnded()
    let requests = store.reader.requests
    guard showsLine, let now = try requests.refreshRequest(request.id) else { return }
    let status = try requests.syncStatus()
    let isPaused = try requests.syncPauses().contains { $0.scope == .everything }
    line.withLock { $0?.show(now, status, isPaused: isPaused) }
  }

  private func printEnded() throws {
    if waiting.withLock(\.isEmpty) { return }
    let pending = try Self.pending(request, store)
    let ended = waiting.withLock { waiting in
      let ended = waiting.filter { !pending.contains($0.key) }
      for feed in ended.keys { waiting[feed] = nil }
      return ended
    }
    for (id, before) in ended.sorted(by: { $0.key < $1.key }) {
      guard let feed = try store.reader.feeds.feed(id) else { continue }
      try JSONOutput.print(feed.refreshJSON(newArticles: max(0, feed.counts.total - before)))
    }
  }
}

struct SyncLog {
  let log: Log

  /// - Parameter report: called for each account that was synced.
  func follow(
    _ events: AsyncStream<SyncEvent>, report: (AccountReport) async -> Void = { _ in }
  ) async {
    for await event in events {
      let (level, text) = Self.line(event)
      log.write(level, text)
      if case .accountEnded(let ended) = event { await report(ended) }
    }
  }

  static func line(_ event: SyncEvent) -> (level: Log.Level, text: String) {
    switch event {
    case .becameEngine: (.info, "this process is the engine")
    case .standingBy: (.info, "another process is the engine")
    case .syncStarted: (.info, "sync started")
    case .refreshStarted(_, let url, let priority): (.debug, "\(priority) \(url)")
    case .refreshEnded(let report): line(report)
    case .refreshPostponed(let feed): (.info, "feed \(feed.rawValue) postponed: the network failed")
    case .discoveryEnded(let discovery): (.info, "looked for feeds at \(discovery.url)")
    case .accountEnded(let report):
      (
        .info,
        "account \(report.account.rawValue): \(report.sent) sent, \(report.waiting) waiting, "
          + "\(report.newArticles) new\(report.failure.map { ", \($0.kind.rawValue)" } ?? "")"
      )
    case .limitChanged(let quality, let limit, let reason):
      (
        .info,
        "connection \(quality?.rawValue ?? "unknown"), limit \(limit): \(reason.rawValue)"
      )
    case .storeFailed(let error): (.error, "store: \(error)")
    case .syncEnded(let status):
      (
        .info,
        "sync ended: \(status.done) done, \(status.failed) failed, \(status.newArticles) new"
      )
    }
  }

  private static func line(_ report: RefreshReport) -> (level: Log.Level, text: String) {
    switch report.outcome {
    case .refreshed(let added, let updated):
      (.info, "\(report.url): \(added) new, \(updated) changed, \(report.bytes) bytes")
    case .unchanged: (.info, "\(report.url): unchanged, \(report.bytes) bytes")
    case .failed(let kind, let status, let detail):
      (
        .warning,
        "\(report.url): \(kind.rawValue) \(status.map(String.init) ?? "") \(detail ?? "")"
      )
    case .postponed(let until): (.info, "\(report.url): not asked until \(until)")
    }
  }
}
