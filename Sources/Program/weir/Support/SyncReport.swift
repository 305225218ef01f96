import Foundation
import ProgramSettings

/// The result of a sync as lines, with failures by reason, or as JSON.
struct SyncReport {
  private static let namesShown = 3

  private struct Cause: Hashable {
    var kind: RefreshFailure.Kind
    var status: Int?
    var advice: String
  }

  private let request: RefreshRequest
  private let summary: SyncSummary
  private let groups: [(cause: Cause, feeds: [Feed])]

  init(_ request: RefreshRequest, _ summary: SyncSummary, _ store: FeedStore) throws {
    self.request = request
    self.summary = summary
    let failed = request.failed > 0 ? try store.reader.requests.failedFeeds(of: request) : []
    let now = Date()
    var groups: [Cause: [Feed]] = [:]
    for feed in failed {
      guard let failure = feed.state.failure else { continue }
      let cause = Cause(
        kind: failure.kind, status: failure.status, advice: Remedy(failure, at: now).advice)
      groups[cause, default: []].append(feed)
    }
    self.groups = groups.map { (cause: $0.key, feeds: $0.value) }.sorted {
      ($1.feeds.count, $0.feeds[0].id) < ($0.feeds.count, $1.feeds[0].id)
    }
  }

  init(withoutFeeds summary: SyncSummary) {
    request = RefreshRequest(id: 0, scope: .feeds([]), requestedAt: Date())
    self.summary = summary
    groups = []
  }

  /// Lines like "1,000 feeds, 7 new articles, 3 failed; 1.2 MB in 22 s", then one for each reason.
  var lines: [String] {
    let cost =
      "\(AmountWording.bytes(Double(request.bytes))) in \(SyncWording.time(summary.duration / .seconds(1)))"
    let pauses = HostPause.all(groups.flatMap(\.feeds))
    let waiting = pauses.reduce(0) { $0 + $1.feeds.count }
    let dates = FailureWording.now.dates
    return ["\(SyncWording.summary(request, waiting: waiting)); \(cost)"]
      + groups.filter { $0.cause.kind != .rateLimited }.map(line)
      + pauses.map { SafeText.withoutSecrets("  \($0.sentence(dates))") }
  }

  private func line(_ cause: Cause, _ feeds: [Feed]) -> String {
    var names = feeds.prefix(Self.namesShown).map { SafeText.withoutSecrets($0.name) }
    let others = feeds.count - names.count
    if others > 0 { names.append(AmountWording.count(others, "other", "others")) }
    return "  \(AmountWording.grouped(feeds.count)) failed: \(message(cause, feeds)); "
      + "\(cause.advice): \(names.joined(separator: ", "))"
  }

  private func message(_ cause: Cause, _ feeds: [Feed]) -> String {
    let failure = RefreshFailure(
      kind: cause.kind, status: cause.status,
      detail: feeds.count == 1 ? feeds[0].state.failure?.detail : nil, since: request.requestedAt)
    let hosts = Set(feeds.map { FailureWording.subject($0.url) })
    let subject = hosts.count == 1 ? hosts.first : nil
    return SafeText.withoutSecrets(FailureWording.now.happened(failure, subject: subject))
  }

  var document: JSONObject {
    [
      "summary": true, "done": request.done, "total": request.total,
      "newArticles": request.newArticles, "unchanged": request.unchanged,
      "failed": request.failed, "bytes": request.bytes,
      "seconds": (summary.duration / .milliseconds(1)).rounded() / 1_000,
      "offline": summary.isOffline, "paused": summary.isPaused,
      "failures": groups.map { cause, feeds in
        [
          "kind": cause.kind.rawValue, "status": cause.status, "feeds": feeds.map(\.id.rawValue),
          "message": message(cause, feeds), "remedy": cause.advice,
        ] as JSONObject
      },
    ]
  }
}
