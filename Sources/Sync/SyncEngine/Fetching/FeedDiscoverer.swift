import FeedParsing
import Foundation
import Synchronization

/// Finds feeds at the places of known sites, at the address itself, in its page's announcements,
/// and at usual places of its host.
public struct FeedDiscoverer: Sendable {
  /// The maximum number of announced feeds that are read for a preview.
  static let previews = 5
  static let attempts = 3
  static let titles = 5

  let fetcher: Fetcher
  let pool: ParsingPool
  private var answers = Answers()

  /// Creates a search without an engine.
  /// - Parameters:
  ///   - waiting: feeds whose hosts are in back-off.
  ///   - answers: good answers since the refusals, which narrow the scope of a refusal.
  public init(
    transport: any HTTPTransport, limits: TransferLimits = TransferLimits(),
    waiting: [FetchRecord] = [], answers: [GoodAnswer] = [],
    settings: @escaping @Sendable (String) -> FeedSettings = { _ in FeedSettings() }
  ) {
    let hosts = HostRegistry()
    hosts.remember(waiting, answers: answers)
    let gate = HostGate(limits: .init())
    let local = LocalSourceReader(gate: gate, limit: limits.decodedBody)
    self.init(
      fetcher: Fetcher(
        transport: transport, hosts: hosts, gate: gate,
        identities: Identities(settings: settings, reader: local), local: local, limits: limits,
        date: { Date() }),
      pool: ParsingPool())
  }

  init(fetcher: Fetcher, pool: ParsingPool) { (self.fetcher, self.pool) = (fetcher, pool) }

  /// - Parameter address: the typed address; a missing scheme is tried as https, then http.
  /// - Returns: `.found`, best first and never empty, or `.failed`.
  public func discover(_ address: String) async throws(CancellationError) -> Discovery.State {
    var search = self
    search.answers = Answers()
    // Searches the whole page again, whichever part of it was followed.
    return try await search.run(HeadlinesAddress(address)?.page ?? address)
  }

  private func run(_ address: String) async throws(CancellationError) -> Discovery.State {
    let known = KnownSites(address)
    if let known, let found = try await feeds(of: known) { return .found(found) }
    var failure: RefreshFailure?
    for url in Self.candidates(known?.page ?? address) {
      switch try await document(url) {
      case .success(let document):
        return try await feeds(in: document, triesUsualPlaces: known?.page == nil)
      case .failure(let found):
        // If https gets no answer, the site may have only http; a status is an answer.
        failure = found
        if found.status != nil { return .failed(found) }
      }
    }
    return .failed(
      failure ?? RefreshFailure(kind: .unsupportedScheme, detail: address, since: fetcher.date()))
  }

  /// Reads a file or runs a program of the user once, to check whether there is a feed.
  /// - Parameter address: the address of the later subscription.
  /// - Returns: `.found` with one candidate, or `.failed`.
  public func check(_ source: LocalSource, address: String) async throws(CancellationError)
    -> Discovery.State
  {
    do throws(FetchFailure) {
      let body = try await fetcher.read(source)
      switch await pool.parse(DocumentResponse(local: body)) {
      case .success(let feed): return .found([Self.candidate(address, feed)])
      case .failure(let error):
        return .failed(fetcher.failure(error == .empty ? .empty : .notAFeed, detail: error.detail))
      }
    } catch {
      if error.isCancelled { throw CancellationError() }
      return .failed(fetcher.failure(error))
    }
  }

  /// Returns the bytes at an address, fetched like a list of subscriptions, and whether a private
  /// server sent them.
  public func body(
    at url: String
  ) async throws(CancellationError) -> Result<(bytes: [UInt8], isPrivate: Bool), RefreshFailure> {
    try await answer(url, .user).map { ($0.body, $0.metrics.privateServer != nil) }
  }

