@testable import ReaderServices
@testable import ReaderUI

@Suite("Articles passed to programs") struct ProgramTaskTests {
  @Test("An article is piped to a program, with its metadata in the environment")
  func pipedArticleHasMetadata() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", ":send pipe").sees("Other program", "speak")
    await robot.type("wc -l").press("Enter")
    let task = try #require(robot.actions.tasks.first)
    #expect(task.program == .typed("wc -l"))
    #expect(task.address == nil)
    #expect(task.environment["WEIR_TITLE"] == "Why ETags are opaque")
    #expect(task.environment["WEIR_FEED"] == "Rachel")
    #expect(task.environment["WEIR_FEED_URL"] == "https://rachel.example/atom.xml")
    #expect(task.environment["WEIR_DATE"] == "2026-11-21T10:40:00Z")
    let text = try #require(task.input)
    #expect(text.hasPrefix("Why ETags are opaque\n"))
    #expect(text.contains("byte for byte") && text.contains("• Quotes are stripped"))
  }

  @Test("The address of an article is passed to a program as one argument")
  func theAddressIsOneArgument() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", "Enter", ":send program").type("speak").press("Enter")
    await robot.press(":send bookmark")
    #expect(robot.actions.tasks.map(\.program) == [.typed("speak"), .bookmark])
    #expect(
      robot.actions.tasks.allSatisfy { $0.address == "https://example.org/why-etags-are-opaque" })
    #expect(robot.actions.tasks.allSatisfy { $0.input == nil })
  }

  @Test("A configured program can be chosen, and its failure is reported")
  func chosenProgramMayFail() async throws {
    let robot = await Robot(try await .daily())
    await robot.press("Enter", ":send pipe", "Down", "Enter")
    #expect(robot.actions.tasks.map(\.program) == [.typed("speak")])
    // Keys act while the program runs; its result is reported when it ends.
    await robot.press("j").selects("A quieter terminal")
    robot.actions.ends[0](ActionFailure("speak ended with 3: no voice"))
    await robot.waitUntilIdle().sees("speak ended with 3: no voice")
    await robot.press("Esc", ":send pipe").type("missing").press("Enter")
    robot.sees("missing can\u{2019}t be started")
  }

  @Test("Without an article nothing is piped") func noArticleIsNotPiped() async throws {
    let robot = await Robot(try TestCache())
    await robot.press("Enter", ":send pipe").sees("is not possible here")
    #expect(robot.actions.tasks.isEmpty)
  }
}

@Suite("Notifications about arrivals") struct ArrivalNoticeTests {
  private func arrive(_ cache: TestCache, _ robot: Robot, _ title: String) async throws {
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(quality: .good, isRunning: true, total: 1))
    await robot.waitUntilIdle()
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.first)
    try await cache.merge(feed.id, feed.name, [.item(title, minutes: 0)])
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(quality: .good, done: 1, total: 1))
    await robot.waitUntilIdle()
  }

  @Test("Arrivals are reported once per pause") func arrivalsAreReportedOnce() async throws {
    let cache = try await TestCache.tiny()
    let robot = await Robot(
      cache, configuration: .test { ($0.notification, $0.notificationPause) = (["notify"], 300) })
    try await arrive(cache, robot, "Three")
    #expect(robot.actions.tasks.map(\.program) == [.notification])
    #expect(robot.actions.tasks[0].environment["WEIR_SUMMARY"] == "1 new article: Old")
    #expect(robot.actions.tasks[0].input == "Old: Three\n")
    try await arrive(cache, robot, "Four")
    #expect(robot.actions.tasks.count == 1)
    cache.clock.now += 301
    try await arrive(cache, robot, "Five")
    #expect(robot.actions.tasks.count == 2)
    #expect(robot.actions.tasks[1].environment["WEIR_NEW"] == "2")
  }

  @Test("A sync that ended before it was noticed is reported")
  func unseenSyncIsReported() async throws {
    let cache = try await TestCache.tiny()
    let robot = await Robot(
      cache, configuration: .test { ($0.notification, $0.notificationPause) = (["notify"], 0) })
    let feed = try #require(try cache.store.reader.feeds.subscriptions().feeds.first)
    try await cache.merge(feed.id, feed.name, [.item("Three", minutes: 0)])
    await robot.waitUntilIdle()
    #expect(robot.actions.tasks.map { $0.environment["WEIR_NEW"] } == ["1"])
  }

  @Test("Arrivals are not reported while the terminal has the focus")
  func whoLooksIsNotTold() async throws {
    let cache = try await TestCache.tiny()
    let robot = await Robot(
      cache, configuration: .test { ($0.notification, $0.notificationPause) = (["notify"], 0) })
    await robot.key(.focusIn)
    try await arrive(cache, robot, "Three")
    #expect(robot.actions.tasks.isEmpty)
    await robot.key(.focusOut)
    try await arrive(cache, robot, "Four")
    #expect(robot.actions.tasks.map { $0.environment["WEIR_NEW"] } == ["2"])
  }

  @Test("Without a notification program nothing is reported")
  func noProgramNoReport() async throws {
    let (cache, robot) = try await Robot.reading(.tiny())
    try await arrive(cache, robot, "Three")
    #expect(robot.actions.tasks.isEmpty)
  }

  @Test("With a single configured program, Enter runs it, and a typed command still runs")
  func onlyProgram() async throws {
    let robot = try await Robot(.daily())
    robot.actions.programNames = ["mpv"]
    await robot.press("Enter", ":send program").sees("mpv").press("Enter")
    #expect(robot.actions.tasks.map(\.program) == [.typed("mpv")])
    await robot.press(":send program").type("w3m -dump").press("Enter")
    #expect(robot.actions.tasks.map(\.program) == [.typed("mpv"), .typed("w3m -dump")])
    robot.actions.programNames = ["mpv", "speak"]
    await robot.press("g x")
    #expect(robot.lines.last { $0.contains("▎") }?.contains("that opens the address") == true)
    await robot.press("Esc")
    await robot.press(":open-with speak", ":pipe wc -l")
    #expect(robot.actions.tasks.suffix(2).map(\.program) == [.typed("speak"), .typed("wc -l")])
    await robot.press("g x")
    #expect(robot.lines.last { $0.contains("▎") }?.contains("that reads the text") == true)
  }
}
