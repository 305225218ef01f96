import FeedParsing
import Foundation

/// Refreshes a feed, from its record to its articles in the cache.
struct RefreshOperation: SyncOperation {
  typealias Answer = Result<DocumentResponse, FetchFailure>

  static let kind = OperationKind.refresh
  static let policy = OperationPolicy(suspectsNetwork: true, isCounted: true)

  let record: FetchRecord
  let fetcher: Fetcher
  let context: OperationContext
  let address: String?
  private var addressSource: AddressSource
  private let schedule = RefreshSchedule()

  init(record: FetchRecord, fetcher: Fetcher, context: OperationContext) {
    (self.record, self.fetcher, self.context) = (record, fetcher, context)
    (address, addressSource) = (record.webURL, record.addressSource)
  }

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    let feed = FeedID(rawValue: row)
    var record = context.records.remove(feed, at: context.clock.now())
    if record == nil { record = try context.store.fetches.fetchRecord(feed) }
    guard let record else { return nil }
    self.init(record: record, fetcher: fetcher, context: context)
  }

  /// The minimum time expected for a request, because the network may be slower now.
  private static let leastExpected = Duration.milliseconds(100)
  /// The maximum time expected, because a slow host may be fast again.
  private static let longestExpected = Duration.seconds(2)

  /// Returns entries for feeds, each with the expected time of its host's remaining requests. New
  /// feeds get the mean; failed feeds do not delay working ones. Keeps the records for the
  /// operations.
  static func entries(
    _ records: [FetchRecord], _ priority: OperationPriority, in context: OperationContext
  ) -> [OperationEntry] {
    context.records.store(records, at: context.clock.now())
    let known = records.map(\.lastDuration).filter { $0 > .zero }
    let mean = known.isEmpty ? .zero : known.reduce(.zero, +) / known.count
    var needed: [String: Duration] = [:]
    return records.reversed().map { record in
      // All programs and files of the user count as one host.
      let host =
        record.host ?? (LocalSource.claims(record.url) ? LocalSource.hostKey : "")
      var entry = entry(record.feed.rawValue, host: host, priority, in: context)
      let last = record.lastDuration > .zero ? record.lastDuration : mean
      let expected = record.failure == nil ? min(leastExpected + last, longestExpected) : .zero
      entry.backlog = needed[host, default: .zero] + expected
      needed[host] = entry.backlog
      entry.attempt = (record.failure?.count ?? 0) + 1
      return entry
    }.reversed()
  }

  static func name(of row: Int64, in context: OperationContext) throws(StoreError) -> String? {
    try context.store.fetches.fetchRecord(FeedID(rawValue: row))?.name
  }

  func started(_ priority: OperationPriority) -> SyncEvent? {
    .refreshStarted(feed: record.feed, url: record.url, priority)
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    isLocal ? nil : answer.networkEnd(host: record.host ?? "")
  }

  func store(_ result: RefreshResult) async throws(StoreError) -> [SyncEvent] {
    let merged = try await context.merger.merge(result)
    var report = RefreshReport(result, record, merged)
    report.mayAddFeeds = result.list != nil
    return [.refreshEnded(report)]
  }

  func refusal(_ reason: FailureDetail) -> RefreshResult? {
    failed(.storage, detail: reason, isTransient: false)
  }

  // MARK: Without the network

  /// Checks for an unusable address or program, and a back-off of the host.
  func preflight() -> RefreshResult? {
    if WebAddress(record.url).scheme == "weir" { return result(.unchanged, next: nil) }
    guard address != nil || source != nil else {
      let scheme = WebAddress(record.url).scheme
      return failed(.unsupportedScheme, detail: scheme.map { .said($0) }, isTransient: false)
    }
    guard context.store.fetches.mayRun(record.url) else {
      return failed(.programFailed, detail: .notAllowed(record.url), isTransient: false)
    }
    let now = context.clock.date()
    // A later date comes from a clock that has been set back since.
    let latest = now + HostState.longestPause.seconds
    if let until = record.notBefore.map({ min($0, latest) }), until > now {
      let kind = record.failure?.kind ?? .rateLimited
      return postponed(
        kind, status: record.failure?.status, detail: record.failure?.detail, until: until)
    }
    // Checks the host of the first request, and the one to which a redirect led last time.
    for url in [address, record.validatorsURL].compactMap(\.self) {
      let address = WebAddress(url)
      guard let host = address.hostKey, let pause = fetcher.hosts.pause(of: host, at: now) else {
        continue
      }
      return postponed(
        .rateLimited, status: pause.status, detail: address.host, until: pause.until)
    }
    return nil
  }

  /// True if the source is a file, or a program without an address.
  var isLocal: Bool { address == nil }
  private var source: LocalSource? { LocalSource(record.url) }

  // MARK: On the network

  /// Fetches the document with the stored validators, or reads a local source.
  func fetch() async -> Answer {
    await Result { () async throws(FetchFailure) in
      if let url = address {
        return try await fetcher.fetch(
          url, from: addressSource, validators: validators, options: record.options)
      }
      guard let source else { throw .own(.unsupportedScheme, .said("")) }
      return DocumentResponse(local: try await fetcher.read(source, record.options))
    }
  }

  private var validators: (Validators, from: String?)? {
    // Some servers answer 304 for ever. An age of years means that the clock was wrong.
    let age = record.documentAt.map { context.clock.date().timeIntervalSince($0) / .days(1) } ?? 0
    guard record.hasBeenFetched, !(30..<365).contains(age) else { return nil }
    return (Validators(etag: record.etag, lastModified: record.lastModified), record.validatorsURL)
  }

  // MARK: Interpreting the answer

  func digest(_ answer: Answer) async -> RefreshResult? {
    let response: DocumentResponse
    switch answer {
    case .failure(let failure) where failure.isCancelled: return nil
    case .failure(let failure): return failed(failure)
    case .success(let value): response = value
    }
    let host = WebAddress(response.finalURL).hostKey ?? ""

    guard response.isCurrent || response.status == 200 else {
      let refusal = refused(response, by: host)
      guard refusal.notBefore == nil, !refusal.isGone else { return refusal }
      return await obstacle(in: response) ?? refusal
    }
    if !isLocal { fetcher.hosts.answeredWell(host) }
    return response.isCurrent ? unchanged(response) : await read(response)
  }

  /// Filters the document if the feed has a filter, and parses its articles.
  private func read(_ answer: DocumentResponse) async -> RefreshResult? {
    var response = answer
    if case .filter(let words, _) = source {
      do throws(FetchFailure) {
        response.body = try await fetcher.local.program(words, input: answer.body)
        response.contentType = nil
      } catch {
        return error.isCancelled ? nil : failed(error)
      }
    }
    let body = response.body
    guard body.contains(where: { $0 > 0x20 }) else {
      return failed(.empty, response, isTransient: true)
    }
    let hash = BodyHash.of(body)
    if record.hasBeenFetched, hash == record.bodyHash { return unchanged(response) }
    if record.isList { return await list(hash, response) }
    if let headlines = record.headlines {
      return await headlineFeed(headlines, hash, response)
    }

    switch await context.pool.parse(response) {
    case .success(let feed):
      // A filter's output does not show whether the page is complete.
      let mayBeCut = !response.isFramed || feed.items.isEmpty
      guard !mayBeCut || source != nil || DocumentEnd.isReached(body) else {
        return stoppedShort(feed, response)
      }
      return refreshed(feed, hash, response)
    case .failure(.webPage(let announced)):
      if let obstacle = await obstacle(in: response) { return obstacle }
      return await followed(announced, from: response)
    case .failure(let error):
      // Too little of a feed arrived to parse any of it.
      if case .damaged = error, !response.isFramed, source == nil, !DocumentEnd.isReached(body) {
        return stoppedShort(nil, response)
      }
      return failed(error, response)
    }
  }

  /// Handles a page that asks for a browser or a password in place of a feed.
  private func obstacle(in page: DocumentResponse) async -> RefreshResult? {
    guard let found = await context.pool.pageInPlaceOfFeed(page) else { return nil }
    return failed(
      .notAFeed, status: page.status == 200 ? nil : page.status, detail: found, page,
      isTransient: found == .robotCheck)
  }

  /// Handles a page instead of a feed. A subscription without a success follows the only announced
  /// feed; if the feed worked before, the page is a login or error page.
  private func followed(_ announced: [String], from page: DocumentResponse) async -> RefreshResult?
  {
    guard source == nil, !record.hasBeenFetched, announced.count == 1, let url = announced.first,
      WebAddress(url).isHTTP, url != record.url, mayMove(to: url)
    else { return failed(.webPage(announced: announced), page) }
    var moved = record
    moved.url = url
    // The page counts as a feed that was read, so that the next page is not followed further.
    moved.hasBeenFetched = true
    (moved.bodyHash, moved.etag, moved.lastModified) = (nil, nil, nil)
    (moved.movedTo, moved.movedSince) = (nil, nil)
    var second = RefreshOperation(record: moved, fetcher: fetcher, context: context)
    second.addressSource = page.source(of: url, asked: record.url)
    second.addressSource.referrers += addressSource.referrers
    guard var result = await second.digest(await second.fetch()) else { return nil }
    result.bytes += page.metrics.bytesReceived
    result.duration += page.metrics.total
    guard case .parsed = result.outcome else {
      return failed(.webPage(announced: announced), page)
    }
    result.askedURL = record.url
    result.newURL = result.newURL ?? url
    return result
  }

  // MARK: Outcomes

  func refreshed(_ feed: ParsedFeed, _ hash: String, _ response: DocumentResponse)
    -> RefreshResult
  {
    succeeded(
      .parsed(feed, bodyHash: hash), response, hints: feed.updateHints, document: feed)
  }

  private func unchanged(_ response: DocumentResponse) -> RefreshResult {
    var response = response
    // Hints that a 304 omits are still valid (RFC 9111, §4.3.4).
    if response.isCurrent, response.hints.freshFor == nil {
      response.hints.freshFor = record.freshFor
    }
    return succeeded(.unchanged, response, hints: record.updateHints, document: nil)
  }

  /// Handles a document without a visible end as a failure. If the last attempt failed in the same
  /// way, the articles of this document are merged. Validators are not stored.
  private func stoppedShort(_ feed: ParsedFeed?, _ response: DocumentResponse) -> RefreshResult {
    var result = failed(
      .truncated, detail: .endsEarly, response, isTransient: true)
    if record.failure?.kind == .truncated { result.partial = feed }
    return result
  }

  private func succeeded(
    _ outcome: RefreshResult.Outcome, _ response: DocumentResponse, hints: UpdateHints?,
    document: ParsedFeed?
  ) -> RefreshResult {
    let now = context.clock.date()
    let cadence = Cadence.articlesPerDay(
      arrived: record.hasBeenFetched ? record.recentArticles : nil, document: document, at: now)
    let next = schedule.next(
      after: now, hints: hints, headers: response.hints, articlesPerDay: cadence,
      own: record.options.interval ?? context.configuration.settings(record.url).options.interval,
      jitter: context.configuration.jitter())
    var result = result(outcome, next: next, response)
    if let validators = response.validators {
      result.validators = (validators.etag, validators.lastModified, response.documentURL)
    }
    result.hasDocument = !response.isCurrent
    result.freshFor = response.hints.freshFor
    result.privateServer = response.metrics.privateServer?.text
    // A program's feed keeps the address that the user gave.
    guard source == nil else { return result }
    switch MovedAddress.decide(
      url: record.url, permanentURL: response.permanentURL.map(ownAddress), pending: pendingMove,
      at: now)
    {
    case .none:
      result.moved = MovedAddress.offer(
        of: document, url: record.url, at: now,
        pendingMove.flatMap { response.documentURL == record.validatorsURL ? $0 : nil })
    case .pending(let to, let since): result.moved = (to, since)
    case .accept(let url):
      if mayMove(to: url) { result.newURL = url }
      // The address is also remembered if another subscription already has it.
      result.moved = (url, pendingMove.flatMap { $0.to == url ? $0.since : nil } ?? now)
    }
    return result
  }

  private func refused(_ response: DocumentResponse, by host: String) -> RefreshResult {
    let (now, status) = (context.clock.date(), response.status)
    if let (until, kind) = fetcher.hosts.refused(
      record.url, by: host, status: status, contentType: response.contentType,
      retryAfter: response.hints.retryAfter, earlier: record.refusals, at: now)
    {
      let next = schedule.afterPause(
        until: until, now: now, hints: record.updateHints, jitter: context.configuration.jitter())
      let detail = WebAddress(response.finalURL).host
      var result = result(.failed(kind, status: status, detail: detail), next: next, response)
      result.notBefore = until
      return result
    }
    switch status {
    case 410 where !response.isDetour:
      var result = result(.failed(.gone, status: 410, detail: nil), next: nil, response)
      result.isGone = true
      return result
    default:
      let isTransient = status >= 500 || [407, 408, 425].contains(status)
      // Only the target of a redirect is gone; the feed's address may lead elsewhere later.
      let kind: RefreshFailure.Kind = status == 410 ? .httpStatus : .init(status: status)
      return failed(kind, status: status, response, isTransient: isTransient)
    }
  }

  private func failed(_ failure: FetchFailure) -> RefreshResult {
    failed(failure.kind, detail: failure.detail, isTransient: failure.kind.isTransient)
  }

  func failed(_ error: ParseError, _ response: DocumentResponse) -> RefreshResult {
    let kind: RefreshFailure.Kind = error == .empty ? .empty : .notAFeed
    return failed(kind, detail: error.detail, response, isTransient: kind.isTransient)
  }

  /// Builds a failure, which keeps the stored state and the last good document's validators.
  func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: FailureDetail? = nil,
    _ response: DocumentResponse? = nil, isTransient: Bool
  ) -> RefreshResult {
    // A back-off does not count as a consecutive failure, however often the user requested the feed
    // meanwhile.
    let earlier = record.notBefore == nil ? record.failure?.count ?? 0 : 0
    let failures = earlier + 1
    let next = schedule.backOff(
      after: context.clock.date(), failures: failures, isTransient: isTransient,
      retryAfter: response?.hints.retryAfter, hints: record.updateHints,
      jitter: context.configuration.jitter())
    return result(.failed(kind, status: status, detail: detail?.code), next: next, response)
  }

  /// Sends no request and keeps the stored state.
  private func postponed(
    _ kind: RefreshFailure.Kind, status: Int?, detail: String?, until: Date
  ) -> RefreshResult {
    let next = schedule.afterPause(
      until: until, now: context.clock.date(), hints: record.updateHints,
      jitter: context.configuration.jitter())
    var result = result(.postponed(kind, status: status, detail: detail), next: next)
    result.notBefore = until
    return result
  }

  /// Returns an address of the page with the place of the followed headlines, if any.
  private func ownAddress(_ url: String) -> String {
    record.headlines.map { HeadlinesAddress(page: url, selector: $0.selector).text } ?? url
  }

  /// Returns true if the subscription may move to an answer's address. Headers, cookies and a proxy
  /// stay with their origin, and answers do not choose where credentials are sent.
  private func mayMove(to url: String) -> Bool {
    if MovedAddress.isSecureVariant(of: record.url, url) { return true }
    let options = record.options
    let isBound = options.headers != nil || options.cookies != nil || options.proxy != nil
    if isBound, WebAddress(url).isOtherOrigin(than: WebAddress(record.url)) { return false }
    let settings = context.configuration.settings(url)
    return !settings.hasSecrets || settings.covers([record.url])
  }

  private var pendingMove: (to: String, since: Date)? {
    record.movedTo.flatMap { to in record.movedSince.map { (to: to, since: $0) } }
  }

  /// Builds a result in which unchanged fields keep their value.
  private func result(
    _ outcome: RefreshResult.Outcome, next: RefreshSchedule.Check?,
    _ response: DocumentResponse? = nil
  ) -> RefreshResult {
    // Only a success revives a feed that its origin took down.
    let isGone =
      switch outcome {
      case .parsed, .unchanged: false
      case .failed, .postponed: record.isGone
      }
    let next = isGone ? nil : next
    var result = RefreshResult(
      feed: record.feed, at: context.clock.date(), outcome: outcome, nextCheckAt: next?.at,
      nextCheckReasons: next?.reasons ?? [])
    (result.askedURL, result.moved, result.isGone) = (record.url, pendingMove, isGone)
    if let metrics = response?.metrics {
      (result.bytes, result.duration) = (metrics.bytesReceived, metrics.total)
    }
    return result
  }
}

/// Recognises a known body by XXH64 and length. Does not protect against forgers, who could change
/// the feed anyway.
enum BodyHash {
  static func of(_ bytes: [UInt8]) -> String {
    let hash = bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    return "\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))"
  }
}
