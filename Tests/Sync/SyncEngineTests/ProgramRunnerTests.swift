@testable import Programs
@testable import SyncEngine

/// A temporary folder for programs.
private final class Programs {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "weir programs \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a program with this shell script, which receives its arguments like any program.
  func program(_ name: String, _ script: String) throws -> String {
    try Spawn.program(at: folder.appending(path: name).path, script)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }
}

@Suite("Running programs") struct ProgramRunnerTests {
  /// Runs the program on its own thread, as in the engine.
  private func run(
    _ words: [String], input: [UInt8] = [], isCancelled: Bool = false,
    _ runner: ProgramRunner = ProgramRunner(timeout: .seconds(Patience.seconds))
  ) async -> Result<String, ProgramRunner.Failure> {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(ProgramRunner.Failure) {
          let bytes = try runner.run(words, input: input, isCancelled: { isCancelled })
          continuation.resume(returning: .success(String(decoding: bytes, as: UTF8.self)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }

  @Test("Arguments arrive byte for byte, and no shell interprets them")
  func noShellReadsArguments() async throws {
    let programs = try Programs()
    let canary = programs.folder.appending(path: "canary").path
    let words = [
      "$(touch '\(canary)')", "`touch '\(canary)'`", "; touch '\(canary)'", "| touch '\(canary)'",
      "&& touch '\(canary)'", "> '\(canary)'", "$HOME", "*", "-rf", "", "a b", "\"q\"", "\\", "é",
    ]
    let echo = try programs.program("echo words", "for w in \"$@\"; do printf '%s\\n' \"$w\"; done")
    #expect(await run([echo] + words) == .success(words.joined(separator: "\n") + "\n"))
    #expect(!programs.exists("canary"))
  }

  @Test("A program inherits neither open files nor the working directory")
  func programInheritsNothing() async throws {
    let programs = try Programs()
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    let look = try programs.program("look", "pwd; ls /proc/self/fd | wc -l")
    // Input, output, errors, and the folder that is being listed.
    #expect(
      await run([look]).map {
        $0.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      }
        == .success(["/", "4"]))
  }

  @Test("A program gets its input and need not read it") func programGetsInput() async throws {
    let big = [UInt8](repeating: 0x61, count: 3 << 20)
    #expect(await run(["cat"], input: big).map(\.utf8.count) == .success(big.count))
    #expect(await run(["true"], input: big) == .success(""))
  }

  @Test("Each kind of failure is reported") func failuresAreNamed() async throws {
    #expect(
      await run(["/no/such/program"])
        == .failure(.cannotStart(reason: .error("No such file or directory"))))
    #expect(await run(["sh", "-c", "exit 3"]) == .failure(.exited(code: 3)))
    #expect(await run(["sh", "-c", "kill -9 $$"]) == .failure(.ended(signal: 9)))
    #expect(
      await run(["yes"], ProgramRunner(timeout: .seconds(Patience.seconds), outputLimit: 1 << 20))
        == .failure(.tooMuch(bytes: 1 << 20)))
  }

  @Test("When its time is over, a program's whole process group is killed")
  func processGroupIsKilled() async throws {
    let programs = try Programs()
    let mark = programs.folder.appending(path: "child").path
    let start = try programs.program("start", "(echo $$ > '\(mark)'; sleep 600) & sleep 600")
    var (limit, child) = (Duration.milliseconds(250), pid_t?.none)
    // A busy machine may need more time until the program runs.
    while child == nil, limit < .seconds(Patience.seconds) {
      limit *= 2
      #expect(
        await run([start], ProgramRunner(timeout: limit)) == .failure(.tookTooLong(limit: limit)))
      child = (try? String(contentsOfFile: mark, encoding: .utf8)).flatMap { text in
        pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    let group = try #require(child)
    // A killed process disappears when its new parent has reaped it.
    let end = Patience.end
    while kill(-group, 0) == 0, ContinuousClock.now < end { usleep(2_000) }
    #expect(kill(-group, 0) != 0)
  }

  @Test("A run does not wait for processes that a program leaves behind")
  func orphansAreNotAwaited() async throws {
    #expect(await run(["sh", "-c", "sleep 600 & echo done"]) == .success("done\n"))
  }

  @Test("Cancelling a run ends the program") func cancellingEndsIt() async {
    #expect(await run(["sleep", "600"], isCancelled: true) == .failure(.cancelled))
  }
}

@Suite("Feeds of programs and files", .timeLimit(.minutes(120)))
final class OwnFeedTests: EngineSuite {
  private func quoted(_ path: String) -> String { "'\(path)'" }

