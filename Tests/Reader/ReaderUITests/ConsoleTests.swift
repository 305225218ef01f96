@testable import ReaderUI
@testable import TerminalViews

@Suite("The sync console") struct ConsoleTests {
  @Test("The console looks as recorded", arguments: [(80, 24), (140, 40), (40, 10)])
  func consoleLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .busy(), width: width, height: height)
    try await robot.press("S").matches("console-running-\(width)x\(height)")
    try await robot.press("Tab").matches("console-waiting-\(width)x\(height)")
    try await robot.press("Tab", "j").matches("console-failed-\(width)x\(height)")
    try await robot.press("Tab").matches("console-hosts-\(width)x\(height)")
  }

  @Test("The list of problems looks as recorded", arguments: [(80, 24), (140, 40), (40, 10)])
  func problemsLookAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .busy(), width: width, height: height)
    try await robot.press("!", "j").matches("problems-many-\(width)x\(height)")
  }

  @Test(
    "An idle console shows the next checks and looks as recorded",
    arguments: [(80, 24), (140, 40), (40, 10)])
  func idleConsoleShowsNext(width: Int, height: Int) async throws {
    let cache = try await TestCache.daily()
    let planned: [(String, [CheckReason], Double)] = [
      ("LWN", [.freshFor(3_600), .articlesPerDay(6)], 1),
      ("Rachel", [.interval(120), .articlesPerDay(1)], 2), ("Old Gazette", [.failed(4)], 8),
    ]
    for (name, reasons, hours) in planned {
      let feed = try #require(try cache.feeds.subscriptions().feeds.first { $0.name == name })
      let now = cache.clock.now
      _ = try await cache.store.engine.fetches.merge([
        RefreshResult(
          feed: feed.id, at: now, outcome: .unchanged, nextCheckAt: now + hours * 3_600,
          nextCheckReasons: reasons)
      ])
    }
    let robot = await Robot(cache, width: width, height: height)
    try await robot.press("S").matches("console-idle-\(width)x\(height)")
  }

  @Test("A feed whose host requested a pause is not counted as failed")
  func pausedHost() async throws {
    let cache = try TestCache()
    for name in ["Broken", "Slowed"] {
      let feed = try await cache.feed(name, [.item("From \(name)", minutes: 5)])
      try await cache.fail(
        feed, name == "Broken" ? .httpStatus : .rateLimited, status: name == "Broken" ? 500 : 429)
    }
    let robot = await Robot(cache, width: 140)
    await robot.press("S").sees("Failed 1 ")
    await robot.press("q", "!").sees("1 feed \u{B7} 1 waiting")
  }

  @Test("Telemetry is requested only while the console is open")
  func telemetryOnlyWhileOpen() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    await robot.press("S")
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    await robot.press("?")
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    await robot.press("q")
    #expect(robot.topBar.contains("Sync"))
    await robot.press("q")
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    // Telemetry for another process's console draws nothing here.
    let count = robot.terminal.presentCount
    try await cache.store.engine.requests.setTelemetry(SyncTelemetry(at: cache.clock.now + 1))
    await robot.waitUntilIdle()
    #expect(robot.terminal.presentCount == count)
  }

  @Test("A request for the open console shows it again instead of opening a second one")
  func openConsoleIsReused() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "S", "!", "q")
    #expect(robot.topBar.contains("Sync"))
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    await robot.press("!", "S")
    #expect(robot.topBar.contains("Sync"))
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    await robot.press("q")
    #expect(robot.application.browser.sheet == nil)
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
  }

  @Test("A row that ends does not move the selection, unless it was the selected one")
  func endedRowMovesNothing() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "j", "j")
    let told = try cache.store.reader.requests.telemetry()
    let name = told.operations[2].name
    robot.selects(name)
    var next = told
    next.operations.removeFirst()
    try await cache.store.engine.requests.setTelemetry(next)
    await robot.waitUntilIdle()
    robot.selects(name)
    next.operations.remove(at: 1)
    try await cache.store.engine.requests.setTelemetry(next)
    await robot.waitUntilIdle()
    robot.selects(told.operations[3].name)
  }

  @Test("p pauses and resumes the sync")
  func pauseKeyTogglesSync() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "p")
    #expect(try cache.store.reader.requests.syncPauses().map(\.scope) == [.everything])
    robot.sees("Paused: running refreshes finish", "⏸ paused")
    await robot.press("j").press("p")
    #expect(try cache.store.reader.requests.syncPauses().isEmpty)
    robot.sees("Resumed").doesNotSee("⏸")
  }

  @Test("A paused host stays in the list of hosts")
  func pausedHostStaysListed() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "h", "p")
    #expect(try cache.store.reader.requests.syncPauses().map(\.scope) == [.host("lwn.example")])
    robot.sees("lwn.example is paused")
    var told = try cache.store.reader.requests.telemetry()
    told.hosts = []
    try await cache.store.engine.requests.setTelemetry(told)
    await robot.waitUntilIdle().selects("lwn.example").sees("paused")
    await robot.press("p")
    #expect(try cache.store.reader.requests.syncPauses().isEmpty)
  }

  @Test("D stops a refresh or all that wait, and r moves one to the front")
  func stopBoostAndStopAll() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "D")
    let told = try cache.store.reader.requests.telemetry()
    let first = try #require(told.operations[0].key.feed)
    let waiting = try #require(told.operations[6].key.feed)
    #expect(try cache.store.engine.requests.cancellations() == [.feed(first)])
    robot.sees("Stopped \(told.operations[0].name)")
    await robot.press("Tab", "r")
    #expect(
      try cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture).map(\.scope)
        == [
          .feed(waiting)
        ])
    await robot.press("D").sees("This one", "All that wait").press("Down", "Enter")
    #expect(try cache.store.engine.requests.cancellations().contains(.waiting))
    robot.sees("Stopped 782 feeds that were waiting")
  }

  @Test("A paused feed is stopped, and can be resumed in the list of feeds")
  func pausedFeedIsResumed() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("G", ":pause").sees("is paused; u resumes")
    let paused = try #require(try cache.feeds.subscriptions().feeds.first(where: \.isPaused))
    #expect(try cache.store.engine.requests.cancellations() == [.feed(paused.id)])
    await robot.press(":pause")
    robot.selects(paused.name)
    #expect(try cache.store.reader.feeds.feed(paused.id)?.isPaused == false)
    await robot.press("u").sees("Undone: change to \u{201C}\(paused.name)\u{201D}")
    #expect(try cache.store.reader.feeds.feed(paused.id)?.isPaused == true)
  }

  @Test("r retries a failed feed, and R all of them")
  func whatFailedIsTriedAgain() async throws {
    let (cache, robot) = try await Robot.reading(.busy())
    await robot.press("S", "Tab", "Tab", "r")
    #expect(try cache.requests.refreshRequests(finishedSince: .distantFuture).count == 1)
    await robot.press("R")
    let requests = try cache.store.reader.requests.refreshRequests(finishedSince: .distantFuture)
    #expect(requests.map(\.total) == [1, 5])
    await robot.press("Enter").doesNotSee("Running")
  }

  @Test("The mouse selects lists and rows")
  func mouseSelectsRows() async throws {
    let robot = await Robot(try await .busy())
    await robot.press("S")
    let tabs = try #require(
      robot.lines.firstIndex { $0.contains("Running") && $0.contains("Servers") })
    let x = try #require(robot.lines[tabs].distance(to: "Failed"))
    await robot.key(.mouse(MouseEvent(.press, x: x, y: tabs)))
    robot.sees("answered 503")
    await robot.key(.mouse(MouseEvent(.press, x: 4, y: tabs + 3)))
    #expect(robot.selection == robot.lines[tabs + 3])
  }

  @Test("The wheel scrolls the list under the pointer")
  func wheelScrollsUnderPointer() async throws {
    let cache = try await TestCache.busy()
    var told = try cache.store.reader.requests.telemetry()
    told.hosts = (10...60).map { HostTelemetry(host: "host\($0).example") }
    try await cache.store.engine.requests.setTelemetry(told)
    let robot = await Robot(cache, width: 140, height: 40)
    await robot.press("S", "j")
    let console = try #require(robot.application.browser.sheet as? ConsoleScreen)
    let y = try #require(robot.lines.firstIndex { $0.contains("▎") })
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 120, y: y)))
    #expect(console.model.lists[.hosts]?.top == 3)
    #expect(console.model.section == .running)
    robot.selects(told.operations[1].name)
    // All running operations are in view, so the wheel neither scrolls nor selects.
    await robot.key(.mouse(MouseEvent(.wheelDown, x: 10, y: y)))
    robot.selects(told.operations[1].name)
    await robot.key(.mouse(MouseEvent(.wheelUp, x: 120, y: y)))
    #expect(console.model.lists[.hosts]?.top == 0)
  }

  @Test("The concurrency limit is shown over time, with the operations in flight beside it")
  func limitIsShownOverTime() async throws {
    let robot = await Robot(try await .busy())
    await robot.press("S")
    // The limit rose from 8 to 9 while the console was open.
    let line = try #require(robot.lines.first { $0.hasPrefix(" limit") })
    #expect(line.contains("         9 ") && line.contains("▇█") && !line.contains("▁"))
    await robot.resize(140, 40)
    robot.sees("8 in use, at most 128").doesNotSee("in flight 8")
  }

  @Test("The sync of an account cannot be stopped in the console")
  func accountSyncIsNotStopped() async throws {
    let cache = try await TestCache.accounts(busy: false)
    let account = try #require(try cache.store.reader.accounts.all().first)
    try await cache.publish(
      SyncTelemetry(
        at: TestCache.start,
        operations: [
          OperationStatus(
            key: OperationKey(kind: .pull, row: account.id.rawValue), name: account.title,
            host: "rss.example.org", priority: .userInitiated,
            state: .running(.receiving), since: TestCache.start)
        ]))
    let robot = await Robot(cache)
    await robot.press("S").sees("Account FreshRSS")
    #expect(robot.statusLine.contains("pause") && !robot.statusLine.contains("stop"))
    await robot.press("D").sees("An account\u{2019}s sync can\u{2019}t be stopped")
  }

  @Test("The console draws in windows of any size")
  func consoleFitsAnyWindow() async throws {
    let robot = await Robot(try await .busy())
    await robot.press("S")
    for (width, height) in [
      (1, 1), (20, 4), (21, 5), (33, 7), (59, 12), (97, 21), (131, 9), (220, 60),
    ] {
      await robot.resize(width, height)
      for key in ["Tab", "Tab", "Tab", "Tab", "G", "!", "q"] { await robot.press(key) }
    }
    #expect(robot.topBar.contains("Sync"))
  }

  @Test("A sparkline draws its samples to scale, with gaps where there are none")
  func sparklineIsToScale() {
    let start = TestCache.start
    let samples = [0.0, 0.5, 1, 3].map {
      NetworkSample(at: start + $0, rate: $0 * 100, limit: 1, inFlight: 1, waiting: 0)
    }
    let values = Sparkline.seconds(samples, columns: 6) { $0.rate }
    #expect(values == [nil, nil, 25, 100, nil, 300])
    let canvas = Canvas(size: Size(width: 6, height: 2), theme: .mono)
    Sparkline([nil, 0, 0.001, 50, 75, 100], minimum: 1).draw(
      on: canvas, x: 0, y: 0, columns: 6, rows: 2)
    let text = VirtualTerminal(size: Size(width: 6, height: 2))
    text.present(canvas.surface)
    #expect(text.text.split(separator: "\n").map(String.init) == ["    ▄█", " ▁▁███"])
  }

  @Test("A list whose rows change keeps its selection on the same line")
  func selectionStaysOnLine() {
    struct Row: Identifiable { let id: Int }
    let canvas = Canvas(size: Size(width: 20, height: 10), theme: .mono)
    var list = RowList((0..<100).map(Row.init))
    list.select(50)
    list.draw(on: canvas) { _, _ in }
    let offset = list.selectedIndex - list.top
    list.update((-20..<100).map(Row.init))
    list.draw(on: canvas) { _, _ in }
    #expect(list.selected?.id == 50)
    #expect(list.selectedIndex - list.top == offset)
    list.update((60..<100).map(Row.init))
    #expect(list.selected?.id == 60)
    list.update([])
    list.draw(on: canvas) { _, _ in }
    #expect(list.selected == nil)
    list.update([Row(id: 7)])
    #expect(list.selected?.id == 7)
  }
}

extension String {
  /// Returns the number of columns before a text.
  fileprivate func distance(to text: String) -> Int? {
    range(of: text).map { GraphemeWidth.width(of: String(self[..<$0.lowerBound])) }
  }
}
