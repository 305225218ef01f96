import FeedModel
import FeedStore
import Foundation
import ReaderUI
import SyncEngine
import Synchronization

/// What `weir sync` shows while it runs, read from the rows: it makes no difference whose engine
/// writes them.
final class SyncView: Sendable {
  /// Seconds between two looks at the rows.
  private static let interval = Duration.milliseconds(200)

  private let session: Session
  private let request: RefreshRequest
  private let showsProgress: Bool
  private let printer: FeedPrinter?

  init(session: Session, request: RefreshRequest, showsProgress: Bool, printsFeeds: Bool) {
    self.session = session
    self.request = request
    self.showsProgress = showsProgress
    printer = printsFeeds ? FeedPrinter(store: session.store, request: request) : nil
  }

  /// Shows and prints until the task is cancelled. Returns why the output could not be written.
  func follow() async -> CommandFailure? {
    guard showsProgress || printer != nil else { return nil }
    do {
      while !Task.isCancelled {
        try show()
        try? await Task.sleep(for: Self.interval)
      }
      return nil
    } catch {
      return error as? CommandFailure
    }
  }

  func finish() throws {
    if showsProgress { Console.showProgress("") }
    try printer?.printEnded()
  }

  private func show() throws {
    try printer?.printEnded()
    guard showsProgress, let now = try? session.store.refreshRequest(request.id),
      let status = try? session.store.syncStatus()
    else { return }
    let width = Console.columns(of: STDERR_FILENO) ?? 80
    Console.showProgress(
      ProgressLine.text(
        now, status, elapsed: -request.requestedAt.timeIntervalSinceNow, width: width))
  }
}

/// One line of progress: `███████░░░░░░ 212/1000 · 1.4 MB/s · good · 12 s left · 3 failed`.
enum ProgressLine {
  private static let widestBar = 30
  private static let narrowestBar = 8

  static func text(
    _ request: RefreshRequest, _ status: SyncStatus, elapsed: Double, width: Int
  ) -> String {
    var parts = ["\(request.done)/\(request.total)"]
    if status.rate > 0 { parts.append(AmountWording.rate(status.rate)) }
    if let grade = status.grade { parts.append(grade.rawValue) }
    if request.done > 0, request.done < request.total, elapsed > 1 {
      let left = elapsed / Double(request.done) * Double(request.total - request.done)
      parts.append(
        left < 60 ? "\(Int(left.rounded(.up))) s left" : AmountWording.duration(left) + " left")
    }
    if request.failed > 0 { parts.append("\(request.failed) failed") }
    let text = parts.joined(separator: " \u{00B7} ")
    // The last column stays empty: some terminals would wrap.
    let bar = min(widestBar, width - text.count - 2)
    guard bar >= narrowestBar else { return String(text.prefix(max(0, width - 1))) }
    let share = request.total > 0 ? Double(request.done) / Double(request.total) : 0
    let full = Int(Double(bar) * min(1, share))
    return String(repeating: "\u{2588}", count: full)
      + String(repeating: "\u{2591}", count: bar - full) + " " + text
  }
}

/// The lines of `weir sync --json`: each feed of the request once, when it has ended.
private final class FeedPrinter: Sendable {
  private struct Line: Encodable {
    var feed: Int64
    var name: String
    var url: String
    var outcome: String
    var newArticles: Int
    var failure: FeedDocument.Failure?
  }

  private let store: FeedStore
  private let request: RefreshRequest
  private let waiting: Mutex<[FeedID: Int]>

  init(store: FeedStore, request: RefreshRequest) {
    self.store = store
    self.request = request
    let pending = Set(((try? store.pendingFeeds(of: request.id)) ?? []).map(\.feed))
    let feeds = (try? store.subscriptions().feeds) ?? []
    waiting = Mutex(
      feeds.reduce(into: [:]) { totals, feed in
        if pending.contains(feed.id) { totals[feed.id] = feed.counts.total }
      })
  }

  func printEnded() throws {
    let pending = Set(try store.pendingFeeds(of: request.id).map(\.feed))
    let ended = waiting.withLock { waiting in
      let ended = waiting.filter { !pending.contains($0.key) }
      for feed in ended.keys { waiting[feed] = nil }
      return ended
    }
    for (id, before) in ended.sorted(by: { $0.key < $1.key }) {
      guard let feed = try store.feed(id) else { continue }
      let document = FeedDocument(feed, folder: [], wording: .now)
      try JSONOutput.print(
        Line(
          feed: document.id, name: document.name, url: document.url,
          outcome: document.failure == nil ? "ok" : "failed",
          newArticles: max(0, document.total - before), failure: document.failure))
    }
  }
}

/// The engine's events in the log.
struct SyncLog {
  let log: Log

  func follow(_ events: AsyncStream<SyncEvent>) async {
    for await event in events { write(event) }
  }

  private func write(_ event: SyncEvent) {
    switch event {
    case .becameEngine: log.info("this process is the engine")
    case .standingBy: log.info("another process is the engine")
    case .syncStarted: log.info("sync started")
    case .refreshStarted(_, let url, let workClass): log.debug("\(workClass) \(url)")
    case .refreshEnded(let report):
      switch report.outcome {
      case .refreshed(let added, let updated):
        log.info("\(report.url): \(added) new, \(updated) changed, \(report.bytes) bytes")
      case .unchanged: log.info("\(report.url): unchanged, \(report.bytes) bytes")
      case .failed(let kind, let status, let detail):
        log.warning(
          "\(report.url): \(kind.rawValue) \(status.map(String.init) ?? "") \(detail ?? "")")
      case .postponed(let until): log.info("\(report.url): not asked until \(until)")
      }
    case .refreshPostponed(let feed): log.info("feed \(feed.rawValue) postponed: the line failed")
    case .discoveryEnded(let discovery): log.info("looked for feeds at \(discovery.url)")
    case .line(let grade, let width, let reason):
      log.info("line \(grade?.rawValue ?? "unknown"), width \(width): \(reason)")
    case .storeFailed(let error): log.error("store: \(error)")
    case .syncEnded(let status):
      log.info(
        "sync ended: \(status.done) done, \(status.failed) failed, \(status.newArticles) new")
    }
  }
}