  private func subscribe(_ fixture: EngineFixture, _ url: String) async throws -> FeedID {
    try await fixture.feeds.subscribe(url: url, title: nil, folder: nil, mayBeOwn: true)
  }

  @Test("A program's output is a feed, and equal output adds nothing")
  func equalOutputAddsNothing() async throws {
    let programs = try Programs()
    let print = try programs.program("print", "cat <<'X'\n\(rss("Own"))\nX")
    let feed = try await subscribe(fixture, "exec:\(quoted(print)) --folder 'To read'")
    let controller = fixture.controller()
    let first = await controller.runUntilIdle()
    #expect(first.newArticles == 3)
    #expect(try fixture.feeds.feed(feed)?.name == "Own")
    fixture.manual.advance(by: .seconds(7 * 86_400))
    let second = await controller.runUntilIdle()
    #expect(second.unchanged == 1)
    #expect(second.newArticles == 0)
    #expect(fixture.web.log.isEmpty)
    // Its output is no measurement of the network.
    #expect(try fixture.requests.syncStatus().quality == nil)
  }

  @Test("A filter receives the page and does not run if the page is unchanged")
  func filterSkipsSamePage() async throws {
    let programs = try Programs()
    let page = "http://a.example/news"
    fixture.web.on(page) { request in
      request.header("If-None-Match") == "\"1\""
        ? .status(304) : .reply(200, [("ETag", "\"1\"")], rss("Page"))
    }
    let runs = programs.folder.appending(path: "runs").path
    let filter = try programs.program("filter", "echo x >> '\(runs)'; sed s/Page/Filtered/g")
    let feed = try await subscribe(fixture, "filter:\(quoted(filter)):\(page)")
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    #expect(try fixture.feeds.feed(feed)?.name == "Filtered")
    fixture.manual.advance(by: .seconds(7 * 86_400))
    #expect(await controller.runUntilIdle().unchanged == 1)
    #expect(fixture.web.log.count == 2)
    #expect(try String(contentsOfFile: runs, encoding: .utf8) == "x\n")
  }

  @Test("A program that the user did not allow on this machine is not run")
  func notAllowed() async throws {
    let programs = try Programs()
    let canary = programs.folder.appending(path: "canary").path
    let urls = [
      "exec:touch \(quoted(canary))", "filter:touch \(quoted(canary)):http://a.example/page",
    ]
    fixture.web.onAnythingElse { _ in .reply(200, [], rss("Page")) }
    var feeds: [FeedID] = []
    for url in urls { feeds.append(try await subscribe(fixture, url)) }
    // The state of a database that was made on another machine.
    try FileManager.default.removeItem(atPath: fixture.directory + "/programs.json")
    _ = await fixture.controller().runUntilIdle()
    #expect(!programs.exists("canary") && fixture.web.log.isEmpty)
    for (feed, url) in zip(feeds, urls) {
      let failure = try #require(try fixture.state(feed)?.failure)
      #expect(failure.kind == .programFailed)
      #expect(FailureDetail(code: failure.detail ?? "") == .notAllowed(url))
    }
  }

