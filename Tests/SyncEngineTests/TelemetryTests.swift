import FeedModel
import FeedStore
import Foundation
import Networking
import TestSupport
import Testing

@testable import SyncEngine

/// What the engine tells while somebody looks, and how it does what it is told.
@Suite struct TelemetryTests {
  /// A sync of feeds of which six are on one host, held on the line, and watched.
  private func heldSync(_ bench: Bench) async throws -> (NetworkController, [FeedID]) {
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    let feeds = try await bench.subscribe(
      (1...6).map { "http://busy.example/\($0)" } + (1...6).map { "http://h\($0).example/" })
    bench.web.hold()
    try await bench.store.reader.setWatchesTelemetry(true)
    let controller = bench.controller { $0.ceiling = 5 }
    controller.start()
    await bench.web.waitForRequests(5)
    return (controller, feeds)
  }

  private func told(
    _ bench: Bench, _ condition: (SyncTelemetry) -> Bool
  ) async throws -> SyncTelemetry {
    let isTold = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return condition(try bench.store.reader.telemetry(samples: 100))
    }
    #expect(isTold)
    return try bench.store.reader.telemetry(samples: 100)
  }

  @Test func whatRunsAndWhatWaitsAndWhyIsTold() async throws {
    let bench = try Bench()
    let (controller, feeds) = try await heldSync(bench)
    let telemetry = try await told(bench) { told in
      told.operations.count { $0.isRunning } == 5
    }
    let running = telemetry.operations.filter(\.isRunning)
    #expect(running.count { $0.host == "busy.example" } == 2)
    #expect(running.allSatisfy { $0.state == .running(.connecting) })
    #expect(running.allSatisfy { $0.attempt == 1 })
    #expect(telemetry.waiting == [.hostBusy: 4, .widthFull: 3])
    let waiting = telemetry.operations.filter { !$0.isRunning }
    #expect(waiting.count == 7)
    #expect(waiting.first?.subject == .feed(feeds[2]))
    #expect(waiting.first?.state == .waiting(.hostBusy))
    let busy = try #require(telemetry.hosts.first { $0.host == "busy.example" })
    #expect((busy.inFlight, busy.waiting) == (2, 4))
    #expect(telemetry.ceiling == 5)
    #expect(telemetry.reason != nil)
    let sample = try #require(telemetry.samples.last)
    #expect((sample.inFlight, sample.waiting) == (5, 7))
    bench.web.release()
    let end = try await told(bench) { $0.operations.isEmpty }
    #expect(end.hosts.first { $0.host == "busy.example" }?.status == 200)
    #expect(end.hosts.first { $0.host == "busy.example" }?.latency == 0.02)
    #expect(end.samples.last?.latency == 0.01)
    #expect(end.waiting.isEmpty)
    await controller.stop(deadline: 10)
  }

  @Test func aRunThatEndsLeavesNothingRunningBehind() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe((1...20).map { "http://h\($0).example/" })
    try await bench.store.reader.setWatchesTelemetry(true)
    _ = await bench.controller().runUntilIdle()
    let telemetry = try bench.store.reader.telemetry(samples: 10)
    #expect(telemetry.at != nil)
    #expect(telemetry.operations.isEmpty)
    #expect(telemetry.waiting.isEmpty)
  }

  @Test func nothingIsWrittenWhereNobodyLooks() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe((1...20).map { "http://h\($0).example/" })
    _ = await bench.controller().runUntilIdle()
    let telemetry = try bench.store.reader.telemetry(samples: 100)
    #expect(telemetry == SyncTelemetry())
  }

  @Test func itIsToldTwiceASecondAtMostAndNotAtAllWhenIdle() async throws {
    let bench = try Bench()
    let (controller, _) = try await heldSync(bench)
    var dates: Set<Date> = []
    for _ in 0..<100 {
      bench.manual.advance(by: .milliseconds(50))
      try await Task.sleep(for: .milliseconds(2))
      if let at = try bench.store.reader.telemetry(samples: 1).at { dates.insert(at) }
    }
    #expect((2...11).contains(dates.count))
    for (a, b) in zip(dates.sorted(), dates.sorted().dropFirst()) {
      #expect(b.timeIntervalSince(a) > 0.499)
    }
    bench.web.release()
    let end = try await told(bench) { $0.operations.isEmpty }
    let samples = end.samples.count
    for _ in 0..<40 {
      bench.manual.advance(by: .milliseconds(500))
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(try bench.store.reader.telemetry(samples: 100).samples.count == samples)
    await controller.stop(deadline: 10)
  }

  @Test func aPausedSyncStartsNothingButWhatIsAskedForByName() async throws {
    let bench = try Bench()
    let (controller, feeds) = try await heldSync(bench)
    try await bench.store.reader.setPaused(.everything, true)
    let telemetry = try await told(bench) { $0.waiting.keys.contains(.paused) }
    #expect(telemetry.waiting == [.paused: 7])
    for _ in 0..<5 { bench.web.releaseOne() }
    let isQuiet = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try bench.store.reader.syncStatus().done == 5
    }
    #expect(isQuiet)
    try await bench.store.reader.requestRefresh(.feed(feeds[11]))
    await bench.web.waitForRequests(6)
    #expect(bench.web.urls.last == "http://h6.example/")
    #expect(bench.web.log.count == 6)
    bench.web.release()
    try await bench.store.reader.setPaused(.everything, false)
    let isDone = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try !bench.store.reader.syncStatus().isRunning
    }
    #expect(isDone)
    #expect(bench.web.log.count == 12)
    await controller.stop(deadline: 10)
  }

  @Test func aPauseEndsWithTheReaderThatLaidIt() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe("http://a.example/")
    let reader = try Bench.open(bench.directory, bench.manual)
    try await reader.reader.setPaused(.everything, true)
    let controller = bench.controller()
    controller.start()
    let isWaiting = try await Bench.eventually { try bench.store.reader.syncStatus().isRunning }
    #expect(isWaiting)
    reader.close()
    let isDone = try await Bench.eventually {
      bench.manual.advance(by: .seconds(1))
      return try bench.store.reader.count(ArticleQuery(scope: .all)) == 3
    }
    #expect(isDone)
    await controller.stop(deadline: 10)
  }

  @Test func aRunThatIsToEndDoesNotWaitForAPause() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    let feeds = try await bench.subscribe("http://a.example/", "http://b.example/")
    let request = try await bench.store.reader.requestRefresh(.feeds(feeds))
    try await bench.store.reader.setPaused(.everything, true)
    let summary = await bench.controller().runUntilIdle(.requested)
    #expect(summary.isPaused)
    #expect(bench.web.log.isEmpty)
    #expect(try bench.store.reader.refreshRequest(request.id)?.isFinished == false)
    // What is asked for by name is done all the same.
    try await bench.store.reader.requestRefresh(.feed(feeds[1]))
    let named = await bench.controller().runUntilIdle(.requested)
    #expect(named.done == 1)
    #expect(bench.web.urls == ["http://b.example/"])
  }

  /// Nothing else runs that could tell whether the line is to blame.
  @Test(arguments: [TransportError.Kind.hostNotFound, .connectionRefused])
  func whatIsAskedForInAPauseFailsThoughTheRestWaits(kind: TransportError.Kind) async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { _ in .failure(kind) }
    let feeds = try await bench.subscribe("http://a.example/", "http://b.example/")
    try await bench.store.reader.setPaused(.everything, true)
    let controller = bench.controller()
    controller.start()
    let request = try await bench.store.reader.requestRefresh(.feed(feeds[1]))
    let isFinished = try await bench.pass(30) {
      try bench.store.reader.refreshRequest(request.id)?.isFinished == true
    }
    #expect(isFinished)
    #expect(try bench.store.reader.refreshRequest(request.id)?.failed == 1)
    #expect(bench.web.urls == ["http://b.example/"])
    await controller.stop(deadline: 10)
  }

  @Test func aPauseThatComesWhileAFailureIsInDoubtSettlesIt() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { _ in .hang }
    bench.web.on("http://b.example/", .failure(.hostNotFound))
    let urls = (1...3).map { "http://a.example/\($0)" } + ["http://b.example/"]
    let feeds = try await bench.subscribe(urls)
    try await bench.store.reader.setWatchesTelemetry(true)
    let controller = bench.controller()
    controller.start()
    let isInDoubt = try await bench.pass(3) {
      try bench.store.reader.telemetry(samples: 1).waiting[.lineInDoubt] == 1
    }
    #expect(isInDoubt)
    try await bench.store.reader.setPaused(.everything, true)
    // What hangs ends; one waits for the pause's end.
    #expect(bench.web.log.count == 3)
    for (feed, url) in zip(feeds, urls.prefix(3)) where bench.web.urls.contains(url) {
      try await bench.store.reader.cancel(.feed(feed))
    }
    let isSettled = try await bench.pass(10) { try bench.state(feeds[3])?.failure != nil }
    #expect(isSettled)
    await controller.stop(deadline: 10)
  }

  @Test func whereNobodyListensAnywhereNoFeedIsToBlame() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { _ in .failure(.connectionRefused) }
    let feeds = try await bench.subscribe((1...30).map { "http://h\($0).example/" })
    let summary = await bench.runWithTime(bench.controller())
    #expect(summary.isOffline)
    #expect(summary.failed == 0)
    for feed in feeds { #expect(try bench.state(feed)?.failure == nil) }
  }

  @Test func aPausedHostIsLeftAloneAndTheOthersAreNot() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe(
      (1...3).map { "http://busy.example/\($0)" } + (1...3).map { "http://h\($0).example/" })
    try await bench.store.reader.setPaused(.host("busy.example"), true)
    let controller = bench.controller()
    controller.start()
    await bench.web.waitForRequests(3)
    let isDone = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try bench.store.reader.syncStatus().done == 3
    }
    #expect(isDone)
    #expect(Set(bench.web.urls) == Set((1...3).map { "http://h\($0).example/" }))
    try await bench.store.reader.setPaused(.host("busy.example"), false)
    await bench.web.waitForRequests(6)
    let isAllDone = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try !bench.store.reader.syncStatus().isRunning
    }
    #expect(isAllDone)
    await controller.stop(deadline: 10)
  }

  @Test func oneOperationIsEndedAndNotBegunAgainByItself() async throws {
    let bench = try Bench()
    let (controller, feeds) = try await heldSync(bench)
    // One that runs, and one that waits.
    try await bench.store.reader.cancel(.feed(feeds[0]))
    try await bench.store.reader.cancel(.feed(feeds[5]))
    let isSettled = try await Bench.eventually {
      let isRunning = bench.web.urls.filter { $0 == "http://busy.example/1" }.count == 1
      return try isRunning && bench.store.engine.cancellations().isEmpty
    }
    #expect(isSettled)
    bench.web.release()
    let isDone = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      let status = try bench.store.reader.syncStatus()
      return !status.isRunning && status.done == 10 && status.total == 10
    }
    #expect(isDone)
    #expect(!bench.web.urls.contains("http://busy.example/6"))
    for feed in [feeds[0], feeds[5]] {
      let state = try #require(try bench.state(feed))
      #expect(state.failure == nil)
      #expect(state.checkedAt == nil)
      #expect(state.nextCheckReasons == [.stoppedByUser])
      #expect(try #require(state.nextCheckAt) > bench.now + 3_000)
    }
    await controller.stop(deadline: 10)
  }

  @Test func everythingThatWaitsIsEndedAndItsRequestIsFinished() async throws {
    let bench = try Bench()
    let (controller, feeds) = try await heldSync(bench)
    let request = try await bench.store.reader.requestRefresh(.feeds(Array(feeds[5...])))
    try await bench.store.reader.cancel(.waiting)
    let isSettled = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try bench.store.engine.cancellations().isEmpty
    }
    #expect(isSettled)
    bench.web.release()
    let isDone = try await Bench.eventually {
      bench.manual.advance(by: .milliseconds(20))
      return try !bench.store.reader.syncStatus().isRunning
        && bench.store.reader.refreshRequest(request.id)?.isFinished == true
    }
    #expect(isDone)
    #expect(bench.web.log.count == 5)
    #expect(try bench.store.reader.syncStatus().done == 5)
    await controller.stop(deadline: 10)
  }

  @Test func aBoostedFeedGoesNextWhateverTheWidth() async throws {
    let bench = try Bench()
    let (controller, feeds) = try await heldSync(bench)
    try await bench.store.reader.requestRefresh(.feed(feeds[11]))
    await bench.web.waitForRequests(6)
    #expect(bench.web.urls.last == "http://h6.example/")
    bench.web.release()
    await controller.stop(deadline: 10)
  }

  @Test func aBookOfExchangesFollowsEachHopAndForgets() {
    let book = TransferMonitor()
    let now = Instant(uptime: .zero, date: Bench.start)
    let page = book.entry(of: 7)
    page.asks("a.example")
    #expect(book.exchanges[7]?.stage == .waitingForHost)
    page.reaches(.connecting)
    #expect(book.exchanges[7]?.stage == .connecting)
    page.observed(.connected(0.2), at: now)
    page.observed(.received(0), at: now)
    #expect(book.exchanges[7]?.stage == .connecting)
    page.observed(.requesting, at: now)
    #expect(book.exchanges[7]?.stage == .waitingForAnswer)
    page.observed(.firstByte(0.5), at: now)
    page.observed(.received(100), at: now)
    #expect(book.exchanges[7]?.stage == .receiving)
    page.answered("a.example", status: 302, at: Bench.start)
    #expect(
      book.answers["a.example"]
        == TransferMonitor.Answer(status: 302, at: Bench.start, latency: 0.5))
    page.asks("b.example")
    page.reaches(.connecting)
    page.observed(.connected(0.3), at: now)
    page.observed(.received(50), at: now)
    page.answered("b.example", status: 200, at: Bench.start)
    #expect(book.exchanges[7]?.host == "b.example")
    #expect(book.answers["b.example"]?.latency == nil)
    #expect(book.latency?.median == 0.3)
    #expect(abs((book.latency?.queueing ?? 0) - 0.1) < 1e-9)
    #expect(book.close(7) == 150)
    #expect(book.exchanges.isEmpty)
    for number in 0..<1_000 {
      page.answered("h\(number)", status: 200, at: Bench.start + Double(number))
    }
    #expect(book.answers.count <= 4 * SyncTelemetry.hostLimit)
    #expect(book.answers["h999"] != nil)
  }
}
