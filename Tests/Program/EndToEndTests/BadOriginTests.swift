@Suite("Bad origins", .ownThreads, .countsFailures) struct BadOriginTests {
  @Test("A bad origin does not delay the feeds of other origins", arguments: BadReplies.all.indices)
  func others(index: Int) throws {
    let (name, reply) = BadReplies.all[index]
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    origin.on("/bad", reply)
    origin.on("/good") { .answer(Feeds.rss("Good \($0.target)", ["One"])) }
    // The bad feed is requested first.
    try fixture.weir("add", "--unchecked", origin.url("/bad"))
    let good = 30
    let list = Feeds.opml((1...good).map { ("", origin.url("/good\($0)", host: "127.0.1.\($0)")) })
    try fixture.weir("import", fixture.file("list.opml", list))
    let process = try Spawn.start(
      [CommandFixture.program, "sync", "--all"], environment: fixture.environment, terminal: nil,
      output: nil)
    let deadline = Patience.end
    var stored = 0
    while stored < good, ContinuousClock.now < deadline {
      usleep(50_000)
      guard origin.log.count > good else { continue }
      stored = try fixture.weir("articles", "--json").objects().count
    }
    #expect(stored == good, "\(name)")
    #expect(origin.log.contains { $0.path == "/bad" })
    #expect(Spawn.peakMemory(of: process) < 150 << 20 || CommandFixture.isInstrumented)
    kill(process, SIGINT)
    #expect(Spawn.wait(for: process) != nil)
  }

  /// The expected failure of each flood.
  private static let floods = [
    "endless headers": "sent headers that are too large",
    "endless cookies": "sent headers that are too large",
    "endless interim answers": "sent headers that are too large",
    "endless trailers": "sent headers that are too large",
    "endless chunks": "sent data without end",
    "endless chunk extensions": "sent data without end",
    "one chunk extension without end": "sent data without end",
  ]

  @Test("A flood ends a sync soon and is reported as what it was", arguments: floods.keys.sorted())
  func floodsEnd(name: String) throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let reply = try #require(BadReplies.all.first { $0.name == name }?.reply)
    origin.on("/bad", reply)
    origin.on("/good", .answer(Feeds.rss("Good", ["One"])))
    try fixture.weir("add", "--unchecked", origin.url("/bad"))
    try fixture.weir("add", "--unchecked", origin.url("/good", host: "127.0.1.1"))
    let sync = try fixture.weir("sync", "--all")
    #expect(sync.code == 0)
    #expect(sync.output.contains(Self.floods[name] ?? ""), "\(sync)")
  }

  /// Each case takes a minute.
  @Test(
    "A sync of good feeds and a slow one ends",
    .enabled(if: Soak.isLong), arguments: ["a byte in a millisecond", "a byte in 110 ms"])
  func ends(name: String) throws {
    let (fixture, origin) = try CommandFixture.online(address: "0.0.0.0")
    let reply = try #require(BadReplies.all.first { $0.name == name }?.reply)
    origin.on("/bad", reply)
    origin.on("/good") { .answer(Feeds.rss("Good \($0.target)", ["One"])) }
    try fixture.weir("add", "--unchecked", origin.url("/bad"))
    let list = Feeds.opml((1...30).map { ("", origin.url("/good\($0)", host: "127.0.1.\($0)")) })
    try fixture.weir("import", fixture.file("list.opml", list))
    let sync = try fixture.start(["sync", "--all"]).outcome()
    #expect(sync.code == 0)
    Soak.report("drip: \(name)", "31 feeds", sync.lines.first ?? "")
  }
}
