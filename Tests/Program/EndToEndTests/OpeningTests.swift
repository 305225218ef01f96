@Suite("Opening a cache that another process holds", .ownThreads, .countsFailures)
final class OpeningTests: CommandSuite {
  /// A lock of this process on the files of a cache, as a second Weir would hold it.
  private final class Lock {
    private let descriptor: Int32

    private init(_ path: String, _ flags: Int32) throws {
      descriptor = open(path, flags | O_CLOEXEC)
      try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// Locks a data directory, as a process that creates or upgrades the database does.
    static func ofUpgrade(_ directory: URL) throws -> Lock {
      // The directory is private, because Weir warns about one that others can write to.
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let lock = try Lock(directory.path, O_RDONLY)
      try #require(flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0)
      return lock
    }

    /// Locks the database exclusively (sqlite.org/src/file/src/os.h, "SHARED_FIRST").
    static func ofFile(_ directory: URL) throws -> Lock {
      let lock = try Lock(directory.appending(path: "weir.db").path, O_RDWR)
      var range = flock()
      range.l_type = Int16(F_WRLCK)
      range.l_whence = Int16(SEEK_SET)
      range.l_start = 0x4000_0000
      range.l_len = 512
      try #require(fcntl(lock.descriptor, F_SETLK, &range) == 0)
      return lock
    }
  }

  private static let upgrade = "Waiting for another Weir process to upgrade the database"
  private static let busy = "Waiting for another program to release the database"

  private func reader(_ fixture: CommandFixture, _ arguments: String...) throws -> PseudoTerminal {
    try PseudoTerminal([CommandFixture.program] + arguments, environment: fixture.environment)
  }

  private func lock(_ fixture: CommandFixture, _ sentence: String) throws -> Lock {
    if sentence == Self.upgrade { return try Lock.ofUpgrade(fixture.dataDirectory) }
    try #require(try fixture.weir("feeds").code == 0)
    return try Lock.ofFile(fixture.dataDirectory)
  }

  @Test(
    "The reader shows what it waits for, and a key ends it cleanly",
    arguments: [(upgrade, "q"), (upgrade, "\u{3}"), (busy, "q")])
  func ends(sentence: String, key: String) throws {
    let lock = try lock(fixture, sentence)
    let terminal = try reader(fixture, "--offline")
    _ = try #require(terminal.wait(for: sentence))
    _ = try #require(terminal.wait(for: "q quits"))
    // The reader reads keys once it has turned off the terminal's echo.
    while terminal.isCooked { terminal.read(wait: 0.02) }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.dataDirectory.path)
    terminal.send("x" + key)
    #expect(terminal.waitForExit()?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(terminal.isCooked)
    let stream = TerminalStream(terminal.output)
    #expect(stream.faults == [] && stream.isAtRest)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.dataDirectory.path) == names)
    withExtendedLifetime(lock) {}
  }

  @Test("The reader shows the list once the lock is released", arguments: [upgrade, busy])
  func continues(sentence: String) throws {
    var lock: Lock? = try lock(fixture, sentence)
    let terminal = try reader(fixture, "--offline")
    _ = try #require(terminal.wait(for: sentence))
    #expect(!terminal.contains("Starred", from: 0))
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try #require(terminal.wait(for: "Starred"))
    #expect(terminal.quit()?.exitCode == 0)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(terminal.isCooked)
  }

  @Test("A signal that ends the waiting reader restores the terminal") func signal() throws {
    let lock = try lock(fixture, Self.upgrade)
    let terminal = try reader(fixture, "--offline")
    _ = try #require(terminal.wait(for: Self.upgrade))
    while terminal.isCooked { terminal.read(wait: 0.02) }
    kill(terminal.process, SIGTERM)
    #expect(terminal.waitForExit()?.exitCode == 128 + SIGTERM)
    terminal.waitUntilIdle(quiet: 0.05)
    #expect(terminal.isCooked)
    withExtendedLifetime(lock) {}
  }

  @Test("A waiting reader shows nothing on a terminal that it cannot draw on")
  func undrawable() throws {
    var lock: Lock? = try lock(fixture, Self.upgrade)
    let terminal = try PseudoTerminal(
      [CommandFixture.program],
      environment: fixture.environment.merging(["TERM": "no-such-terminal"]) { $1 })
    // The command started later than the reader, so the reader has waited at least as long.
    let command = try reader(fixture, "articles")
    _ = try #require(command.wait(for: Self.upgrade))
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(terminal.waitForExit()?.exitCode == 2)
    #expect(String(decoding: terminal.output, as: UTF8.self).hasPrefix("weir: "))
  }

  @Test("A waiting command reports the wait on a terminal, but not in redirected output")
  func command() throws {
    var lock: Lock? = try lock(fixture, Self.upgrade)
    let terminal = try reader(fixture, "articles")
    let piped = try fixture.start(["articles"])
    _ = try #require(terminal.wait(for: Self.upgrade))
    #expect(!terminal.contains("q quits", from: 0))
    #expect(terminal.isCooked)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(terminal.waitForExit()?.exitCode == 0)
    #expect(try piped.outcome().errors == "No articles.\n")
  }
}
