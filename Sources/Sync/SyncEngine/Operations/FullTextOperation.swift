import FeedParsing

/// Requests the page of an article and extracts its text.
struct FullTextOperation: WorkOperation {
  typealias Work = FullTextCache<EngineCache>
  typealias Answer = Result<ArticleRequest.Answer, FetchFailure>

  static let kind = OperationKind.fullText

  let task: FullTextTask
  let fetcher: Fetcher
  let context: OperationContext

  static func priority(of task: FullTextTask, in context: OperationContext) -> OperationPriority {
    task.isWanted ? .userInitiated : .background
  }

  func fetch() async -> Answer {
    await Result { () async throws(FetchFailure) in try await request.send() }
  }

  private var request: ArticleRequest {
    ArticleRequest(url: url, referrers: task.referrers, fetcher: fetcher, pool: context.pool)
  }

  func store(_ outcome: FullTextOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.fullTexts.finishFullText(task.article, outcome)
    return []
  }

  func digest(_ answer: Answer) async -> FullTextOutcome? {
    switch answer {
    case .failure(let error): .failed(fetcher.failure(error))
    case .success(let answer): await request.outcome(of: answer)
    }
  }
}
