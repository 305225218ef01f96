@Suite("Unusual homes, streams and files", .ownThreads)
final class BrokenMachineTests: CommandSuite {
  @Test(
    "A file at the cache's path that is not a cache is not changed, and an error reports it",
    arguments: ["directory", "pipe", "device", "loop"])
  func cache(kind: String) throws {
    try FileManager.default.createDirectory(
      at: fixture.dataDirectory, withIntermediateDirectories: true)
    let path = fixture.dataDirectory.appending(path: "weir.db").path
    try make(kind, at: path)
    let outcome = try fixture.weir("feeds")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("weir.db cannot be opened"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    var status = stat()
    #expect(lstat(path, &status) == 0)
  }

  @Test("A data directory that others can write to is reported and not changed")
  func openDirectory() throws {
    #expect(try !fixture.weir("feeds").errors.contains("chmod"))
    let path = fixture.dataDirectory.path
    #expect(chmod(path, 0o777) == 0)
    let outcome = try fixture.weir("feeds")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("chmod go-w \(path)"), "\(outcome.errors)")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o777)
  }

  @Test(
    "An unreadable or endless configuration is reported, and only its settings are lost",
    arguments: [
      ("directory", "it is a directory"), ("pipe", "it is a pipe"), ("device", "too large"),
      ("loop", "symbolic links"), ("noise", "not UTF-8"), ("dots", "nested too deeply, line 2"),
      ("lists", "unknown setting, line 1"),
    ])
  func configuration(kind: String, words: String) throws {
    try FileManager.default.createDirectory(
      at: fixture.configuration.deletingLastPathComponent(), withIntermediateDirectories: true)
    switch kind {
    case "noise":
      var random = SeededRandom(seed: 5)
      let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      try Data(noise).write(to: fixture.configuration)
    case "dots":
      let key = String(repeating: "a.", count: 200_000)
      try fixture.file(".config/weir/config.toml", "[sync]\n\(key)a = 1\n")
    case "lists":
      try fixture.file(".config/weir/config.toml", "a = " + String(repeating: "[", count: 200_000))
    default: try make(kind, at: fixture.configuration.path)
    }
    let outcome = try fixture.weir("feeds")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    let check = try fixture.weir("config", "check")
    #expect(check.code == 1)
    #expect(check.errors.contains(words) && check.errors.split(separator: "\n").count == 1)
  }

  @Test("A relative HOME counts as not set, and nothing is created in the current directory")
  func relativeHome() throws {
    let outcome = try fixture.shell("cd \"$HOME\" && HOME=somewhere \"$WEIR\" feeds")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("HOME is not set"))
    #expect(!FileManager.default.fileExists(atPath: fixture.home.path + "/somewhere"))
  }

  @Test("Closed standard streams are not confused with files opened later")
  func closedStreams() throws {
    try fixture.weir("add", "--unchecked", "https://example.org/feed")
    let log = fixture.home.appending(path: "weir.log").path
    for line in [
      "\"$WEIR\" feeds --json --log \(log) >&-", "\"$WEIR\" export >&-", "\"$WEIR\" --help >&-",
    ] {
      let outcome = try fixture.shell(line)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("The output could not be written"), "\(outcome.errors)")
    }
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("example.org") == false)
    #expect(try fixture.shell("\"$WEIR\" import - <&-").errors.contains("The input cannot be read"))
    #expect(try fixture.shell("\"$WEIR\" nonsense 2>&-").code == 64)
    #expect(try fixture.shell("\"$WEIR\" <&- >&- 2>&-").code == 2)
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test(
    "Arguments are read even if /proc is not mounted",
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/unshare")))
  func withoutProc() throws {
    let outcome = try CommandFixture().shell(
      "unshare -m sh -c 'umount -l /proc && exec \"$WEIR\" --version'")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("weir "))
  }

  @Test("Help that cannot be written is an error", arguments: ["--help", "help", "sync --help"])
  func fullOutput(arguments: String) throws {
    let outcome = try CommandFixture().shell("\"$WEIR\" \(arguments) >/dev/full")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("the disk is full"))
  }

  @Test("Arguments are repeated without terminal control characters") func arguments() throws {
    let nasty = "\u{1B}]0;x\u{07}\u{9B}31m\u{202E}"
    for arguments in [[nasty], ["feeds", nasty], ["articles", "--limit", nasty], ["--\(nasty)"]] {
      let outcome = try fixture.start(arguments).outcome()
      #expect(outcome.code != 0)
      #expect(!outcome.errors.isEmpty)
      #expect(TerminalStream(Array(outcome.errors.utf8)).faults == [])
      #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\u{202E}"))
    }
  }

  @Test(
    "A downloaded file stays in its folder, and one that does not fit is abandoned and reported",
    .enabled(if: TmuxRobot.isAvailable))
  func downloads() throws {
    let (fixture, origin) = try CommandFixture.online()
    let names = ["..%2F..%2F.ssh%2Fkeys", "large"]
    origin.on("/x/\(names[0])", .answer(Array("sound".utf8), type: "audio/mpeg"))
    origin.on("/x/\(names[1])", .answer([UInt8](repeating: 7, count: 6 << 20), type: "audio/mpeg"))
    let enclosures = names.map {
      "<enclosure url=\"\(origin.url("/x/\($0)"))\" type=\"audio/mpeg\"/>"
    }
    let feed = Feeds.rss("Alpha", ["Talk"])
      .replacingOccurrences(of: "</item>", with: enclosures.joined() + "</item>")
    origin.on("/alpha", .answer(feed))
    try fixture.weir("add", "--unchecked", origin.url("/alpha"))
    try fixture.weir("sync")
    let folder = fixture.home.appending(path: "Downloads").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    symlink(fixture.home.path + "/victim", folder + "/ssh_keys")
    let robot = try TmuxRobot(columns: 120, rows: 40).start(
      ["/bin/sh", "-c", "ulimit -f 8000; exec \"$0\"", CommandFixture.program],
      environment: fixture.windowEnvironment)
    try robot.select("Alpha").keys("Enter").waitFor("● Talk").keys("Enter").waitFor("Text of it")
      .type("d").waitFor("saved as ~/Downloads/ssh_keys (2)")
      .waitFor("it couldn\u{2019}t be saved").type("Q").exit(0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["ssh_keys", "ssh_keys (2)"])
    #expect(try String(contentsOfFile: folder + "/ssh_keys (2)", encoding: .utf8) == "sound")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.home.path).allSatisfy {
        $0.hasPrefix(".") || $0 == "Downloads"
      })
    #expect(try fixture.weir("doctor").code == 0)
  }

  private func make(_ kind: String, at path: String) throws {
    switch kind {
    case "directory":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "device": #expect(symlink("/dev/zero", path) == 0)
    default: #expect(symlink(path, path) == 0)
    }
  }
}
