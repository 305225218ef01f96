@Suite("Watching the cache", .ownThreads) final class WatchTests: OnlineSuite {
  /// Waits until `isThere` accepts the lines that a watcher printed.
  private func lines(
    of running: CommandFixture.Running, within seconds: Double = Patience.seconds,
    until isThere: ([[String: Any]]) -> Bool
  ) throws -> [[String: Any]] {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var lines: [[String: Any]] = []
    repeat {
      lines = try running.outputSoFar().split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      if isThere(lines) { return lines }
      usleep(5_000)
    } while ContinuousClock.now < deadline
    return lines
  }

  /// Starts a watcher, and waits until it listens.
  private func listening() throws -> CommandFixture.Running {
    let watcher = try fixture.start(["watch", "--json"])
    var number = 0
    while number < 200, try lines(of: watcher, within: 0, until: { !$0.isEmpty }).isEmpty {
      number += 1
      try fixture.weir("add", "--unchecked", "https://example.org/\(number)")
    }
    return watcher
  }

  private func events(_ lines: [[String: Any]]) -> [String] {
    lines.compactMap { $0["event"] as? String }
  }

  @Test("Changes of other processes are printed as JSON, and Ctrl-C ends the watcher")
  func watch() throws {
    origin.on("/feed", .answer(Feeds.rss("Daily", ["B \u{1B}[31m", "A"])))
    let watcher = try listening()
    #expect(try fixture.weir("add", "--unchecked", origin.url("/feed")).code == 0)
    #expect(try fixture.weir("sync", "/feed", "--quiet").code == 0)
    let arrived = try lines(of: watcher) { events($0).filter { $0 == "arrived" }.count == 2 }
    let ids = arrived.filter { $0["event"] as? String == "arrived" }.compactMap { $0["id"] as? Int }
    let feeds = try fixture.weir("feeds", "--json").output.suffix(600)
    let told = try watcher.outputSoFar().suffix(400)
    try #require(ids.count == 2, "\(told) \(feeds)")
    _ = try lines(of: watcher) { events($0).contains("sync") }

    #expect(try fixture.weir("mark", "starred", String(ids[0])).code == 0)
    let marked = try lines(of: watcher) { events($0).contains("marked") }
    let article = marked.last { $0["event"] as? String == "marked" }?["article"] as? [String: Any]
    #expect(article?["id"] as? Int == ids[0])
    #expect(article?["starred"] as? Bool == true)
    #expect(try fixture.weir("remove", "Daily").code == 0)
    _ = try lines(of: watcher) { events($0).contains("unsubscribed") }

    kill(watcher.process, SIGINT)
    let outcome = try watcher.outcome()
    #expect(outcome.code == 130)
    #expect(outcome.errors.isEmpty)
    #expect(!outcome.output.contains("\u{1B}"))
    let sequence = outcome.lines.compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["event"]
        as? String
    }.filter { $0 != "sync" }.drop { $0 == "subscribed" }
    #expect(sequence == ["arrived", "arrived", "marked", "unsubscribed"])
  }

  @Test("Marks at an account's server and the sync of the account are printed")
  func accounts() throws {
    let server = FakeAggregator(.freshRSS)
    server.addItems([1], feed: server.addFeed(origin.url("/planet"), title: "Planet"))
    server.serve(on: origin)
    try fixture.weir(
      "account", "add", "greader", origin.url("/api/greader.php"), "--user", FakeAggregator.user,
      input: FakeAggregator.password + "\n")
    try fixture.weir("account", "sync")
    let watcher = try listening()
    server.starred = [1]
    try fixture.weir("account", "sync")
    let told = try lines(of: watcher) { events($0).contains("synced") }
    let marked = told.last { $0["event"] as? String == "marked" }?["article"] as? [String: Any]
    #expect(marked?["starred"] as? Bool == true)
    #expect(told.last { $0["event"] as? String == "synced" }?["name"] as? String == "127.0.0.1")
    kill(watcher.process, SIGINT)
    #expect(try watcher.outcome().code == 130)
  }

  @Test("A watcher ends quietly when the reader of its output ends") func brokenPipe() throws {
    let fixture = try CommandFixture()
    try fixture.weir("add", "--unchecked", "https://example.org/1")
    let running = try fixture.start(
      ["/bin/sh", "-c", "\"$WEIR\" watch --json | head -n 1"],
      environment: ["WEIR": CommandFixture.program], isProgram: false)
    let deadline = Patience.end
    var number = 1
    var isOver = false
    while !isOver, ContinuousClock.now < deadline {
      number += 1
      try fixture.weir("add", "--unchecked", "https://example.org/\(number)")
      isOver = try running.outputSoFar().contains("subscribed") && number > 4
    }
    let outcome = try running.outcome()
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 1)
    #expect(outcome.errors.isEmpty)
  }
}
