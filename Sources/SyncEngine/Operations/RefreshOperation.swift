import FeedModel
import FeedParsing
import FeedStore
import Foundation
import Networking

/// One refresh: a feed's record in, what is to be written out. Read from top to bottom it is the story
/// of a feed's data between the queue and the cache; it writes nothing itself.
struct RefreshOperation: Sendable {
  /// How the part on the network ended.
  typealias Answer = Result<FeedResponse, TransportError>

  let record: FetchRecord
  let fetcher: Fetcher
  let pool: ParsingPool
  let clock: EngineClock
  let jitter: @Sendable () -> Double
  private let schedule = RefreshSchedule()

  init(
    record: FetchRecord, fetcher: Fetcher, pool: ParsingPool, clock: EngineClock,
    jitter: @escaping @Sendable () -> Double
  ) {
    self.record = record
    self.fetcher = fetcher
    self.pool = pool
    self.clock = clock
    self.jitter = jitter
  }

  // MARK: Without the network

  /// What is known without asking: the address is none of the network's, or its host wants peace.
  func foregone() -> RefreshResult? {
    let address = WebAddress(record.url)
    if address.scheme == "weir" { return result(.unchanged, next: nil) }
    guard address.isHTTP, let host = address.host else {
      return failed(.unsupportedScheme, detail: address.scheme, isTransient: false)
    }
    let now = clock.date()
    if let until = record.notBefore, until > now {
      let kind = record.failure?.kind ?? .rateLimited
      return postponed(
        kind, status: record.failure?.status, detail: record.failure?.detail, until: until)
    }
    if let pause = fetcher.hosts.pause(of: host, at: now) {
      return postponed(.rateLimited, status: pause.status, detail: host, until: pause.until)
    }
    return nil
  }

  // MARK: On the network

  /// The fetch: conditional with what the origin gave last time for this very address.
  func fetch() async -> Answer {
    do throws(TransportError) {
      return .success(try await fetcher.fetch(record.url, validators: validators))
    } catch {
      return .failure(error)
    }
  }

  private var validators: (Validators, from: String?)? {
    guard record.hasBeenFetched else { return nil }
    return (
      Validators(etag: record.etag, lastModified: record.lastModified), record.validatorsURL
    )
  }

  // MARK: What the answer means

  /// Nil: cancelled, and nothing is to be written.
  func digest(_ answer: Answer) async -> RefreshResult? {
    let response: FeedResponse
    switch answer {
    case .failure(let error) where error.kind == .cancelled: return nil
    case .failure(let error): return failed(error)
    case .success(let value): response = value
    }
    let host = WebAddress(response.finalURL).host ?? ""

    switch response.outcome {
    case .notModified:
      fetcher.hosts.update(host) { $0.answeredWell() }
      return unchanged(response)
    case .refused(let status, _, let contentType):
      return refused(status, contentType, by: host, response)
    case .document(let body, let contentType):
      fetcher.hosts.update(host) { $0.answeredWell() }
      guard body.contains(where: { $0 > 0x20 }) else {
        return failed(.empty, response, isTransient: true)
      }
      let hash = BodyHash.of(body)
      if record.hasBeenFetched, hash == record.bodyHash { return unchanged(response) }

      switch await pool.parse(body, contentType: contentType, baseURL: response.finalURL) {
      case .success(let feed): return refreshed(feed, hash, response)
      case .failure(.webPage(let announced)):
        return await followed(announced, from: response)
      case .failure(let error): return failed(error, response)
      }
    }
  }

  /// A page where a feed was expected. A subscription that never brought anything takes the one feed that
  /// the page announces; a feed that worked yesterday answers with a login page or an error page.
  private func followed(_ announced: [String], from page: FeedResponse) async -> RefreshResult? {
    guard !record.hasBeenFetched, announced.count == 1, let url = announced.first,
      WebAddress(url).isHTTP, url != record.url
    else { return failed(.webPage(announced: announced), page) }
    var moved = record
    moved.url = url
    // As if the page were a feed that was read: what it announces is not followed further.
    moved.hasBeenFetched = true
    moved.bodyHash = nil
    moved.etag = nil
    moved.lastModified = nil
    let second = RefreshOperation(
      record: moved, fetcher: fetcher, pool: pool, clock: clock, jitter: jitter)
    guard var result = await second.digest(await second.fetch()) else { return nil }
    result.bytes += page.metrics.bytesReceived
    result.duration += page.metrics.total
    guard case .parsed = result.outcome else {
      return failed(.webPage(announced: announced), page)
    }
    result.newURL = result.newURL ?? url
    return result
  }

  // MARK: Outcomes

