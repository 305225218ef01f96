import FeedParsing

/// Fetches the next page of older posts of a feed, as the user requested (RFC 5005).
struct OlderPostsOperation: WorkOperation {
  typealias Work = OlderPostCache<EngineCache>
  typealias Answer = Result<OlderPostsOutcome, FetchFailure>

  static let kind = OperationKind.olderPosts

  let task: OlderPostsTask
  let record: FetchRecord
  let fetcher: Fetcher
  let context: OperationContext

  init?(task: OlderPostsTask, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let record = try context.store.fetches.fetchRecord(task.feed) else { return nil }
    (self.task, self.record, self.fetcher, self.context) = (task, record, fetcher, context)
  }

  static func priority(of task: OlderPostsTask, in context: OperationContext) -> OperationPriority {
    .userInitiated
  }

  func fetch() async -> Answer {
    await Result { () async throws(FetchFailure) in
      if let url = task.next { return try await page(url) }
      // The document is requested without validators, and only for the address of the next page.
      let response = try await fetcher.fetch(
        record.url, from: record.addressSource, options: record.options)
      let outcome = await read(response, at: record.url)
      guard case .page(let first) = outcome else { return outcome }
      guard let next = first.next else { return .ended }
      let result = try await page(next, after: first)
      if case .failed(let failure, _) = result { return .failed(failure, page: next) }
      return result
    }
  }

  /// Fetches a page that the pages so far have named.
  /// - Parameter document: the document of the feed, if it was read for the address of the page.
  private func page(
    _ url: String, after document: OlderPostsPage? = nil
  ) async throws(FetchFailure) -> OlderPostsOutcome {
    if let status = fetcher.pauseStatus(of: url) {
      return .failed(fetcher.failure(.rateLimited, status: status))
    }
    var (referrers, options) = (task.referrers, record.options)
    referrers.pages += document?.addresses ?? []
    if WebAddress(url).isOtherOrigin(than: WebAddress(record.url)) {
      (options.headers, options.cookies) = (nil, nil)
    }
    let response = try await fetcher.fetch(
      url, from: AddressSource(referrers, of: url), options: options)
    let outcome = await read(response, at: url)
    guard case .page(var page) = outcome else { return outcome }
    // A page that was read before, at this or another address, leads to nothing older.
    let known = Set(referrers.pages + [record.url])
    guard page.bodyHash != document?.bodyHash ?? task.bodyHash, !known.contains(response.finalURL)
    else { return .ended }
    page.addresses = (document?.addresses ?? []) + page.addresses
    if let next = page.next, known.union(page.addresses).contains(next) { page.next = nil }
    return .page(page)
  }

  private func read(_ response: DocumentResponse, at url: String) async -> OlderPostsOutcome {
    guard response.status == 200 else {
      if response.status == 404, OlderPage.isNumbered(url) { return .ended }
      return .failed(fetcher.refusal(response, of: url))
    }
    fetcher.hosts.answeredWell(WebAddress(response.finalURL).hostKey ?? "")
    switch await context.pool.parse(response) {
    case .success(let document):
      guard response.isFramed || DocumentEnd.isReached(response.body) else {
        return .failed(fetcher.failure(.truncated, detail: .endsEarly))
      }
      return .page(
        OlderPostsPage(
          items: document.items, next: OlderPage.address(before: document, at: url),
          addresses: url == response.finalURL ? [url] : [url, response.finalURL],
          bodyHash: BodyHash.of(response.body)))
    case .failure(let error):
      return .failed(
        fetcher.failure(error == .empty ? .empty : .notAFeed, detail: error.detail))
    }
  }

  func digest(_ answer: Answer) -> OlderPostsOutcome? {
    switch answer {
    case .success(let outcome): outcome
    case .failure(let failure): failure.isCancelled ? nil : .failed(fetcher.failure(failure))
    }
  }

  func store(_ outcome: OlderPostsOutcome) async throws(StoreError) -> [SyncEvent] {
    try await context.store.olderPosts.finish(task.feed, outcome)
    return []
  }
}
