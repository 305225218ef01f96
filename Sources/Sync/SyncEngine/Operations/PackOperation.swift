/// Fetches a part of a pack as its own kind of operation would. Counts the bytes on the wire, and
/// stops when the budget is used up.
struct PackOperation: WorkOperation {
  typealias Work = PackCache<EngineCache>
  typealias Outcome = PackOutcome
  typealias Answer = (networkEnd: OperationEnd?, digest: @Sendable () async -> PackOutcome?)

  static let kind = OperationKind.pack
  static let policy = OperationPolicy(isForReading: true, isOfPack: true)

  let task: PackTask
  let fetcher: Fetcher
  let context: OperationContext
  private let download: DownloadOperation?

  init(task: PackTask, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    var metered = fetcher
    metered.observe = { event in
      if case .received(let bytes) = event { context.packBudget.received(bytes, for: task) }
      fetcher.observe?(event)
    }
    (self.task, self.fetcher, self.context) = (task, metered, context)
    download = try task.download.flatMap { id throws(StoreError) in
      try DownloadOperation(row: id, fetcher: metered, context: context)
    }
  }

  /// Parts for a command are queued among the feeds; others wait for a good network.
  static func priority(of task: PackTask, in context: OperationContext) -> OperationPriority {
    context.configuration.packsAtOnce ? .scheduled : .prefetch
  }

  func preflight() -> PackOutcome? {
    if task.isPresent { return .present }
    if task.stage == .audio, download == nil {
      // The user has removed the file, or there is no folder.
      return task.download == nil ? .leftOut : .failed(fetcher.failure(.storage))
    }
    let isTooLarge = task.size.map { $0 > task.left } ?? false
    if isTooLarge || context.packBudget.isSpent(task) { return .leftOut }
    if let state = download?.preflight() { return .audio(state) }
    return preflightFailure.map(PackOutcome.failed)
  }

  func fetch() async throws(StoreError) -> Answer {
    // The transfer starts only after the budget can end it.
    let (isCounted, counted) = AsyncStream<Void>.makeStream()
    let work = Task { () -> Result<Answer, StoreError> in
      for await _ in isCounted {}
      return await Result { try await request() }.mapError { StoreError($0) }
    }
    await context.packBudget.begin(task) { [token = fetcher.token] in
      // Nothing more is read until the cancellation arrives.
      token?.pause()
      work.cancel()
    }
    counted.finish()
    let answer = try await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }.get()
    guard answer.networkEnd == .cancelled, context.packBudget.isOver(task), !Task.isCancelled
    else { return answer }
    return (.answered, { .leftOut })
  }

  private func request() async throws(StoreError) -> Answer {
    if let download { return try await answer(of: download) { .audio($0) } }
    guard task.stage == .text else {
      let picture = PictureOperation(task: task.picture, fetcher: fetcher, context: context)
      return try await answer(of: picture) { .picture($0) }
    }
    let text = FullTextOperation(task: task.text, fetcher: fetcher, context: context)
    return try await answer(of: text) { outcome in
      switch outcome {
      case .failed(let failure): return .failed(failure)
      case .found(let content):
        let facts = context.configuration.textFacts(content.html)
        return .text(content, minutes: facts.minutes, pictures: facts.pictures)
      }
    }
  }

  private func answer<Part: WorkOperation>(
    of part: Part, _ outcome: @escaping @Sendable (Part.Outcome) -> PackOutcome
  ) async throws(StoreError) -> Answer {
    let answer = try await part.fetch()
    return (part.networkEnd(of: answer), { await part.digest(answer).map(outcome) })
  }

  func networkEnd(of answer: Answer) -> OperationEnd? { answer.networkEnd }

  func digest(_ answer: Answer) async -> PackOutcome? { await answer.digest() }

  func store(_ outcome: PackOutcome) async throws(StoreError) -> [SyncEvent] {
    let bytes = context.packBudget.end(task)
    do throws(StoreError) {
      try await context.store.packs.finishPackItem(task, outcome, bytes: bytes)
      // A partial file that does not fit is deleted.
      if case .leftOut = outcome { try download?.sweep() }
    } catch {
      // After a full disk the rest would fail too, and is fetched when the user resumes the pack.
      let isFull = error == .diskFull
      try await context.store.packs.spend(bytes, of: task.pack, end: isFull ? .diskFull : nil)
      if !isFull { throw error }
    }
    return []
  }

  /// Counts the received bytes, although nothing is kept.
  func abandon() async {
    do throws(StoreError) {
      try await context.store.packs.spend(context.packBudget.end(task), of: task.pack)
    } catch {
      context.emit(.storeFailed(error))
    }
  }
}
