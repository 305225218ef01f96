import FeedParsing
import Foundation
import Synchronization

/// Fetches a part of a pack. Counts the bytes on the wire, and stops when the budget is used up.
struct PackOperation: AddressOperation {
  enum Answer: Sendable {
    case article(Result<ArticleRequest.Answer, FetchFailure>)
    case page(Result<PageResponse, FetchFailure>)
    case picture(Result<PictureResponse, FetchFailure>)
    case audio(DownloadOperation.Answer)
    case overBudget
  }

  typealias Outcome = PackOutcome

  static let kind = OperationKind.pack
  static let policy = OperationPolicy(isForReading: true, isOfPack: true)

  let task: PackTask
  let fetcher: Fetcher
  let context: OperationContext
  let download: DownloadOperation?
  private let meter: WireMeter

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.packs.pendingPackItem(row) else { return nil }
    let meter = context.packBudget.meter(
      pack: task.pack, left: task.left, now: context.clock.now)
    var metered = fetcher
    let observe = fetcher.observe
    metered.observe = { event in
      if case .received(let bytes) = event { meter.received(bytes) }
      observe?(event)
    }
    download = try Self.download(task, fetcher: metered, context: context)
    (self.task, self.fetcher, self.context, self.meter) = (task, metered, context, meter)
  }

  static func name(
    of row: Int64, in context: OperationContext
  ) throws(StoreError) -> String? {
    try context.store.packs.address(of: row)
  }

  /// Returns the waiting parts. Feeds on screen precede packs. Packs with a due time, and packs of
  /// a command, are queued among the feeds; other packs wait for a good network.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.packs.pendingPackItems().map { task in
      let isUrgent = context.configuration.packsAtOnce || task.dueAt != nil
      return entry(
        task.id, host: WebAddress(task.url).hostKey ?? "", isUrgent ? .scheduled : .prefetch,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    try context.store.packs.waitingPackItems()
  }

  var url: String { task.url }

  func preflight() throws(StoreError) -> Preflight<PackOutcome> {
    switch task.stage {
    case .text:
      if let known = try context.store.fullTexts.fullText(task.article),
        case .found(let html) = known.state
      {
        var content = MainContent(html: html)
        content.obstacle = known.obstacle
        return .known(text(content))
      }
    case .picture:
      switch try context.store.packs.picture(at: task.url)?.state {
      case .stored, .refused(.tracker): return .known(.present)
      default: break
      }
    case .discussion: break
    case .audio:
      if let known = try audioIsKnown() { return .known(known) }
    }
    if address != nil, meter.isSpent { return .known(.leftOut) }
    return preflightFailure.map { .known(.failed($0)) } ?? .fetch
  }

  func fetch() async throws(StoreError) -> Answer {
    let (operation, meter) = (self, meter)
    meter.begins()
    // The transfer starts only after the meter can end it.
    let (isWatched, watched) = AsyncStream<Void>.makeStream()
    let work = Task { () -> Result<Answer, StoreError> in
      for await _ in isWatched {}
      return await Result { () async throws(StoreError) in try await operation.request() }
    }
    meter.whenSpent { work.cancel() }
    watched.finish()
    let result = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    let answer = try result.get()
    let isCancelled: Bool
    switch answer {
    case .article(.failure(.transport(let error))), .page(.failure(.transport(let error))),
      .picture(.failure(.transport(let error))),
      .audio((_, .failure(.transport(let error)))):
      isCancelled = error.kind == .cancelled
    default: isCancelled = false
    }
    return isCancelled && meter.isSpent && !Task.isCancelled ? .overBudget : answer
  }

  private func request() async throws(StoreError) -> Answer {
    let source = AddressSource(task.referrers, of: url)
    switch task.stage {
    case .text:
      return .article(
        await Result { () async throws(FetchFailure) in try await articleRequest.send() })
    case .discussion:
      return .page(
        await Result { () async throws(FetchFailure) in
          try await fetcher.page(url, from: source)
        })
    case .picture:
      return .picture(
        await Result { () async throws(FetchFailure) in
          try await fetcher.picture(url, validators: (Validators(), from: nil), from: source)
        })
    case .audio:
      guard let answer = try await download?.fetch() else { return .overBudget }
      return .audio(answer)
    }
  }

  private var articleRequest: ArticleRequest {
    ArticleRequest(url: url, referrers: task.referrers, fetcher: fetcher, pool: context.pool)
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    switch answer {
    case .article(let result): result.networkEnd(host: host)
    case .page(let result): result.networkEnd(host: host)
    case .picture(let result): result.networkEnd(host: host)
    case .audio(let answer): answer.result.networkEnd(host: host)
    case .overBudget: .answered
    }
  }

  func digest(_ answer: Answer) async -> PackOutcome? {
    switch answer {
    case .overBudget: return .leftOut
    case .audio(let answer): return download?.digest(answer).map { .audio($0) }
    case .article(.failure(let error)), .page(.failure(let error)), .picture(.failure(let error)):
      return .failed(fetcher.failure(error))
    case .article(.success(let answer)):
      switch await articleRequest.outcome(of: answer) {
      case .found(let content): return text(content)
      case .failed(let failure): return .failed(failure)
      }
    case .page(.success(let page)):
      guard page.status == 200 else { return .failed(fetcher.refusal(page, of: task.url)) }
      fetcher.hosts.answeredWell(WebAddress(page.finalURL).hostKey ?? "")
      let whole = await context.pool.attempt { () throws(ParseError) in
        try PageParser.whole(page.body, contentType: page.contentType, url: page.finalURL)
      }
      guard case .success(let html) = whole else { return .failed(fetcher.failure(.noArticle)) }
      return .discussion(html: html)
    case .picture(.success(let response)):
      let page = response.page
      guard page.status == 200 else { return .failed(fetcher.refusal(page, of: task.url)) }
      fetcher.hosts.answeredWell(WebAddress(page.finalURL).hostKey ?? "")
      return .picture(response.outcome)
    }
  }

  func store(_ outcome: PackOutcome) async throws(StoreError) -> [SyncEvent] {
    let (bytes, took) = meter.end()
    do throws(StoreError) {
      try await context.store.packs.finishPackItem(task, outcome, bytes: bytes, took: took)
      // A partial file that does not fit is deleted.
      if case .leftOut = outcome { try download?.sweep() }
    } catch .diskFull {
      // The rest would fail in the same way, and is fetched when the user resumes the pack.
      try await context.store.packs.endPack(.diskFull)
      try await context.store.packs.spend(bytes, of: task.pack)
    }
    return []
  }

  func abandon() async {
    // Received bytes count, although nothing is kept.
    let bytes = meter.end().bytes
    guard bytes > 0 else { return }
    do throws(StoreError) {
      try await context.store.packs.spend(bytes, of: task.pack)
    } catch {
      context.emit(.storeFailed(error))
    }
  }

  private func text(_ content: MainContent) -> PackOutcome {
    let facts = context.configuration.textFacts(content.html)
    return .text(content, minutes: facts.minutes, pictures: facts.pictures)
  }
}

/// Audio of a pack, fetched as a download within the pack's budget.
extension PackOperation {
  /// Returns the download of a pack's audio file; `nil` if the pack need not download the file.
  static func download(
    _ task: PackTask, fetcher: Fetcher, context: OperationContext
  ) throws(StoreError) -> DownloadOperation? {
    guard task.stage == .audio, let found = try context.store.packs.download(of: task),
      found.isOfPack
    else { return nil }
    return try DownloadOperation(row: found.file.id, fetcher: fetcher, context: context)
  }

  /// Returns the result if no request is needed.
  func audioIsKnown() throws(StoreError) -> PackOutcome? {
    guard let download else {
      guard let found = try context.store.packs.download(of: task) else { return .leftOut }
      if case .failed(let failure) = found.file.state { return .failed(failure) }
      // The file was saved before, or the user has requested it in the meantime.
      return found.isOfPack ? .failed(fetcher.failure(.storage)) : .present
    }
    if let size = task.size, size > task.left { return .leftOut }
    if case .known(let state) = download.preflight() { return .audio(state) }
    return nil
  }
}
