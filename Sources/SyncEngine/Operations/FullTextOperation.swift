import FeedModel
import FeedParsing
import FeedStore
import NetworkMeasurement
import Networking
import RateLimiting

/// The page of one article, from which its text is taken.
struct FullTextOperation: SyncOperation {
  typealias Answer = Result<Pages, FetchFailure>

  /// The page of an article and the text of its further parts.
  struct Pages: Sendable {
    var first: PageResponse
    var content: Result<MainContent, ParseError>?
    var furtherParts: [String] = []
  }

  /// Pages of one article that are fetched.
  private static let maximumParts = 5

  static let kind = OperationKind(id: 2)

  let task: FullTextTask
  let fetcher: Fetcher
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let task = try context.store.pendingFullText(ArticleID(rawValue: row)) else {
      return nil
    }
    (self.task, self.fetcher, self.context) = (task, fetcher, context)
  }

  /// What the user waits for goes before everything.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    try context.store.pendingFullTexts().map { task in
      entry(
        task.article.rawValue, host: WebAddress(task.url).hostKey ?? "",
        task.isWanted ? .userInitiated : .background,
        in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    Set(try context.store.waitingFullTexts().map(\.rawValue))
  }

  var address: String? { WebAddress(task.url).isHTTP ? task.url : nil }

  /// What is known without asking: the address is not a web address, or its host is in back-off.
  func preflight() -> Preflight<FullText.State> {
    guard WebAddress(task.url).isHTTP else { return .known(failed(.unsupportedScheme)) }
    return fetcher.pauseStatus(of: task.url).map { .known(failed(.rateLimited, status: $0)) }
      ?? .fetch
  }

  func fetch() async -> Answer {
    do throws(FetchFailure) {
      let first = try await fetcher.page(task.url, from: source(of: task.url))
      guard first.status == 200 else { return .success(Pages(first: first)) }
      var pages = Pages(first: first, content: await context.pool.article(first))
      var next = (try? pages.content?.get())?.nextPart
      var seen: Set<String> = [task.url, first.finalURL]
      while let address = next, seen.insert(address).inserted,
        pages.furtherParts.count + 1 < Self.maximumParts,
        fetcher.pauseStatus(of: address) == nil,
        let page = try? await fetcher.page(
          address, from: source(of: address, announcedBy: first.finalURL)),
        page.status == 200, page.finalURL == address,
        case .success(let content) = await context.pool.article(page)
      {
        pages.furtherParts.append(content.html)
        next = content.nextPart
      }
      return .success(pages)
    } catch {
      return .failure(error)
    }
  }

  /// - Parameter page: the page that names the address, beside the feed.
  private func source(of address: String, announcedBy page: String? = nil) -> AddressSource {
    var source = AddressSource(feed: task.feedURL, server: task.feedServer, naming: address)
    if let page { source.namers.append(page) }
    return source
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    answer.networkEnd(host: WebAddress(task.url).hostKey ?? "")
  }

  func store(_ outcome: FullText.State) async throws(StoreError) -> [SyncEvent] {
    try await context.store.finishFullText(task.article, outcome)
    return []
  }

  func digest(_ answer: Answer) async -> FullText.State? {
    let pages: Pages
    switch answer {
    case .failure(let error):
      return failed(error.kind, detail: error.detail)
    case .success(let value): pages = value
    }
    let page = pages.first
    let host = WebAddress(page.finalURL).hostKey ?? ""
    guard let content = pages.content else {
      return .failed(fetcher.refusal(page, of: task.url))
    }
    fetcher.hosts.answeredWell(host)
    switch content {
    case .success(let content):
      return .found(html: ([content.html] + pages.furtherParts).joined(separator: "\n"))
    case .failure(.empty): return failed(.empty)
    case .failure(.webPage):
      return failed(.noArticle, detail: await context.pool.obstacle(in: page))
    case .failure(let error): return failed(.noArticle, detail: error.detail)
    }
  }

  private func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: FailureDetail? = nil
  ) -> FullText.State {
    .failed(
      RefreshFailure(kind: kind, status: status, detail: detail?.code, since: fetcher.date()))
  }
}
