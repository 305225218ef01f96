/// Fetches a picture of an article, on screen or prefetched.
struct PictureOperation: AddressOperation {
  typealias Answer = Result<DocumentResponse, FetchFailure>

  static let kind = OperationKind.picture
  static let policy = OperationPolicy(isForReading: true)

  let task: PictureTask
  let fetcher: Fetcher
  let context: OperationContext

  static func name(
    of row: Int64, in context: OperationContext
  ) throws(StoreError) -> String? {
    try context.store.pictures.address(of: row)
  }

  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.pictures.pendingPictures().map { task in
      entry(
        task.id, host: WebAddress(task.url).hostKey ?? "", task.isVisible ? .visible : .prefetch,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    try context.store.pictures.waitingPictures()
  }

  var url: String { task.url }

  func preflight() -> Preflight<PictureOutcome> {
    preflightFailure.map { .known(.failed($0)) } ?? .fetch
  }

  func fetch() async -> Answer {
    let stored = task.validators
    let validators = Validators(etag: stored?.etag, lastModified: stored?.lastModified)
    return await Result { () async throws(FetchFailure) in
      try await fetcher.fetch(
        url, .picture, from: AddressSource(task.referrers, of: url),
        validators: (validators, stored?.from))
    }
  }

  func networkEnd(of answer: Answer) -> OperationEnd? { answer.networkEnd(host: host) }

  func digest(_ answer: Answer) async -> PictureOutcome? {
    let response: DocumentResponse
    switch answer {
    case .failure(let error): return .failed(fetcher.failure(error))
    case .success(let value): response = value
    }
    guard response.isCurrent || response.status == 200 else {
      return .failed(fetcher.refusal(response, of: url))
    }
    fetcher.hosts.answeredWell(WebAddress(response.finalURL).hostKey ?? "")
    if response.isCurrent { return .notModified }
    return response.body.isEmpty ? .failed(fetcher.failure(.empty)) : response.picture
  }

  func refusal(_ reason: FailureDetail) -> PictureOutcome? {
    .failed(fetcher.failure(.storage, detail: reason))
  }

  func store(_ outcome: PictureOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.pictures.finishPicture(task.id, outcome)
    return []
  }
}

extension PictureOperation {
  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.pictures.pendingPicture(row) else { return nil }
    self.init(task: task, fetcher: fetcher, context: context)
  }
}

extension DocumentResponse {
  /// The picture, or the reason why the picture is not shown.
  var picture: PictureOutcome {
    do throws(PictureRefusal) {
      return .received(
        body, try PictureHeader.read(body).size,
        PictureValidators(
          etag: validators?.etag, lastModified: validators?.lastModified, from: documentURL))
    } catch {
      return .refused(error)
    }
  }
}
