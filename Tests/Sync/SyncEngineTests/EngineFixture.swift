@testable import SyncEngine

/// A cache in a temporary folder, a fake web, and a clock that tests set.
@dynamicMemberLookup
final class EngineFixture: Sendable {
  static let start = Date(timeIntervalSince1970: 1_795_262_400)

  let directory: String
  let store: FeedStore
  let web = FakeWeb()
  let manual = ManualClock()
  let transportsMade = Mutex(0)

  /// A folder in memory if there is one: a disk would delay a million commits.
  static let memory =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory

  private static let empty = Result {
    try CopiedCache { try FeedStore.open(directory: $0).close() }
  }

  /// - Parameter folder: parent of the fixture's folder.
  init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    directory = folder.appendingPathComponent("weir-engine-\(UUID().uuidString)").path
    try Self.empty.get().copy(to: directory)
    store = try Self.open(directory, manual)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Returns a fixture whose web has a feed at each address.
  static func serving() throws -> EngineFixture {
    let fixture = try EngineFixture()
    fixture.serve()
    return fixture
  }

  /// Lets the web have a feed at each address.
  func serve() { web.onAnythingElse { .feed(rss($0.url)) } }

  static func open(_ directory: String, _ manual: ManualClock) throws -> FeedStore {
    try FeedStore.open(directory: directory, options: StoreOptions(now: { date(manual) }))
  }

  var now: Date { Self.date(manual) }

  private static func uptime(_ manual: ManualClock) -> Double { manual.now.offset / .seconds(1) }

  private static func date(_ manual: ManualClock) -> Date { start + uptime(manual) }

  var clock: EngineClock {
    let manual = manual
    return EngineClock(
      now: { Instant(uptime: manual.now.offset, date: Self.date(manual)) },
      sleep: { instant in
        try await manual.sleep(until: ManualClock.Instant(offset: instant.uptime))
      })
  }

  /// A part of the cache as a list sees it.
  subscript<Part>(dynamicMember part: KeyPath<ReaderCache, Part>) -> Part {
    store.reader[keyPath: part]
  }

  func controller(
    on other: FeedStore? = nil, _ configure: (inout SyncConfiguration) -> Void = { _ in }
  ) -> NetworkController {
    var configuration = SyncConfiguration(directory: directory)
    configuration.jitter = { 0 }
    configuration.initialSpread = .zero
    configure(&configuration)
    let web = web
    return NetworkController(
      store: (other ?? store).engine, accounts: (other ?? store).accountSync,
      transport: { [self] in
        transportsMade.withLock { $0 += 1 }
        return web
      },
      configuration: configuration, clock: clock)
  }

  func startedController(
    _ configure: (inout SyncConfiguration) -> Void = { _ in }
  ) -> NetworkController {
    let controller = controller(configure)
    controller.start()
    return controller
  }

  @discardableResult
  func subscribe(_ urls: String...) async throws -> [FeedID] { try await subscribe(urls) }

  @discardableResult func subscribe(_ urls: [String]) async throws -> [FeedID] {
    try await store.reader.feeds.subscribe(urls.map { OutlineEntry(url: $0) }).added
  }

  /// Subscribes to a feed whose only article has these elements, fetches it, and returns the
  /// article.
  func article(
    _ elements: String, of feed: String = "http://a.example/feed"
  ) async throws -> ArticleID {
    web.on(feed, .feed(rss(item: elements)))
    try await subscribe(feed)
    _ = await controller().runUntilIdle()
    return try #require(try store.reader.articles.page(.all, .top, limit: 1).first?.id)
  }

  /// Returns the full text of an article, which has one.
  func fullText(_ article: ArticleID) throws -> String {
    let text = try store.reader.fullTexts.fullText(article)
    let html: String? = if case .found(let html) = text?.state { html } else { nil }
    return try #require(html, "\(String(describing: text))")
  }

  func state(_ feed: FeedID) throws -> FeedState? { try store.reader.feeds.feed(feed)?.state }
  func record(_ feed: FeedID) throws -> FetchRecord? { try store.engine.fetches.fetchRecord(feed) }

  /// Runs until idle; the clock advances to its next deadline every few milliseconds.
  func runWithTime(_ controller: NetworkController) async -> SyncSummary {
    let manual = manual
    let time = Task {
      while !Task.isCancelled {
        // Tasks that can run, and the threads of the cache, come first: time that passes while they
        // are starved would look like hosts that do not answer.
        for _ in 0..<10 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(3))
        manual.advanceToNextDeadline()
      }
    }
    defer { time.cancel() }
    return await controller.runUntilIdle()
  }

  /// Advances the clock from deadline to deadline until the seconds have passed, in at most 2,000
  /// steps.
  func pass(_ seconds: Double) async throws { _ = try await advance(seconds) { false } }

  /// Advances the clock likewise until the condition is true.
  /// - Returns: true if the condition is true, after running work has ended at the latest.
  @discardableResult
  func pass(_ seconds: Double, until isEnough: () throws -> Bool) async throws -> Bool {
    if try await advance(seconds, until: isEnough) { return true }
    return try await eventually(isEnough)
  }

  private func advance(_ seconds: Double, until isEnough: () throws -> Bool) async throws -> Bool {
    let end = manual.now.advanced(by: .seconds(seconds))
    for _ in 0..<2_000 where manual.now < end {
      // An engine that has nothing left to do does not sleep.
      _ = try await eventually { try manual.sleeperCount > 0 || isEnough() }
      if try isEnough() { return true }
      manual.advance(
        by: min(manual.now.duration(to: end), manual.now.duration(to: manual.nextDeadline ?? end)))
      try await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}

/// A suite whose tests have a cache and a fake web.
class EngineSuite {
  let fixture: EngineFixture
  init() throws { fixture = try EngineFixture() }
}

extension NetworkController {
  /// Stops the engine and waits until it has ended, however slow the machine is.
  func end() async { await stop(deadline: .seconds(Patience.seconds)) }
}

/// Polls a condition until it is true, and reports where it does not become so.
/// - Parameter clock: moved by `step` before each look.
func expectEventually(
  advancing clock: ManualClock? = nil, by step: Duration = .milliseconds(20),
  at location: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async throws {
  let isTrue = try await eventually {
    clock?.advance(by: step)
    return try condition()
  }
  #expect(isTrue, sourceLocation: location)
}

extension ArticleQuery {
  static let all = ArticleQuery(scope: .all)
}