  /// Returns the addresses to try for a typed text.
  static func candidates(_ typed: String) -> [String] {
    var text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    // Buttons on pages use feed:https://example.org/x and feed://example.org/x.
    if text.lowercased().hasPrefix("feed:") {
      text = String(text.dropFirst(5))
      if text.hasPrefix("//") { text = String(text.dropFirst(2)) }
    }
    guard !text.isEmpty else { return [] }
    let address = WebAddress(text)
    if address.isHTTP { return [text] }
    // "example.org:8080/feed" parses as scheme "example.org".
    let isHostAndPort = address.authority == nil && address.path.first?.isNumber == true
    guard address.scheme == nil || isHostAndPort else { return [] }
    if text.hasPrefix("//") { text = String(text.dropFirst(2)) }
    return ["https://" + text, "http://" + text].filter { WebAddress($0).isHTTP }
  }

  /// Returns the first address that a discovery requests, if any.
  static func firstAddress(of typed: String) -> String? {
    let known = KnownSites(typed)
    return known?.directory ?? known?.feeds.first ?? candidates(known?.page ?? typed).first
  }

  // MARK: Inside

  struct Document: Sendable {
    var asked: String
    var url: String
    var parsed: Result<ParsedFeed, ParseError>
    var response: DocumentResponse

    func source(of url: String) -> AddressSource { response.source(of: url, asked: asked) }
  }

  typealias Reading = Result<Document, RefreshFailure>

  func document(
    _ url: String, from source: AddressSource = .user
  ) async throws(CancellationError) -> Reading {
    if let known = answers.of(url) { return known }
    let reading: Reading
    switch try await answer(url, source) {
    case .failure(let failure): reading = .failure(failure)
    case .success(let response):
      fetcher.hosts.answeredWell(WebAddress(response.finalURL).hostKey ?? "")
      let parsed = await pool.parse(response)
      let mayBeCut = !response.isFramed || (try? parsed.get().items.isEmpty) == true
      if mayBeCut, case .success = parsed, !DocumentEnd.isReached(response.body) {
        reading = .failure(fetcher.failure(.truncated, detail: .endsEarly))
      } else {
        reading = .success(
          Document(
            asked: url, url: response.permanentURL ?? url, parsed: parsed, response: response))
      }
    }
    answers.set(reading, of: url)
    return reading
  }

  private func answer(
    _ url: String, _ source: AddressSource
  ) async throws(CancellationError) -> Result<DocumentResponse, RefreshFailure> {
    if let status = fetcher.pauseStatus(of: url) {
      return .failure(fetcher.failure(.rateLimited, status: status))
    }
    do throws(FetchFailure) {
      let response = try await fetcher.fetch(url, from: source)
      guard response.status == 200 else { return .failure(fetcher.refusal(response, of: url)) }
      return .success(response)
    } catch {
      if error.isCancelled { throw CancellationError() }
      return .failure(fetcher.failure(error))
    }
  }

  private func feeds(
    in document: Document, triesUsualPlaces: Bool, followsRefresh: Bool = true
  ) async throws(CancellationError) -> Discovery.State {
    switch document.parsed {
    case .success(let feed):
      return .found([Self.candidate(document.url, feed)])
    case .failure(.webPage(let announced)):
      let (feeds, unavailable) = try await read(announced, on: document)
      let found = await withoutShorts(Self.withoutComments(feeds))
      if !found.isEmpty { return .found(found) }
      if followsRefresh, let next = try await pageAfterRefresh(of: document),
        case .found(let found) = try await self.feeds(
          in: next, triesUsualPlaces: triesUsualPlaces, followsRefresh: false)
      {
        return .found(found)
      }
      if triesUsualPlaces, let found = try await usualFeed(of: document) {
        return .found([found])
      }
      if !unavailable.isEmpty { return .found(unavailable) }
      let headlines = await headlines(of: document)
      guard headlines.isEmpty else { return .found(headlines) }
      let obstacle = await pool.obstacle(in: document.response)
      return .failed(fetcher.failure(.notAFeed, detail: obstacle ?? .webPage(hasFeed: false)))
    case .failure(let error):
      if case .otherXML = error, let list = await list(document) { return .found([list]) }
      return .failed(fetcher.failure(error == .empty ? .empty : .notAFeed, detail: error.detail))
    }
  }

