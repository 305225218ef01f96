#if os(Linux)
  /// This test binary, started again for one test.
  enum SecondProcess {
    static var directory: String? { ProcessInfo.processInfo.environment["WEIR_TEST_DIRECTORY"] }

    static func start(in directory: String, as part: String = "FeedStoreTests.OtherProcess") throws
      -> Process
    {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", part]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["WEIR_TEST_DIRECTORY": directory], uniquingKeysWith: { _, new in new })
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
  }

  /// The second process's part.
  @Suite("Second process: an engine", .enabled(if: SecondProcess.directory != nil))
  struct OtherProcess {
    /// Answers a refresh request once, then merges until its deadline, like the engine's process.
    @Test("A second process answers a request and then merges continually")
    func servesTheCache() async throws {
      let store = try FeedStore.open(directory: try #require(SecondProcess.directory))
      let deadline = ContinuousClock.now + .seconds(1_800)
      var number = 0
      while ContinuousClock.now < deadline {
        let requests = try store.reader.requests.refreshRequests(finishedSince: .distantFuture)
        if let request = requests.first(where: { !$0.isFinished }) {
          let feeds = try store.engine.requests.pendingFeeds(of: request.id).map(\.feed)
          for feed in feeds {
            _ = try await store.engine.fetches.merge([.parsed(feed, [.dated(number)], at: Date())])
          }
        }
        number += 1
        if let feed = try store.reader.feeds.subscriptions().feeds.first?.id, number > 10 {
          try await store.engine.requests.setSyncStatus(SyncStatus(refreshing: [feed]))
          _ = try await store.engine.fetches.merge(
            [.parsed(feed, (0..<50).map { .dated(number * 100 + $0) }, at: Date())])
        } else {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
  }

  /// Commits an article every 50 ms; its title is the time before the commit.
  @Suite("Second process: a clock", .enabled(if: SecondProcess.directory != nil))
  struct OtherClock {
    @Test("A second process commits the time every 50 ms")
    func tellsTheTime() async throws {
      let store = try FeedStore.open(directory: try #require(SecondProcess.directory))
      let deadline = ContinuousClock.now + .seconds(1_800)
      let feed = try #require(try store.reader.feeds.subscriptions().feeds.first?.id)
      var number = 0
      while ContinuousClock.now < deadline {
        number += 1
        let item = ParsedItem.dated(number, title: String(Date().timeIntervalSince1970))
        _ = try await store.engine.fetches.merge([.parsed(feed, [item], at: Date())])
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  @Suite(
    "Several processes on one cache",
    .enabled(if: SecondProcess.directory == nil), .countsFailures)
  struct ProcessTests {
    /// Two readers in this process, and a second process that writes.
    @Test("Every commit is seen by all other readers")
    func commitsAreSeenByAll() async throws {
      let cache = try TestCache()
      _ = try await cache.feed("a")
      let readers = [cache.store, try cache.another()]
      defer { readers[1].close() }
      let delays = Mutex<[[Double]]>([[], []])
      let marks = Mutex(try readers.map { try $0.reader.articles.eventMark() })
      let observations = readers.enumerated().map { index, store in
        store.reader.observe(.articles) { _ in
          let now = Date().timeIntervalSince1970
          let events =
            (try? marks.withLock { try store.reader.articles.events(since: &$0[index]) }) ?? []
          for case .arrived(let id) in events {
            guard let title = try? store.reader.articles.articleRow(id)?.title,
              let then = Double(title)
            else {
              continue
            }
            delays.withLock { $0[index].append(now - then) }
          }
        }
      }
      defer { for observation in observations { observation.cancel() } }
      let process = try SecondProcess.start(in: cache.directory, as: "OtherClock")
      defer { process.terminate() }
      let wanted = Soak.length(short: 20, long: 200)
      #expect(await eventually { delays.withLock { $0.allSatisfy { $0.count >= wanted } } })
      let all = delays.withLock { $0.flatMap { $0 } }.sorted()
      let figure = { (share: Int) in Int(all[min(all.count - 1, all.count * share / 100)] * 1e3) }
      Soak.report(
        "a commit seen by two other readers", "\(all.count) commits",
        "median \(figure(50)) ms, p99 \(figure(99)) ms, the commit included")
    }

    @Test("Two processes share a cache, and the death of one damages nothing")
    func deathDamagesNothing() async throws {
      let (cache, feed) = try await TestCache.withFeed()
      let commits = Commits()
      let observation = cache.store.reader.observe(.everything) { commits.add($0) }
      defer { observation.cancel() }
      let request = try await cache.store.reader.requests.requestRefresh(.all)

      let process = try SecondProcess.start(in: cache.directory)
      defer { process.terminate() }
      #expect(
        try await eventually {
          try cache.store.reader.requests.refreshRequest(request.id)?.isFinished == true
        })
      #expect(await eventually { commits.union.isSuperset(of: [.articles, .requests, .fetches]) })
      // While the other process merges, the user's writes succeed within the time limit.
      for _ in 0..<50 {
        let ids = try cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 10)
          .map(\.id)
        try await cache.store.reader.states.set(.read, ids, true)
        try await cache.store.reader.states.set(.starred, ids, true)
      }
      let requests = cache.store.reader.requests
      #expect(try await eventually { try requests.syncStatus().refreshing == [feed] })

      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try requests.syncStatus().refreshing.isEmpty)
      #expect(try cache.store.file.integrityProblems().isEmpty)
      let counts = try #require(try cache.store.reader.feeds.feed(feed)).counts
      let rows = try cache.all(ArticleQuery(scope: .all))
      #expect(counts.total == rows.count)
      #expect(counts.unread == rows.count { !$0.status.isRead })
      #expect(counts.starred == rows.count { $0.status.isStarred })
      try await cache.store.reader.states.set(.read, rows.prefix(3).map(\.id), false)
    }
  }
#endif