  private func refreshed(_ feed: ParsedFeed, _ hash: String, _ response: FeedResponse)
    -> RefreshResult
  {
    succeeded(
      .parsed(feed, bodyHash: hash), response, hints: feed.updateHints, document: feed)
  }

  private func unchanged(_ response: FeedResponse) -> RefreshResult {
    succeeded(.unchanged, response, hints: record.updateHints, document: nil)
  }

  private func succeeded(
    _ outcome: RefreshResult.Outcome, _ response: FeedResponse, hints: UpdateHints?,
    document: ParsedFeed?
  ) -> RefreshResult {
    let now = clock.date()
    let cadence = Cadence.articlesPerDay(
      arrived: record.hasBeenFetched ? record.recentArticles : nil, document: document, at: now)
    let next = schedule.next(
      after: now, hints: hints, headers: response.hints, articlesPerDay: cadence,
      jitter: jitter())
    var result = result(outcome, next: next, response)
    if let validators = response.validators {
      result.validators = (validators.etag, validators.lastModified, response.finalURL)
    }
    let pending = record.movedTo.flatMap { to in record.movedSince.map { (to: to, since: $0) } }
    switch MovedAddress.decide(
      url: record.url, permanentURL: response.permanentURL, pending: pending, at: now)
    {
    case .none: break
    case .pending(let to, let since): result.moved = (to, since)
    case .take(let url): result.newURL = url
    }
    return result
  }

  private func refused(
    _ status: Int, _ contentType: String?, by host: String, _ response: FeedResponse
  ) -> RefreshResult {
    let now = clock.date()
    let isSoft = fetcher.hosts.update(host) {
      $0.isSoftRefusal(status: status, contentType: contentType, at: now)
    }
    switch status {
    case _ where status == 429 || status == 503 || isSoft:
      let until = fetcher.hosts.update(host) {
        $0.refused(
          record.url, status: status, retryAfter: response.hints.retryAfter, at: now)
      }
      let next = schedule.afterPause(until: until, status: status, now: now, jitter: jitter())
      let kind: RefreshFailure.Kind = status == 503 ? .httpStatus : .rateLimited
      var result = result(.failed(kind, status: status, detail: host), next: next, response)
      result.notBefore = until
      return result
    case 410:
      var result = result(.failed(.gone, status: 410, detail: nil), next: nil, response)
      result.isGone = true
      return result
    default:
      let isTransient = status >= 500 || status == 408 || status == 425
      return failed(
        RefreshFailure.Kind(status: status), status: status, response, isTransient: isTransient)
    }
  }

  private func failed(_ error: TransportError) -> RefreshResult {
    let kind = RefreshFailure.Kind(error)
    let detail = error.detail.isEmpty ? nil : error.detail
    return failed(kind, detail: detail, isTransient: kind.isTransient)
  }

  private func failed(_ error: ParseError, _ response: FeedResponse) -> RefreshResult {
    let kind: RefreshFailure.Kind = error == .empty ? .empty : .notAFeed
    return failed(kind, detail: error.fact, response, isTransient: kind.isTransient)
  }

  /// A failure leaves everything as it was, the validators of the last good document included.
  private func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil,
    _ response: FeedResponse? = nil, isTransient: Bool
  ) -> RefreshResult {
    // Being told to wait is no failure in a row, however often the user asked meanwhile.
    let earlier = record.notBefore == nil ? record.failure?.count ?? 0 : 0
    let failures = earlier + 1
    let next = schedule.backOff(
      after: clock.date(), failures: failures, isTransient: isTransient, jitter: jitter())
    var result = result(
      .failed(kind, status: status, detail: detail), next: next, response)
    if let to = record.movedTo, let since = record.movedSince { result.moved = (to, since) }
    return result
  }

  /// Not asked at all: what stood, stands.
  private func postponed(
    _ kind: RefreshFailure.Kind, status: Int?, detail: String?, until: Date
  ) -> RefreshResult {
    let next = schedule.afterPause(
      until: until, status: status ?? 429, now: clock.date(), jitter: jitter())
    var result = result(.failed(kind, status: status, detail: detail), next: next)
    result.notBefore = until
    if let to = record.movedTo, let since = record.movedSince { result.moved = (to, since) }
    return result
  }

  private func result(
    _ outcome: RefreshResult.Outcome, next: RefreshSchedule.Check?, _ response: FeedResponse? = nil
  ) -> RefreshResult {
    RefreshResult(
      feed: record.feed, at: clock.date(), outcome: outcome, nextCheckAt: next?.at,
      nextCheckReason: next?.reason, bytes: response?.metrics.bytesReceived ?? 0,
      duration: response?.metrics.total ?? 0)
  }
}
