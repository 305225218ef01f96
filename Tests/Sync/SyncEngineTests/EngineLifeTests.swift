@testable import SyncEngine

@Suite("The life of an engine", .timeLimit(.minutes(120)))
final class EngineLifeTests: EngineSuite {
  @Test("Stopping the engine writes nothing of cancelled refreshes")
  func stoppingWritesNothing() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...6).map { "http://h\($0).example/" })
    fixture.web.pause()
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(6)
    // Held answers are never released: a stop that waited for them would reach its deadline.
    await controller.end()
    #expect(fixture.web.inFlight == 0)
    for feed in feeds {
      let record = try #require(try fixture.record(feed))
      #expect(!record.hasBeenFetched)
      #expect(record.failure == nil)
      #expect(try fixture.state(feed)?.checkedAt == nil)
    }
    let status = try fixture.requests.syncStatus()
    #expect(!status.isRunning && status.refreshing.isEmpty)
    #expect(try fixture.articles.count(.all) == 0)
  }

  @Test("The next engine finishes an interrupted request and repeats nothing")
  func interruptedWorkResumes() async throws {
    fixture.serve()
    try await fixture.subscribe((1...8).map { "http://h\($0).example/" })
    let request = try await fixture.requests.requestRefresh(.all)
    fixture.web.pause()
    let first = fixture.controller()
    first.start()
    await fixture.web.waitForRequests(8)
    for _ in 0..<3 { fixture.web.releaseOne() }
    try await expectEventually { try fixture.requests.refreshRequest(request.id)?.done == 3 }
    await first.end()
    fixture.web.release()
    fixture.web.forget()

    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.done == 5)
    #expect(fixture.web.log.count == 5)
    #expect(try fixture.requests.refreshRequest(request.id)?.isFinished == true)
    #expect(try fixture.requests.refreshRequest(request.id)?.done == 8)
    #expect(try fixture.articles.count(.all) == 24)
  }

  @Test("A user's request starts at once, above the limit of a running sync")
  func userRequestStartsAtOnce() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...40).map { "http://h\($0).example/" })
    fixture.web.pause()
    let controller = fixture.startedController { $0.connections = 4 }
    await fixture.web.waitForRequests(4)
    // The limit is used up; the user's own feed does not wait for it.
    let last = try #require(feeds.last)
    try await fixture.requests.requestRefresh(.feed(last))
    await fixture.web.waitForRequests(5)
    #expect(fixture.web.log.last?.url == "http://h40.example/")
    #expect(fixture.web.inFlight == 5)
    fixture.web.release()
    try await expectEventually { try fixture.articles.count(.all) == 120 }
    await controller.end()
  }

  @Test("Feeds on screen are refreshed first") func whatIsOnScreenGoesFirst() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...20).map { "http://h\($0).example/" })
    try await fixture.requests.setVisibleFeeds([feeds[16], feeds[17]])
    let controller = fixture.controller { $0.connections = 2 }
    _ = await controller.runUntilIdle()
    #expect(Set(fixture.web.urls.prefix(2)) == ["http://h17.example/", "http://h18.example/"])
  }

  @Test("Cancelling a request ends its running refreshes")
  func cancellingEndsRefreshes() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...18).map { "http://h\($0).example/" })
    let controller = fixture.controller { $0.isAutomatic = false }
    fixture.web.pause()
    controller.start()
    let request = try await fixture.requests.requestRefresh(.feeds(feeds))
    await fixture.web.waitForRequests(12)
    try await fixture.requests.cancelRefresh(request.id)
    try await expectEventually { fixture.web.inFlight == 0 }
    fixture.web.release()
    try await expectEventually { try !fixture.requests.syncStatus().isRunning }
    #expect(try fixture.articles.count(.all) == 0)
    #expect(fixture.web.log.count == 12)
    await controller.end()
  }

  @Test("A stopped feed is not restarted for an hour, unless the user requests it")
  func stoppedFeedWaitsAnHour() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...12).map { "http://h\($0).example/" })
    fixture.web.pause()
    let request = try await fixture.requests.requestRefresh(.feeds(feeds))
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(8)
    try await fixture.requests.cancelRefresh(request.id)
    try await expectEventually { fixture.web.inFlight == 0 }
    fixture.web.release()
    fixture.web.forget()
    try await expectEventually { try !fixture.requests.syncStatus().isRunning }
    // Other work loads the due feeds again.
    let other = try await fixture.subscribe("http://other.example/")[0]
    try await expectEventually { try fixture.record(other)?.hasBeenFetched == true }
    #expect(fixture.web.urls == ["http://other.example/"])
    // A requested feed is fetched all the same.
    try await fixture.requests.requestRefresh(.feed(feeds[0]))
    try await expectEventually { try fixture.record(feeds[0])?.hasBeenFetched == true }
    // The others are fetched after an hour.
    fixture.manual.advance(by: .seconds(3_601))
    try await expectEventually {
      try feeds.allSatisfy { try fixture.record($0)?.hasBeenFetched == true }
    }
    await controller.end()
  }

  @Test("A feed is refreshed again when it is due") func dueFeedsAreRefreshed() async throws {
    let served = Mutex(0)
    fixture.web.on("http://a.example/") { _ in
      .feed(
        rss(
          "A",
          items: served.withLock {
            $0 += 1; return $0
          }))
    }
    try await fixture.subscribe("http://a.example/")
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(1)
    try await expectEventually {
      try fixture.articles.count(.all) == 1 && !fixture.requests.syncStatus().isRunning
    }
    for _ in 0..<200 where fixture.web.log.count < 2 {
      fixture.manual.advance(by: .seconds(1_800))
      try await Task.sleep(for: .milliseconds(5))
    }
    try await expectEventually { try fixture.articles.count(.all) == 2 }
    await controller.end()
  }

  @Test("Feeds due at the start are spread, except those on screen and of high priority")
  func dueFeedsAreSpread() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe((1...5).map { "http://h\($0).example/" })
    try await fixture.requests.setVisibleFeeds([feeds[3]])
    try await fixture.feeds.setPriority(feeds[1], .high)
    let controller = fixture.controller {
      $0.initialSpread = .seconds(20)
      $0.jitter = { 0.5 }
    }
    controller.start()
    try await expectEventually {
      try fixture.articles.count(.all) == 6 && !fixture.requests.syncStatus().isRunning
    }
    #expect(fixture.web.urls.sorted() == ["http://h2.example/", "http://h4.example/"])
    fixture.manual.advance(by: .seconds(10))
    try await expectEventually { try fixture.articles.count(.all) == 15 }
    await controller.end()
  }

  @Test("An idle engine neither writes nor wakes") func idleEngineStaysIdle() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    let controller = fixture.startedController()
    try await expectEventually {
      try fixture.requests.syncStatus().endedAt != nil && fixture.manual.sleeperCount == 1
    }
    // Alarms set during the work fire once and are not set again.
    for _ in 0..<3 {
      guard let next = fixture.manual.nextDeadline, next.offset < .seconds(60) else { break }
      fixture.manual.advanceToNextDeadline()
      _ = await eventually { fixture.manual.sleeperCount == 1 }
    }
    let next = try #require(fixture.manual.nextDeadline)
    #expect(next.offset >= .seconds(3_000))
    let commits = Mutex(0)
    let observation = fixture.store.reader.observe(.everything) { _ in commits.withLock { $0 += 1 }
    }
    fixture.manual.advance(by: .seconds(1_000))
    try await Task.sleep(for: .milliseconds(50))
    #expect(fixture.manual.nextDeadline == next)
    #expect(commits.withLock { $0 } == 0)
    observation.cancel()
    await controller.end()
  }

  @Test("One process is the engine, and a standby takes over when it stops")
  func standbyTakesOver() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe("http://a.example/", "http://b.example/")
    let first = fixture.controller { $0.isAutomatic = false }
    first.start()
    var events = first.events.makeAsyncIterator()
    if case .becameEngine = await events.next() {} else { Issue.record("not the engine") }

    let otherStore = try EngineFixture.open(fixture.directory, fixture.manual)
    let second = fixture.controller(on: otherStore) { $0.isAutomatic = false }
    second.start()
    var others = second.events.makeAsyncIterator()
    if case .standingBy = await others.next() {} else { Issue.record("two engines") }

    // The engine serves requests of the standby's process.
    let request = try await otherStore.reader.requests.requestRefresh(.feed(feeds[0]))
    try await expectEventually {
      try otherStore.reader.requests.refreshRequest(request.id)?.isFinished == true
    }
    #expect(fixture.web.log.count == 1)

    // The standby takes over without an event and without time passing.
    await first.end()
    if case .becameEngine = await others.next() {} else { Issue.record("no engine") }
    let next = try await otherStore.reader.requests.requestRefresh(.feed(feeds[1]))
    try await expectEventually {
      try otherStore.reader.requests.refreshRequest(next.id)?.isFinished == true
    }
    #expect(fixture.web.urls == ["http://a.example/", "http://b.example/"])
    await second.end()
    otherStore.close()
  }

  @Test("A sync beside a running engine waits for the engine's work")
  func syncWaitsForEngine() async throws {
    fixture.serve()
    try await fixture.subscribe("http://a.example/", "http://b.example/")
    let engine = fixture.controller { $0.isAutomatic = false }
    engine.start()
    var events = engine.events.makeAsyncIterator()
    _ = await events.next()
    let otherStore = try EngineFixture.open(fixture.directory, fixture.manual)
    _ = try await otherStore.reader.requests.requestRefresh(.all)
    let summary = await fixture.controller(on: otherStore).runUntilIdle()
    #expect(summary.wasServedElsewhere)
    #expect(summary.done == 2)
    #expect(summary.newArticles == 6)
    #expect(fixture.web.log.count == 2)
    await engine.end()
    otherStore.close()
  }

  @Test("A sync beside a reader that is offline ends") func syncEndsBesideOffline() async throws {
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    try await fixture.subscribe((1...12).map { "http://h\($0).example/" })
    let engine = fixture.controller()
    engine.start()
    var events = engine.events.makeAsyncIterator()
    _ = await events.next()
    let otherStore = try EngineFixture.open(fixture.directory, fixture.manual)
    let request = try await otherStore.reader.requests.requestRefresh(.all)
    let summary = await fixture.runWithTime(fixture.controller(on: otherStore))
    #expect(summary.wasServedElsewhere)
    #expect(summary.isOffline)
    #expect(try otherStore.reader.requests.refreshRequest(request.id)?.isFinished == false)
    await engine.end()
    otherStore.close()
  }

  /// The engine's process was stopped.
  @Test("A sync waits a limited time for an engine that does nothing") func syncWaitIsLimited()
    async throws
  {
    try await fixture.subscribe("http://a.example/")
    let request = try await fixture.requests.requestRefresh(.all)
    let engine = EngineElection(directory: fixture.directory) {}
    #expect(engine.stand())
    let summary = await fixture.runWithTime(fixture.controller())
    #expect(summary.wasServedElsewhere && summary.isUnserved)
    #expect(summary.duration >= .seconds(15) && summary.duration < .seconds(30))
    #expect(try fixture.requests.refreshRequest(request.id)?.isFinished == false)
    #expect(fixture.web.log.isEmpty)
    // A server may be silent for longer, and the sync waits for that.
    try await fixture.store.engine.requests.setSyncStatus(
      SyncStatus(isRunning: true, total: 1, inFlight: 1))
    let patient = await fixture.runWithTime(fixture.controller())
    #expect(patient.isUnserved)
    #expect(patient.duration >= .seconds(180) && patient.duration < .seconds(200))
    engine.resign()
  }

  @Test("An offline network counts as no feed's failure, and all feeds are refreshed later")
  func offlineCountsNoFailure() async throws {
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    let feeds = try await fixture.subscribe((1...30).map { "http://h\($0).example/" })
    let controller = fixture.controller()
    let summary = await fixture.runWithTime(controller)
    #expect(summary.isOffline)
    #expect(summary.done == 0)
    for feed in feeds {
      #expect(try fixture.state(feed)?.failure == nil)
    }
    #expect(try fixture.requests.syncStatus().quality == .offline)
    // Three requests showed the outage, up to twelve were running, and a few were probes.
    #expect(fixture.web.log.count <= 16)

    fixture.web.onAnythingElse { .feed(rss($0.url)) }
    let back = await fixture.runWithTime(controller)
    #expect(!back.isOffline)
    #expect(back.done == 30)
    #expect(try fixture.requests.syncStatus().quality != .offline)
  }

  @Test(
    "A run that is offline ends, and its request stays pending",
    arguments: [TransportError.Kind.offline, .connectionRefused])
  func offlineRequestStays(kind: TransportError.Kind) async throws {
    fixture.web.onAnythingElse { _ in .failure(kind) }
    try await fixture.subscribe((1...20).map { "http://h\($0).example/" })
    let request = try await fixture.requests.requestRefresh(.all)
    let summary = await fixture.runWithTime(fixture.controller())
    #expect(summary.isOffline && summary.failed == 0)
    #expect(try fixture.requests.refreshRequest(request.id)?.isFinished == false)
    #expect(try !fixture.requests.syncStatus().isRunning)
  }

  @Test("Unknown host names are failures of their feeds while other hosts answer")
  func unknownHostIsAFailure() async throws {
    fixture.web.onAnythingElse { request in
      request.url.contains("good") ? .feed(rss(request.url)) : .failure(.hostNotFound)
    }
    let feeds = try await fixture.subscribe(
      (1...5).map { "http://bad\($0).example/" } + ["http://good.example/"])
    let summary = await fixture.runWithTime(fixture.controller())
    #expect(!summary.isOffline)
    #expect(summary.done == 6)
    #expect(summary.failed == 5)
    #expect(try fixture.state(feeds[0])?.failure?.kind == .hostNotFound)
  }
}