  @Test("A file is read as a feed, and a folder or a missing file is a failure")
  func aFileIsRead() async throws {
    let programs = try Programs()
    let path = programs.folder.appending(path: "a feed.xml").path
    try Data(rss("File").utf8).write(to: URL(filePath: path))
    let feed = try await subscribe(fixture, "file://\(path)")
    let folder = try await subscribe(fixture, "file://\(programs.folder.path)")
    let missing = try await subscribe(fixture, "file:///no/such/file")
    _ = await fixture.controller().runUntilIdle()
    #expect(try fixture.feeds.feed(feed)?.name == "File")
    #expect(try fixture.state(folder)?.failure?.kind == .unreadableFile)
    #expect(try fixture.state(missing)?.failure?.detail == "No such file or directory")
  }

  @Test("Local sources are read while the network is offline")
  func localFeedsRunOffline() async throws {
    let programs = try Programs()
    let path = programs.folder.appending(path: "feed.xml").path
    try Data(rss("Own").utf8).write(to: URL(filePath: path))
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    try await fixture.subscribe((1...4).map { "http://h\($0).example/" })
    let controller = fixture.startedController()
    try await expectEventually {
      fixture.manual.advanceToNextDeadline()
      return try fixture.requests.syncStatus().quality == .offline
    }
    let feeds = [
      try await subscribe(fixture, "file://\(path)"),
      try await subscribe(fixture, "exec:cat \(quoted(path))"),
    ]
    try await expectEventually {
      fixture.manual.advanceToNextDeadline()
      return try feeds.allSatisfy { try fixture.feeds.feed($0)?.name == "Own" }
    }
    #expect(try fixture.requests.syncStatus().quality == .offline)
    await controller.end()
  }

