import FeedModel
import FeedParsing
import FeedStore
import NetworkMeasurement
import Networking
import RateLimiting

/// The page of one article, from which its text is taken.
struct FullTextOperation: SyncOperation {
  typealias Answer = Result<ArticleRequest.Answer, FetchFailure>

  static let kind = OperationKind(id: 2)

  let task: FullTextTask
  let fetcher: Fetcher
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.pendingFullText(ArticleID(rawValue: row)) else {
      return nil
    }
    (self.task, self.fetcher, self.context) = (task, fetcher, context)
  }

  /// Requests that the user waits for go first.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.pendingFullTexts().map { task in
      entry(
        task.article.rawValue, host: WebAddress(task.url).hostKey ?? "",
        task.isWanted ? .userInitiated : .background,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    Set(try context.store.waitingFullTexts().map(\.rawValue))
  }

  var address: String? { WebAddress(task.url).isHTTP ? task.url : nil }

  /// Checks for a network address and a back-off of the host.
  func preflight() -> Preflight<FullTextOutcome> {
    guard WebAddress(task.url).isHTTP else { return .known(request.failed(.unsupportedScheme)) }
    return fetcher.pauseStatus(of: task.url).map {
      .known(request.failed(.rateLimited, status: $0))
    } ?? .fetch
  }

  func fetch() async -> Answer {
    do throws(FetchFailure) {
      return .success(try await request.send())
    } catch {
      return .failure(error)
    }
  }

  private var request: ArticleRequest {
    ArticleRequest(
      url: task.url, namers: task.namers, fetcher: fetcher, pool: context.pool)
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    answer.networkEnd(host: WebAddress(task.url).hostKey ?? "")
  }

  func store(_ outcome: FullTextOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.finishFullText(task.article, outcome)
    return []
  }

  func digest(_ answer: Answer) async -> FullTextOutcome? {
    switch answer {
    case .failure(let error): request.failed(error.kind, error.detail)
    case .success(let answer): await request.outcome(of: answer)
    }
  }
}
