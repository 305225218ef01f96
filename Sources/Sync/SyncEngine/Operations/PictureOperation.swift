/// Fetches a picture of an article, on screen or prefetched.
struct PictureOperation: WorkOperation {
  typealias Work = PictureCache<EngineCache>
  typealias Answer = Result<DocumentResponse, FetchFailure>

  static let kind = OperationKind.picture
  static let policy = OperationPolicy(isForReading: true)

  let task: PictureTask
  let fetcher: Fetcher
  let context: OperationContext

  static func priority(of task: PictureTask, in context: OperationContext) -> OperationPriority {
    task.isVisible ? .visible : .prefetch
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

  func store(_ outcome: PictureOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.pictures.finishPicture(task.id, outcome)
    return []
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