  @Test("A run that is offline reads all local sources") func offlineRunReadsLocal() async throws {
    let programs = try Programs()
    let path = programs.folder.appending(path: "feed.xml").path
    try Data(rss("Own").utf8).write(to: URL(filePath: path))
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    try await fixture.subscribe((1...4).map { "http://h\($0).example/" })
    var feeds: [FeedID] = []
    for number in 1...8 {
      feeds.append(try await subscribe(fixture, "exec:cat \(quoted(path)) /dev/null/\(number)"))
    }
    let summary = await fixture.runWithTime(fixture.controller())
    #expect(summary.isOffline)
    #expect(summary.done == 8)
    for feed in feeds { #expect(try fixture.state(feed)?.failure?.kind == .programFailed) }
  }

  @Test("A slow program does not count as silence of the network")
  func slowProgramIsNotSilence() async throws {
    let programs = try Programs()
    let place = { (name: String) in programs.folder.appending(path: name).path }
    try Data(rss("Own").utf8).write(to: URL(filePath: place("feed.xml")))
    let slow = try programs.program(
      "slow",
      """
      touch '\(place("started"))'
      while [ ! -e '\(place("go"))' ]; do sleep 0.02; done
      cat '\(place("feed.xml"))'
      """)
    fixture.web.onAnythingElse { .feed(rss($0.url)) }
    let web = try await fixture.subscribe("http://a.example/")[0]
    let controller = fixture.startedController()
    try await expectEventually { try fixture.state(web)?.checkedAt != nil }
    fixture.web.forget()
    let feed = try await subscribe(fixture, "exec:\(quoted(slow))")
    try await expectEventually {
      fixture.manual.advanceToNextDeadline()
      return programs.exists("started")
    }
    let end = fixture.now + 30
    try await expectEventually {
      fixture.manual.advanceToNextDeadline()
      return fixture.now > end
    }
    #expect(fixture.web.log.isEmpty)
    _ = FileManager.default.createFile(atPath: place("go"), contents: nil)
    try await expectEventually { try fixture.feeds.feed(feed)?.name == "Own" }
    await controller.end()
  }

  @Test("A program that fails is a failure of its feed")
  func programFailureIsStored() async throws {
    let feed = try await subscribe(fixture, "exec:sh -c 'exit 7'")
    _ = await fixture.controller().runUntilIdle()
    let failure = try #require(try fixture.state(feed)?.failure)
    #expect(failure.kind == .programFailed)
    #expect(failure.detail == "exit-code:7")
  }

  @Test("No page, feed, redirect or list can cause a program to run")
  func outsideRunsNoProgram() async throws {
    let programs = try Programs()
    let canary = programs.folder.appending(path: "canary").path
    let order = "exec:touch '\(canary)'"
    let escaped = order.replacingOccurrences(of: "'", with: "&apos;")
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(escaped)\">"
    fixture.web.on("http://page.example/", .page("<html><head>\(link)</head><body/></html>"))
    for status in [301, 302, 308] {
      fixture.web.on("http://r\(status).example/", .status(status, [("Location", order)]))
    }
    fixture.web.on("http://feed.example/", .feed(rss("F", extra: "<link>\(escaped)</link>")))
    try await fixture.subscribe(
      [order, "filter:touch '\(canary)':http://feed.example/", "http://page.example/"]
        + [301, 302, 308].map { "http://r\($0).example/" } + ["http://feed.example/"])
    _ = try await fixture.requests.requestDiscovery(url: order)
    _ = try await fixture.requests.requestDiscovery(url: "http://page.example/")
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    fixture.manual.advance(by: .seconds(2 * 86_400))
    _ = await controller.runUntilIdle()
    #expect(!programs.exists("canary"))
    #expect(
      try fixture.feeds.subscriptions().feeds.allSatisfy {
        !LocalSource.claims($0.url)
      })
  }
}

@Suite("Settings of feeds") final class FeedSettingsTests: EngineSuite {
  @Test("A password program runs once, and its first line is sent to its origin only")
  func passwordProgramRunsOnce() async throws {
    let programs = try Programs()
    let runs = programs.folder.appending(path: "runs").path
    let pass = try programs.program("pass", "echo x >> '\(runs)'; echo s3cret; echo more")
    fixture.web.onAnythingElse { request in
      request.url.contains("moved")
        ? .status(302, [("Location", "http://elsewhere.example/")]) : .feed(rss(request.url))
    }
    try await fixture.subscribe("http://a.example/1", "http://a.example/moved", "http://b.example/")
    let controller = fixture.controller {
      $0.settings = { url in
        guard url.hasPrefix("http://a.example/") else { return FeedSettings() }
        return FeedSettings(
          userAgent: "Other/1", proxy: .none, user: "me", password: .command([pass]))
      }
    }
    _ = await controller.runUntilIdle()
    #expect(try String(contentsOfFile: runs, encoding: .utf8) == "x\n")
    for request in fixture.web.log {
      let isOurs = request.url.hasPrefix("http://a.example/")
      #expect(
        request.identity.credentials
          == (isOurs ? Credentials(user: "me", password: "s3cret") : nil))
    }
    #expect(fixture.web.requests(to: "http://elsewhere.example/").count == 1)
    #expect(fixture.web.requests(to: "http://a.example/1").first?.identity.userAgent == "Other/1")
  }

  @Test("A password program that fails is the feed's failure, and no request is sent")
  func passwordProgramFails() async throws {
    fixture.serve()
    let feed = try await fixture.subscribe("http://a.example/")[0]
    _ = await fixture.controller {
      $0.settings = { _ in FeedSettings(user: "me", password: .command(["false"])) }
    }.runUntilIdle()
    #expect(fixture.web.log.isEmpty)
    #expect(try fixture.state(feed)?.failure?.detail == "password-command:exit-code:1")
  }

  @Test("Validators are used only for the user who received them")
  func validatorsStayWithUser() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A"), [("ETag", "\"1\"")]))
    try await fixture.subscribe("http://a.example/")
    for user in ["me", "me", "you"] {
      _ = await fixture.controller {
        $0.settings = { _ in FeedSettings(user: user, password: .text("x")) }
      }.runUntilIdle()
      fixture.manual.advance(by: .seconds(7 * 86_400))
    }
    #expect(fixture.web.log.map { $0.header("If-None-Match") } == [nil, "\"1\"", nil])
  }
}
