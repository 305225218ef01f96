import Foundation

/// Downloads a file of an article into the user's folder.
struct DownloadOperation: WorkOperation {
  typealias Work = DownloadCache<EngineCache>
  typealias Answer = (file: DownloadFile?, result: Result<DocumentResponse, FetchFailure>)

  static let kind = OperationKind.download
  static let policy = OperationPolicy(isRequested: true)

  let task: DownloadTask
  let folder: String
  let fetcher: Fetcher
  let context: OperationContext

  init?(task: DownloadTask, fetcher: Fetcher, context: OperationContext) {
    guard let folder = context.configuration.downloadFolder else { return nil }
    (self.task, self.folder, self.fetcher, self.context) = (task, folder, fetcher, context)
  }

  /// Downloads queue among the feeds, so that a long one does not delay everything else.
  static func priority(of task: DownloadTask, in context: OperationContext) -> OperationPriority {
    .scheduled
  }

  /// Downloads beyond the limits stop and resume later.
  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    Set(try tasks(in: context).map(\.id))
  }

  static func tasks(in context: OperationContext) throws(StoreError) -> [DownloadTask] {
    guard context.configuration.downloadFolder != nil else { return [] }
    let paused = try context.store.requests.syncPauses().compactMap { pause in
      if case .host(let host) = pause.scope { host } else { nil }
    }
    return try context.downloads.select(
      try context.store.downloads.pending(), paused: Set(paused), at: context.clock.date(),
      in: context.store)
  }

  /// Checks for a saved file, a web address and a back-off of the host.
  func preflight() -> Download.State? {
    if let path = task.path, FileManager.default.fileExists(atPath: path) {
      return .saved(path: path)
    }
    return preflightFailure.map(Download.State.failed)
  }

  /// Removes unfinished files without a download.
  func sweep() throws(StoreError) {
    try PartialName.sweep(
      folder, directory: context.configuration.directory ?? "", in: context.store)
  }

  func fetch() async throws(StoreError) -> Answer {
    context.downloads.began(task.id)
    defer { context.downloads.ended(task.id) }
    let directory = context.configuration.directory ?? ""
    try sweep()
    let answer = try await attempt(validator: task.validator, directory: directory)
    // The server's file is shorter than the received part, so it is another file.
    guard case .success(let page) = answer.result, page.status == 416, let file = answer.file,
      file.start > 0
    else { return answer }
    file.discard()
    return try await attempt(validator: nil, directory: directory)
  }

  /// Resumes an earlier attempt if the server can.
  /// - Throws: if the validator or the number of received bytes cannot be stored.
  private func attempt(validator: String?, directory: String) async throws(StoreError) -> Answer {
    let (store, gate, id) = (context.store.downloads, context.downloads, task.id)
    let writes = OrderedWrites()
    let file: DownloadFile
    do throws(DownloadFile.Refusal) {
      file = try DownloadFile(
        in: folder, name: PartialName.name(id, url: task.url, directory: directory),
        validator: validator, clock: context.clock,
        began: { new in
          guard new != validator else { return }
          writes.add { try await store.setDownloadValidator(id, new) }
        },
        grown: { received, size, added in
          // Completes the download before the count of its bytes can use up the day's limit.
          if received == size { gate.completed(id) }
          writes.add {
            try await store.setDownloaded(id, received: received, size: size, added: added)
          }
        })
    } catch {
      try await writes.end()
      return (nil, .failure(.own(.storage, error.detail)))
    }
    let resuming = file.validator.map { (start: file.start, validator: $0) }
    let source = AddressSource(task.referrers, of: task.url)
    let result = await Result { () async throws(FetchFailure) in
      try await fetcher.fetch(task.url, .file, from: source, into: file, resuming: resuming)
    }
    if case .success(let page) = result, page.status < 300, file.isWhole { gate.completed(id) }
    file.reportRest()
    do throws(StoreError) {
      try await writes.end()
      if case .failure = result {
        // The row is missing if the user removed the download.
        if try store.hasPart(ofDownload: id) { file.pause() } else { file.discard() }
      }
    } catch {
      file.pause()
      throw error
    }
    return (file, result)
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    answer.result.networkEnd(host: host)
  }

  func digest(_ answer: Answer) -> Download.State? {
    switch answer.result {
    case .failure(let error):
      return .failed(
        fetcher.failure(error.kind, detail: answer.file?.failure ?? error.detail))
    case .success(let page):
      guard page.status == 200 || page.status == 206 else {
        answer.file?.pause()
        return .failed(fetcher.refusal(page, of: task.url))
      }
      guard answer.file?.isWhole != false else {
        answer.file?.pause()
        return .failed(fetcher.failure(.truncated))
      }
      do throws(DownloadFile.Refusal) {
        return try (answer.file?.save(as: Download.fileName(of: task.url))).map { .saved(path: $0) }
      } catch {
        answer.file?.discard()
        return .failed(fetcher.failure(.storage, detail: error.detail))
      }
    }
  }

  func store(_ outcome: Download.State) async throws(StoreError) -> [SyncEvent] {
    try await context.store.downloads.finishDownload(task.id, outcome, bytes: Self.bytes(outcome))
    return []
  }

  private static func bytes(_ outcome: Download.State) -> Int64? {
    guard case .saved(let path) = outcome else { return nil }
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}

/// Runs writes one after another. `add` returns at once, so that callbacks can call it.
struct OrderedWrites: Sendable {
  typealias Write = @Sendable () async throws -> Void

  private let queue: AsyncStream<Write>.Continuation
  private let consumer: Task<Result<Void, StoreError>, Never>

  init() {
    let (writes, queue) = AsyncStream<Write>.makeStream()
    self.queue = queue
    // The task is not cancelled with the operation, because received bytes count.
    consumer = Task {
      await Result { for await write in writes { try await write() } }.mapError { StoreError($0) }
    }
  }

  func add(_ write: @escaping Write) { queue.yield(write) }

  /// Waits for the writes that were added. Later ones are dropped.
  /// - Throws: the first error, after which nothing was written.
  func end() async throws(StoreError) {
    queue.finish()
    try await consumer.value.get()
  }
}
