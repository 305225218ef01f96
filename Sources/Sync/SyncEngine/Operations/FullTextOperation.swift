import FeedParsing

/// Requests the page of an article and extracts its text.
struct FullTextOperation: AddressOperation {
  typealias Answer = Result<ArticleRequest.Answer, FetchFailure>

  static let kind = OperationKind.fullText

  let task: FullTextTask
  let fetcher: Fetcher
  let context: OperationContext

  static func name(
    of row: Int64, in context: OperationContext
  ) throws(StoreError) -> String? {
    try context.store.fullTexts.title(of: ArticleID(rawValue: row))
  }

  /// Returns the waiting pages; those that the user waits for have a higher priority.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.fullTexts.pendingFullTexts().map { task in
      entry(
        task.article.rawValue, host: WebAddress(task.url).hostKey ?? "",
        task.isWanted ? .userInitiated : .background,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    Set(try context.store.fullTexts.waitingFullTexts().map(\.rawValue))
  }

  var url: String { task.url }

  func preflight() -> Preflight<FullTextOutcome> {
    preflightFailure.map { .known(.failed($0)) } ?? .fetch
  }

  func fetch() async -> Answer {
    await Result { () async throws(FetchFailure) in try await request.send() }
  }

  private var request: ArticleRequest {
    ArticleRequest(url: url, referrers: task.referrers, fetcher: fetcher, pool: context.pool)
  }

  func networkEnd(of answer: Answer) -> OperationEnd? { answer.networkEnd(host: host) }

  func refusal(_ reason: FailureDetail) -> FullTextOutcome? {
    .failed(fetcher.failure(.storage, detail: reason))
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

extension FullTextOperation {
  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.fullTexts.pendingFullText(ArticleID(rawValue: row)) else {
      return nil
    }
    self.init(task: task, fetcher: fetcher, context: context)
  }
}
