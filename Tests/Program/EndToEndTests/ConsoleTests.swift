@Suite("The progress of a sync", .enabled(if: TmuxRobot.isAvailable), .ownThreads)
final class ConsoleTests: OnlineSuite {
  /// Serves two feeds of a host that answers and four of one that never does.
  private func slow(_ fixture: CommandFixture) throws -> Origin {
    let origin = try Origin()
    for number in 1...2 { origin.on("/good\(number)", .answer(Feeds.rss("Good \(number)", ["A"]))) }
    for number in 1...4 { origin.on("/hangs\(number)", .hang) }
    let good = ["good1", "good2"].map { (name: $0, url: origin.url("/\($0)")) }
    let hanging = ["hangs1", "hangs2", "hangs3", "hangs4"].map {
      (name: $0, url: "http://localhost:\(origin.port)/\($0)")
    }
    let opml = Feeds.opml(good + hanging)
    #expect(try fixture.weir("import", "-", input: opml).code == 0)
    return origin
  }

  @Test("The console shows running and waiting work, and pauses, stops and reorders it")
  func console() throws {
    let fixture = try CommandFixture()
    let origin = try slow(fixture)
    try fixture.file(".config/weir/config.toml", "[sync]\nautomatic = false\n")
    let robot = try fixture.reader(columns: 100, rows: 30)
    try robot.waitFor("hangs1").type("R").type("S")
    try robot.waitFor("Running 2").waitFor("awaiting answer").waitFor("Waiting 2")
    try robot.waitFor("2 feeds wait for busy servers")

    try robot.keys("Tab").waitFor("server is busy")
    try robot.type("p").waitFor("⏸ paused").waitFor("2 feeds wait until you resume")
    try robot.type("p").waitFor("Resumed")
    try robot.type("D").waitFor("All that wait").keys("Down").keys("Enter").waitFor(
      "Stopped 2 feeds"
    ).waitFor("Waiting 0")
    try robot.type("h").type("D").waitFor("Stopped hangs").waitFor("Running 1")
    try robot.type("D").waitFor("idle").waitFor("Next ")
    try robot.type("??").waitFor("Refresh this").type("q").waitFor("idle")
    try robot.type("q").waitFor("Today").type("Q")
    #expect(try robot.waitForExit() == 0)

    let asked = origin.log.map(\.path)
    #expect(asked.filter { $0.hasPrefix("/good") }.count == 2)
    #expect(asked.filter { $0.hasPrefix("/hangs") }.count == 2)
    #expect(try fixture.weir("articles", "--json").objects().count == 2)
  }

  @Test("sync shows the work of a running reader, and reports that it is paused there")
  func showsOtherProcess() throws {
    for number in 1...3 {
      origin.on("/\(number)", Reply.answer(Feeds.rss("F\(number)", ["A"])).after(0.2))
      try fixture.weir("add", "--unchecked", origin.url("/\(number)"))
    }
    try fixture.file(".config/weir/config.toml", "[sync]\nautomatic = false\n")
    let robot = try fixture.reader()
    try robot.waitFor("Today")
    let sync = try fixture.weir("sync", "--all")
    #expect(sync.code == 0)
    #expect(sync.output.contains("3 feeds, 3 new articles"))
    #expect(origin.log.count == 3)

    try robot.type("S").waitFor("idle").type("p").waitFor("⏸ paused")
    let paused = try fixture.weir("sync", "--all")
    #expect(paused.code == 1)
    #expect(paused.errors.contains("paused in an open reader"))
    #expect(origin.log.count == 3)
    try robot.type("p").waitFor("Resumed")
      .waitUntil("all three were asked for again") { origin.log.count == 6 }
      .waitFor("3 feeds at")
    #expect(try robot.type("Q").waitForExit() == 0)
  }

  @Test("The progress line never wraps and leaves nothing behind at any window size")
  func progress() throws {
    let isPaused = Shared(true)
    for number in 1...4 {
      origin.on("/\(number)") { _ in
        if isPaused.value { usleep(200_000) }
        return .answer(Feeds.rss("F\(number)", ["A"]))
      }
    }
    origin.on("/slow") { _ in
      while isPaused.value { usleep(20_000) }
      return .answer(Feeds.rss("Slow", ["A"]))
    }
    for name in ["1", "2", "3", "4", "slow"] {
      try fixture.weir("add", "--unchecked", origin.url("/\(name)"))
    }
    let robot = try TmuxRobot(columns: 90, rows: 12)
    try robot.start([CommandFixture.program, "sync"], environment: fixture.windowEnvironment)
    // A line that changes while the window does leaves a piece behind; this one rests from now on.
    try robot.waitFor("4/5").waitUntil("the rate is zero") {
      try !robot.screen().contains { $0.contains("B/s") }
    }
    for columns in [50, 24, 70, 12, 90] {
      try robot.resize(columns: columns, rows: 12)
      try robot.waitUntil("one line at \(columns)") {
        let lines = try robot.screen().filter { !$0.isEmpty }
        return lines.count == 1 && lines[0].contains("4/5") && lines[0].count < columns
      }
    }
    isPaused.value = false
    #expect(try robot.waitForExit() == 0)
    let lines = try robot.screen().filter { !$0.isEmpty }
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("5 feeds, 5 new articles") == true)
  }

  @Test("A terminal that cannot move the cursor back gets lines without escape sequences")
  func dumb() throws {
    for number in 1...6 {
      origin.on("/\(number)", Reply.answer(Feeds.rss("F\(number)", ["A"])).after(0.3))
      try fixture.weir("add", "--unchecked", origin.url("/\(number)"))
    }
    var environment = fixture.windowEnvironment
    environment["TERM"] = "dumb"
    let robot = try TmuxRobot(columns: 80, rows: 20)
    try robot.start([CommandFixture.program, "sync"], environment: environment)
    #expect(try robot.waitForExit() == 0)
    // A busy machine opens the database so late that the command says it.
    let lines = try robot.screen().filter { !$0.isEmpty && $0 != "Opening the database" }
    #expect(lines.last?.hasPrefix("6 feeds, 6 new articles") == true)
    #expect(lines.dropLast().allSatisfy { $0.contains("/6") && !$0.contains("█") }, "\(lines)")
    #expect(lines.count > 1)
  }
}
