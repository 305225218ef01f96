#if os(Linux)
  import FeedModel
  import FeedStore
  import Foundation
  import Testing

  /// This test binary, started again for one test.
  private enum SecondProcess {
    static var directory: String? { ProcessInfo.processInfo.environment["WEIR_TEST_DIRECTORY"] }

    static func start(in directory: String) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", "OtherProcess"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["WEIR_TEST_DIRECTORY": directory], uniquingKeysWith: { _, new in new })
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
  }

  /// The part that it plays.
  @Suite(.enabled(if: SecondProcess.directory != nil)) struct OtherProcess {
    /// Answers a refresh request once, then merges without end: it is the engine's process.
    @Test func servesTheCache() async throws {
      let store = try FeedStore.open(directory: try #require(SecondProcess.directory))
      let deadline = ContinuousClock.now + .seconds(60)
      var number = 0
      while ContinuousClock.now < deadline {
        let requests = try store.refreshRequests(finishedSince: .distantFuture)
        if let request = requests.first(where: { !$0.isFinished }) {
          let feeds = try store.pendingFeeds(of: request.id).map(\.feed)
          try await store.setPhase(.fetching, of: feeds)
          for feed in feeds {
            _ = try await store.merge([.parsed(feed, [.dated(number)], at: Date())])
          }
        }
        number += 1
        if let feed = try store.subscriptions().feeds.first?.id, number > 10 {
          try await store.setPhase(.fetching, of: [feed])
          _ = try await store.merge(
            [.parsed(feed, (0..<50).map { .dated(number * 100 + $0) }, at: Date())])
          try await store.setPhase(.fetching, of: [feed])
        } else {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
  }

  @Suite(.enabled(if: SecondProcess.directory == nil)) struct ProcessTests {
    @Test func twoProcessesShareACacheAndTheDeathOfOneHurtsNobody() async throws {
      let cache = try TestCache()
      let feed = try await cache.feed("a")
      let commits = Commits()
      let observation = cache.store.observe(.everything) { commits.add($0) }
      defer { observation.cancel() }
      let request = try await cache.store.requestRefresh(.all)

      let process = try SecondProcess.start(in: cache.directory)
      defer { process.terminate() }
      #expect(
        try await eventually(within: 60) {
          try cache.store.refreshRequest(request.id)?.isFinished == true
        })
      #expect(await eventually { commits.union.isSuperset(of: [.articles, .requests, .fetches]) })
      // While it merges, what the user does here is not kept waiting for long, let alone refused.
      for _ in 0..<50 {
        let ids = try cache.store.articles(ArticleQuery(scope: .all), .top, limit: 10).map(\.id)
        try await cache.store.setRead(ids, true)
        try await cache.store.setStarred(ids, true)
      }
      #expect(try await eventually { try cache.store.feed(feed)?.state.phase == .fetching })

      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try cache.store.feed(feed)?.state.phase == .idle)
      #expect(try cache.store.integrityProblems().isEmpty)
      let counts = try #require(try cache.store.feed(feed)).counts
      let rows = try cache.all(ArticleQuery(scope: .all))
      #expect(counts.total == rows.count)
      #expect(counts.unread == rows.count { !$0.status.isRead })
      #expect(counts.starred == rows.count { $0.status.isStarred })
      try await cache.store.setRead(rows.prefix(3).map(\.id), false)
    }
  }
#endif
