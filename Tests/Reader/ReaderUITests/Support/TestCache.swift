import HTMLContent
import Synchronization

/// A cache in a temporary folder, with a clock that is set by hand.
@dynamicMemberLookup
final class TestCache {
  let store: FeedStore
  let clock: Clock
  private let directory: String

  nonisolated final class Clock: Sendable {
    private let instant: Mutex<Date>
    init(_ instant: Date) { self.instant = Mutex(instant) }
    var now: Date {
      get { instant.withLock { $0 } }
      set { instant.withLock { $0 = newValue } }
    }
  }

  /// Saturday 21 November 2026, 10:42 UTC.
  nonisolated static let start = Date(timeIntervalSince1970: 1_795_257_720)

  private static let empty = Result {
    try CopiedCache { try FeedStore.open(directory: $0).close() }
  }
  private static var filled: [String: CopiedCache] = [:]

  /// Returns a copy of the cache that `fill` filled when it was first asked for by this name.
  static func filled(
    _ name: String, _ fill: (TestCache) async throws -> Void
  ) async throws -> TestCache {
    if let file = filled[name] { return try TestCache(file) }
    let cache = try TestCache()
    try await fill(cache)
    cache.store.close()
    let file = try CopiedCache(closed: cache.directory)
    filled[name] = file
    return try TestCache(file)
  }

  init(_ file: CopiedCache? = nil) throws {
    directory = NSTemporaryDirectory() + "weir-reader-\(UUID().uuidString)"
    try (file ?? Self.empty.get()).copy(to: directory)
    let clock = Clock(Self.start)
    self.clock = clock
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    store = try FeedStore.open(
      directory: directory,
      options: StoreOptions(
        now: { clock.now }, calendar: calendar, plainText: HTMLContent.plainTextBytes))
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// A part of the cache as a list sees it.
  subscript<Part>(dynamicMember part: KeyPath<ReaderCache, Part>) -> Part {
    store.reader[keyPath: part]
  }

  // MARK: Filling

  @discardableResult func feed(
    _ name: String, url: String? = nil, folder: [String] = [], _ items: [ParsedItem] = []
  ) async throws -> FeedID {
    let place = folder.isEmpty ? nil : try await store.reader.folders.folder(path: folder)
    let id = try await store.reader.feeds.subscribe(
      url: url
        ?? "https://\(name.filter(\.isASCII).lowercased().filter { !$0.isWhitespace }).example/feed",
      title: nil, folder: place)
    try await merge(id, name, items)
    return id
  }

  func merge(
    _ feed: FeedID, _ name: String, _ items: [ParsedItem], summary: String? = nil
  ) async throws {
    var result = RefreshResult(
      feed: feed, at: clock.now,
      outcome: .parsed(
        ParsedFeed(format: .rss, title: name, summary: summary, items: items), bodyHash: "00"),
      nextCheckAt: clock.now + 3_600)
    result.bytes = 20_000
    _ = try await store.engine.fetches.merge([result])
  }

  func fail(
    _ feed: FeedID, _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil,
    nextIn seconds: Double = 600
  ) async throws {
    let result = RefreshResult(
      feed: feed, at: clock.now, outcome: .failed(kind, status: status, detail: detail),
      nextCheckAt: clock.now + seconds)
    _ = try await store.engine.fetches.merge([result])
  }

  /// Returns when all observers have received the changes committed so far: the store notifies them
  /// in order, so the mark written here comes last.
  func announcements() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let observation = store.reader.observe(.requests) { _ in continuation.yield() }
    guard let mark = try? await store.reader.requests.requestDiscovery(url: "mark") else { return }
    try? await store.reader.requests.endDiscovery(mark)
    var left = 2
    for await _ in stream {
      left -= 1
      if left == 0 { break }
    }
    observation.cancel()
  }
}

extension ArticleQuery {
  nonisolated static let all = ArticleQuery(scope: .all)
}

extension ParsedItem {
  static func item(
    _ title: String, minutes: Double, body: String? = nil, author: String? = nil,
    enclosures: [Enclosure] = []
  ) -> ParsedItem {
    let slug = title.lowercased().map { $0.isASCII && $0.isLetter || $0.isNumber ? $0 : "-" }
    return ParsedItem(
      id: title, url: "https://example.org/\(String(slug))", title: title,
      contentHTML: body ?? "<p>Body of \(title).</p>",
      datePublished: TestCache.start - minutes * 60,
      authors: author.map { [Author(name: $0)] } ?? [], enclosures: enclosures)
  }
}
