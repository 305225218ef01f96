import FeedModel
import FeedStore
import NetworkMeasurement
import Networking
import RateLimiting

/// One picture of an article, on screen or prefetched.
struct PictureOperation: SyncOperation {
  typealias Answer = Result<PictureResponse, FetchFailure>

  static let kind = OperationKind(id: 7, isForReading: true)

  let task: PictureTask
  let fetcher: Fetcher
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.pendingPicture(row) else { return nil }
    (self.task, self.fetcher, self.context) = (task, fetcher, context)
  }

  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.pendingPictures().map { task in
      entry(
        task.id, host: WebAddress(task.url).hostKey ?? "", task.isVisible ? .visible : .prefetch,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    try context.store.waitingPictures()
  }

  var address: String? { WebAddress(task.url).isHTTP ? task.url : nil }

  /// Checks for a network address and a back-off of the host.
  func preflight() -> Preflight<PictureOutcome> {
    guard WebAddress(task.url).isHTTP else { return .known(failed(.unsupportedScheme)) }
    return fetcher.pauseStatus(of: task.url).map { .known(failed(.rateLimited, status: $0)) }
      ?? .fetch
  }

  func fetch() async -> Answer {
    let stored = task.validators
    do throws(FetchFailure) {
      return .success(
        try await fetcher.picture(
          task.url,
          validators: (
            Validators(etag: stored?.etag, lastModified: stored?.lastModified), stored?.from
          ),
          from: AddressSource(task.namers, naming: task.url)))
    } catch {
      return .failure(error)
    }
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    answer.networkEnd(host: WebAddress(task.url).hostKey ?? "")
  }

  func digest(_ answer: Answer) async -> PictureOutcome? {
    let response: PictureResponse
    switch answer {
    case .failure(let error):
      return failed(error.kind, detail: error.detail?.code)
    case .success(let value): response = value
    }
    let page = response.page
    if response.isCurrent {
      fetcher.hosts.answeredWell(WebAddress(page.finalURL).hostKey ?? "")
      return .notModified
    }
    guard page.status == 200 else { return .failed(fetcher.refusal(page, of: task.url)) }
    fetcher.hosts.answeredWell(WebAddress(page.finalURL).hostKey ?? "")
    guard !page.body.isEmpty else { return failed(.empty) }
    do throws(PictureRefusal) {
      let header = try PictureHeader.read(page.body)
      return .received(
        page.body, header.size,
        PictureValidators(
          etag: response.validators.etag, lastModified: response.validators.lastModified,
          from: response.validatorsURL))
    } catch {
      return .refused(error)
    }
  }

  func store(_ outcome: PictureOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.finishPicture(task.id, outcome)
    return []
  }

  private func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil
  ) -> PictureOutcome {
    let words = detail.flatMap { $0.isEmpty ? nil : $0 }
    return .failed(
      RefreshFailure(kind: kind, status: status, detail: words, since: fetcher.date()))
  }
}
