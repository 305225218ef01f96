@Suite("Crashes and signals", .ownThreads) final class CrashTests: CommandSuite {
  @Test(
    "A fatal signal restores the terminal",
    arguments: [
      SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1,
      SIGUSR2, SIGTERM, SIGINT, SIGHUP,
    ])
  func signals(number: Int32) throws {
    let terminal = try PseudoTerminal(
      [CommandFixture.program, "--offline"], environment: Self.environment(fixture))
    _ = try #require(terminal.wait(for: "Starred", quiet: 0.3))
    #expect(!terminal.isCooked)
    #expect(TerminalStream(terminal.output).modes.isSuperset(of: [1049, 1000, 1006, 2004]))
    kill(terminal.process, number)
    let usage = try #require(terminal.waitForExit())
    terminal.waitUntilIdle(quiet: 0.05)
    let stream = TerminalStream(terminal.output)
    #expect(stream.isAtRest, "modes \(stream.modes) after signal \(number)")
    #expect(stream.faults.isEmpty)
    #expect(terminal.isCooked)
    // SIGINT ends it as SIGTERM does.
    #expect(usage.exitCode == 128 + (number == SIGINT ? SIGTERM : number))
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test(
    "A failed check, a stack overflow and an abort restore the terminal",
    arguments: [("F", [SIGILL, SIGTRAP]), ("S", [SIGSEGV, SIGBUS]), ("A", [SIGABRT])])
  func faults(key: String, signals: [Int32]) throws {
    let terminal = try PseudoTerminal([Self.probe], environment: Self.environment(fixture))
    _ = try #require(terminal.wait(for: "keys:", quiet: 0.3))
    terminal.send(key)
    let usage = try #require(terminal.waitForExit())
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(signals.map { 128 + $0 }.contains(usage.exitCode))
    let end = try #require(terminal.output.lastIndex(of: 0x18))
    let before = TerminalStream(Array(terminal.output[..<end]))
    let after = TerminalStream(Array(terminal.output[end...]))
    #expect(before.modes.contains(1049))
    #expect(after.modes == [7, 25])
    #expect(String(decoding: terminal.output[end...], as: UTF8.self).contains("\u{1B}[?1049l"))
    #expect(terminal.isCooked)
  }

  @Test("Nothing is sent to the terminal while another program uses it") func lent() throws {
    let terminal = try PseudoTerminal([Self.probe], environment: Self.environment(fixture))
    _ = try #require(terminal.wait(for: "keys:", quiet: 0.3))
    terminal.send("!")
    _ = try #require(terminal.wait(for: "outside", quiet: 0.3))
    let length = terminal.output.count
    kill(terminal.process, SIGSEGV)
    #expect(terminal.waitForExit()?.exitCode == 128 + SIGSEGV)
    #expect(terminal.output.count == length)
    #expect(TerminalStream(terminal.output.filter { $0 != 0x0D && $0 != 0x0A }).isAtRest)
  }

  @Test("A crash prints and logs no password") func secrets() throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .hang)
    let log = fixture.home.appending(path: "log").path
    try fixture.weir("add", "--unchecked", origin.url("/feed", userInfo: "me:s3cret"))
    for number in [SIGSEGV, SIGABRT] {
      let terminal = try PseudoTerminal(
        [CommandFixture.program, "--log", log],
        environment: Self.environment(fixture, backtrace: "enable=yes,interactive=no,color=no"))
      _ = try #require(terminal.wait(for: "Starred"))
      let deadline = Patience.end
      while origin.log.isEmpty, ContinuousClock.now < deadline { terminal.read(wait: 0.05) }
      terminal.waitUntilIdle()
      kill(terminal.process, number)
      // If Swift's runtime prints a backtrace, it treats the signal as a fault that repeats, and
      // the process continues.
      _ = terminal.waitForExit(deadline: 5)
      terminal.waitUntilIdle(quiet: 0.05)
      #expect(!String(decoding: terminal.output, as: UTF8.self).contains("s3cret"))
    }
    #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("s3cret"))
  }

  @Test("A crash leaves no core file, which would hold passwords") func coreFile() async throws {
    let (fixture, origin) = try CommandFixture.online()
    origin.on("/feed", .hang)
    try fixture.weir("add", "--unchecked", origin.url("/feed", userInfo: "me:s3cret"))
    let folder = fixture.home.appending(path: "cores")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let sync = try fixture.start(
      ["/bin/sh", "-c", "cd '\(folder.path)' && ulimit -c unlimited && exec $WEIR sync"],
      environment: ["WEIR": CommandFixture.program, "SWIFT_BACKTRACE": "enable=no"],
      isProgram: false)
    let deadline = Patience.end
    while origin.log.isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(20))
    }
    kill(sync.process, SIGABRT)
    #expect(try sync.outcome().code == 128 + SIGABRT)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  /// - Parameter backtrace: Swift's report of a crash, on machines that have the tools for it.
  private static func environment(
    _ fixture: CommandFixture, backtrace: String = "enable=no"
  ) -> [String: String] {
    fixture.environment.merging(["SWIFT_BACKTRACE": backtrace]) { $1 }
  }

  private static let probe = URL(filePath: CommandFixture.program).deletingLastPathComponent()
    .appending(path: "terminalprobe").path
}