  /// Returns the document that `<meta http-equiv=refresh>` leads to, if any.
  private func pageAfterRefresh(of page: Document) async throws(CancellationError) -> Document? {
    let url = await pool.read(
      page.response, PageParser.refreshTarget(of:contentType:url:))
    guard let url, url != page.response.finalURL,
      case .success(let next) = try await document(url, from: page.source(of: url))
    else { return nil }
    return next
  }

  /// Reads announced addresses in small groups until one of them is a feed.
  /// - Returns: the feeds, followed by unread addresses, and the addresses without an answer.
  private func read(
    _ announced: [String], on page: Document
  ) async throws(CancellationError) -> (feeds: [FeedCandidate], unavailable: [FeedCandidate]) {
    var rest = announced.filter { WebAddress($0).isHTTP }[...]
    var (feeds, unavailable): ([FeedCandidate], [FeedCandidate]) = ([], [])
    for _ in 0..<Self.attempts where feeds.isEmpty {
      let found = await previews(of: rest.prefix(Self.previews), from: page.source(of:))
      rest = rest.dropFirst(Self.previews)
      if Task.isCancelled { throw CancellationError() }
      for (url, preview) in found {
        switch preview {
        case .feed(let candidate): feeds.append(candidate)
        case .unavailable: unavailable.append(FeedCandidate(url: url))
        case .noFeed: break
        }
      }
    }
    return (feeds.isEmpty ? [] : feeds + rest.map { FeedCandidate(url: $0) }, unavailable)
  }

  enum Preview: Sendable {
    case feed(FeedCandidate)
    case unavailable
    case noFeed
  }

  /// Reads addresses at once, and returns what is there in their order.
  func previews(
    of urls: ArraySlice<String>, from source: @escaping @Sendable (String) -> AddressSource
  ) async -> [(url: String, preview: Preview)] {
    await withTaskGroup(of: (Int, Preview).self) { group in
      for (index, url) in zip(urls.indices, urls) {
        group.addTask { (index, await preview(url, source(url))) }
      }
      var found: [Int: Preview] = [:]
      for await (index, preview) in group { found[index] = preview }
      return urls.indices.map { (urls[$0], found[$0] ?? .noFeed) }
    }
  }

  private func preview(_ url: String, _ source: AddressSource) async -> Preview {
    switch try? await document(url, from: source) {
    case .success(let page):
      var (url, parsed) = (url, page.parsed)
      if case .failure(.webPage) = parsed, let next = try? await pageAfterRefresh(of: page) {
        (url, parsed) = (next.url, next.parsed)
      }
      guard case .success(let feed) = parsed else { return .noFeed }
      return .feed(Self.candidate(url, feed))
    case .failure(let failure)
    where [.rateLimited, .connectTimedOut, .connectionLost, .stalled, .offline]
      .contains(failure.kind) || failure.status ?? 0 >= 500:
      return .unavailable
    case .failure, nil: return .noFeed
    }
  }

  static func candidate(_ url: String, _ feed: ParsedFeed) -> FeedCandidate {
    FeedCandidate(
      url: url, title: feed.title.isEmpty ? nil : feed.title,
      latestTitles: Array(feed.items.lazy.compactMap(\.title).prefix(titles)))
  }
}

/// The answers of one search, so that no request is repeated.
private final class Answers: Sendable {
  private let readings = Mutex<[String: FeedDiscoverer.Reading]>([:])

  func of(_ url: String) -> FeedDiscoverer.Reading? { readings.withLock { $0[url] } }
  func set(_ reading: FeedDiscoverer.Reading, of url: String) {
    readings.withLock { $0[url] = reading }
  }
}
