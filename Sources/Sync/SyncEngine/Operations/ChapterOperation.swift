import FeedParsing

/// Fetches the file of an episode's chapters.
struct ChapterOperation: WorkOperation {
  typealias Work = ChapterWork
  typealias Answer = Result<DocumentResponse, FetchFailure>
  typealias Outcome = Result<[Chapter], RefreshFailure>

  static let kind = OperationKind.chapters
  static let policy = OperationPolicy(isOfPack: true)

  let task: ChapterTask
  let fetcher: Fetcher
  let context: OperationContext

  static func priority(of task: ChapterTask, in context: OperationContext) -> OperationPriority {
    .visible
  }

  func fetch() async -> Answer {
    await Result { () async throws(FetchFailure) in
      try await fetcher.fetch(url, .chapters, from: AddressSource(task.referrers, of: url))
    }
  }

  func digest(_ answer: Answer) async -> Outcome? {
    switch answer {
    case .failure(let error): return .failure(fetcher.failure(error))
    case .success(let file):
      guard file.status == 200 else { return .failure(fetcher.refusal(file, of: url)) }
      fetcher.hosts.answeredWell(WebAddress(file.finalURL).hostKey ?? "")
      return .success(await context.pool.read(file, [Chapter].init(_:contentType:url:)))
    }
  }

  func store(_ outcome: Outcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.chapters.finish(
      task.id, outcome.map { list in { list.html(below: $0) } })
    return []
  }
}
