/// The faults of Hostile.md, applied to the program. `make soak` runs the long forms.
@Suite("Faults", .serialized, .ownThreads, .countsFailures) final class FaultTests: CommandSuite {
  // MARK: kill -9

  @Test("Kills at random moments of a sync lose nothing acknowledged and repeat nothing")
  func killed() throws {
    let corpus = Corpus(feeds: 60, articlesPerFeed: 12)
    let origin = try Origin(address: "0.0.0.0")
    let stage = corpus.serve(on: origin)
    try fixture.weir("import", "-", input: corpus.opml(port: origin.port))
    let rounds = Soak.length(short: 4, long: 200)
    var random = SeededRandom(seed: 9)
    var acknowledged: [String: Int] = [:]
    var starred: Set<Int> = []
    for round in 0..<rounds {
      stage.generation = round / 20
      let sync = try fixture.start(["sync", "--all", "--json"])
      usleep(UInt32.random(in: 0..<400_000, using: &random))
      kill(sync.process, SIGKILL)
      // Each line was printed after its commit.
      for line in try sync.outcome().lines {
        guard let feed = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
          feed["outcome"] as? String == "ok", let url = feed["url"] as? String
        else { continue }
        acknowledged[url, default: 0] += feed["newArticles"] as? Int ?? 0
      }
      // The change that the user made in between.
      if let row = try fixture.weir("articles", "--unread", "--limit", "1", "--json").objects()
        .first, let id = row["id"] as? Int,
        try fixture.weir("mark", "starred", String(id)).code == 0,
        try fixture.weir("mark", "read", String(id)).code == 0
      {
        starred.insert(id)
      }
      if round % 10 == 0 || round == rounds - 1 { #expect(try fixture.weir("doctor").code == 0) }
    }
    let rows = try fixture.weir("articles", "--json").objects()
    for id in starred {
      let row = rows.first { $0["id"] as? Int == id }
      #expect(row?["starred"] as? Bool == true && row?["read"] as? Bool == true)
    }
    let totals = try fixture.weir("feeds", "--json").objects().reduce(into: [String: Int]()) {
      $0[$1["url"] as? String ?? ""] = $1["total"] as? Int
    }
    for (url, count) in acknowledged { #expect(totals[url] ?? 0 >= count) }
    #expect(try fixture.weir("sync", "--all", "--quiet").code == 0)
    let all = try fixture.weir("articles", "--json").objects()
    let addresses = all.map { "\($0["feed"] ?? "") \($0["url"] ?? "") \($0["title"] ?? "")" }
    #expect(Set(addresses).count == addresses.count)
    #expect(all.count >= corpus.feeds * corpus.articlesPerFeed)
    Soak.report(
      "kill -9 during a sync", "\(rounds) rounds",
      "integrity ok, \(all.count) articles, none twice, \(starred.count) flags all kept")
  }

  // MARK: A disk without room

  /// Mounts a disk of this size; returns `nil` if the user may not mount.
  private func disk(_ size: String, _ test: String) throws -> String? {
    let disk = fixture.home.appending(path: "disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    if try Shell.run("mount -t tmpfs -o size=\(size) weir '\(disk)'") == 0 { return disk }
    Soak.report(test, "-", "left out: only root may mount")
    return nil
  }

  @Test("A full disk is reported, keeps the database sound, and the work resumes")
  func diskFull() throws {
    let corpus = Corpus(feeds: 60, articlesPerFeed: 30)
    let origin = try Origin(address: "0.0.0.0")
    _ = corpus.serve(on: origin)
    guard let disk = try disk("5m", "disk full (5 MiB tmpfs)") else { return }
    defer { _ = try? Shell.run("umount -l '\(disk)'") }
    let data = disk + "/data"
    #expect(
      try fixture.weir("--data-dir", data, "import", "-", input: corpus.opml(port: origin.port))
        .code == 0)
    let full = try fixture.weir("--data-dir", data, "sync", "--all")
    // The code is 2 if not even the log could be created.
    #expect(full.code == 1 || full.code == 2)
    #expect(full.errors.contains("is full"), "\(full.errors)")
    // Commands that need no space still work, or report why not.
    let doctor = try fixture.weir("--data-dir", data, "doctor")
    #expect(doctor.code == 0 || doctor.errors.contains("is full"), "\(doctor)")
    #expect(try Shell.run("mount -o remount,size=64m '\(disk)'") == 0)
    #expect(try fixture.weir("--data-dir", data, "doctor").output.contains(": OK"))
    #expect(try fixture.weir("--data-dir", data, "sync", "--all").code == 0)
    let count = try fixture.weir("--data-dir", data, "articles").lines.count
    #expect(count == 60 * 30)
    Soak.report(
      "disk full (5 MiB tmpfs)", "a sync of 1,800",
      "said so, database ok, \(count) after room was made")
  }

  @Test("A disk that is full at the start is reported, and the next start after cleanup works")
  func fullAtStart() throws {
    guard let disk = try disk("64k", "disk full at the start (64 KiB tmpfs)") else { return }
    defer { _ = try? Shell.run("umount -l '\(disk)'") }
    _ = try Shell.run("head -c 100000 /dev/zero > '\(disk)/filler' || true")
    for command in [["feeds"], ["doctor"], ["add", "--unchecked", "https://e.org/feed"]] {
      let outcome = try fixture.start(["--data-dir", disk + "/data"] + command).outcome()
      #expect(outcome.code == 2, "\(outcome)")
      #expect(outcome.errors.contains("is full"), "\(outcome)")
    }
    #expect(try Shell.run("mount -o remount,size=64m '\(disk)'") == 0)
    #expect(try fixture.weir("--data-dir", disk + "/data", "doctor").output.contains(": OK"))
    Soak.report("disk full at the start (64 KiB tmpfs)", "3 commands", "exit 2, then it works")
  }

  @Test("A limit on file sizes does not end the program with SIGXFSZ") func fileSizeLimit() throws {
    let corpus = Corpus(feeds: 40, articlesPerFeed: 30)
    let origin = try Origin(address: "0.0.0.0")
    _ = corpus.serve(on: origin)
    try fixture.weir("import", "-", input: corpus.opml(port: origin.port))
    // A command on a busy machine ends before its log is in the database. Opening would then need
    // the space, and end with code 2.
    let log = fixture.dataDirectory.appending(path: "weir.db-wal").path
    for _ in 0..<20 where (try? Data(contentsOf: URL(filePath: log)))?.isEmpty == false {
      try fixture.weir("feeds")
    }
    let limited = try fixture.shell("ulimit -f 1500; exec \"$WEIR\" sync --all")
    #expect(limited.code == 1)
    #expect(limited.errors.contains("is full"), "\(limited)")
    #expect(try fixture.weir("doctor").output.contains("Database in"))
    #expect(try fixture.weir("doctor").code == 0)
    #expect(try fixture.weir("sync", "--all").code == 0)
    #expect(try fixture.weir("articles").lines.count == 40 * 30)
    Soak.report(
      "RLIMIT_FSIZE", "a sync of 1,200", "said so, database ok, resumed without the limit")
  }

  @Test("A read-only disk ends every command with exit code 2 and a remedy")
  func readOnly() throws {
    let disk = fixture.home.appending(path: "disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard try Shell.run("mount -t tmpfs -o size=8m weir '\(disk)'") == 0 else { return }
    defer { _ = try? Shell.run("umount -l '\(disk)'") }
    try fixture.weir("--data-dir", disk, "add", "--unchecked", "https://example.org/feed")
    let before = try Data(contentsOf: URL(filePath: disk + "/weir.db"))
    #expect(try Shell.run("mount -o remount,ro '\(disk)'") == 0)
    for command in ["feeds", "doctor", "sync"] {
      let outcome = try fixture.weir("--data-dir", disk, command)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("Make it writable"), "\(outcome)")
    }
    #expect(try Data(contentsOf: URL(filePath: disk + "/weir.db")) == before)
    Soak.report("read-only file system", "3 commands", "exit 2 and what to do, nothing changed")
  }

  // MARK: A damaged file

  @Test("A database of another schema is refused with the remedy, and the repair keeps its rows")
  func otherSchema() throws {
    for name in ["a", "b"] { try fixture.weir("add", "--unchecked", "https://example.org/\(name)") }
    try fixture.weir("save", "https://example.org/page")
    try fixture.weir("rule", "add", "title:swift", "--starred")
    let commands = [["feeds"], ["articles", "--later"], ["rule", "list"]]
    let before = try commands.map { try fixture.start($0).outcome().output }
    let place = fixture.dataDirectory.appending(path: "weir.db")
    var bytes = try Data(contentsOf: place)
    // Another name of an index makes another schema.
    while let range = bytes.range(of: Data("article_link".utf8)) {
      bytes.replaceSubrange(range, with: Data("article_page".utf8))
    }
    try bytes.write(to: place)
    for command in commands {
      let outcome = try fixture.start(command).outcome()
      #expect(outcome.code == 2 && outcome.errors.contains("weir doctor --repair"), "\(outcome)")
    }
    #expect(try fixture.weir("doctor", "--repair").code == 0)
    #expect(try commands.map { try fixture.start($0).outcome().output } == before)
  }

  @Test("A damaged database never crashes a command, and repair and restore recover it")
  func damaged() throws {
    let corpus = Corpus(feeds: 12, articlesPerFeed: 20)
    let origin = try Origin(address: "0.0.0.0")
    _ = corpus.serve(on: origin)
    try fixture.weir("import", "-", input: corpus.opml(port: origin.port))
    try fixture.weir("sync", "--all", "--quiet")
    let place = fixture.dataDirectory.appending(path: "weir.db")
    let good = try Data(contentsOf: place)
    let backup = fixture.home.appending(path: "backup.db").path
    #expect(try fixture.weir("backup", backup).code == 0)
    #expect(try fixture.weir("backup", backup).code == 1)

    let rounds = Soak.length(short: 4, long: 200)
    var random = SeededRandom(seed: 4)
    var (refused, repaired) = (0, 0)
    for round in 0..<rounds {
      var bytes = [UInt8](good)
      for _ in 0..<(round % 2 == 0 ? 3_000 : 12) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if round % 4 == 3 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      try fixture.emptyDataDirectory()
      try Data(bytes).write(to: place)
      for arguments in [["feeds"], ["articles", "--limit", "50"], ["doctor"]] {
        let outcome = try fixture.start(arguments).outcome()
        #expect([0, 1, 2].contains(outcome.code), "round \(round) \(arguments): \(outcome)")
        if outcome.code == 2 {
          refused += 1
          #expect(outcome.errors.contains("weir doctor --repair"), "\(outcome)")
        }
      }
      let repair = try fixture.weir("doctor", "--repair")
      #expect([0, 2].contains(repair.code), "round \(round): \(repair)")
      if repair.code == 0 {
        repaired += 1
        #expect(try fixture.weir("doctor").output.contains(": OK"), "round \(round)")
      }
    }
    let restored = try fixture.weir("restore", backup)
    #expect(restored.code == 0, "\(restored)")
    #expect(restored.output.contains("240 articles"))
    #expect(try fixture.weir("articles").lines.count == 240)
    Soak.report(
      "damaged databases, the commands", "\(rounds) files",
      "no crash, \(refused) times exit 2 with what to do, \(repaired) made whole by doctor --repair"
    )
  }

  @Test("Restore and repair are refused while a reader is open") func inUse() throws {
    guard TmuxRobot.isAvailable else { return }
    try fixture.weir("add", "--unchecked", "https://example.org/feed")
    let backup = fixture.home.appending(path: "backup.db").path
    let robot = try fixture.reader("--offline").waitFor("Starred")
    #expect(try fixture.weir("backup", backup).code == 0)
    let refused = try fixture.weir("restore", backup)
    #expect(refused.code == 1)
    #expect(refused.errors.contains("Quit it"), "\(refused)")
    #expect(try robot.type("Q").waitForExit() == 0)
    #expect(try fixture.weir("restore", backup).code == 0)
    #expect(try fixture.weir("feeds").output.contains("example.org"))
  }

  // MARK: Several processes

  @Test("Reader, sync and commands share a cache without lock errors, and keys are answered")
  func together() throws {
    let corpus = Corpus(feeds: 40, articlesPerFeed: 10)
    let origin = try Origin(address: "0.0.0.0")
    let stage = corpus.serve(on: origin)
    try fixture.weir("import", "-", input: corpus.opml(port: origin.port))
    try fixture.weir("sync", "--all", "--quiet")
    let reader = try PseudoTerminal(
      [CommandFixture.program], columns: 100, rows: 30, environment: fixture.environment)
    _ = try #require(reader.wait(for: "Starred"))
    reader.waitUntilIdle(quiet: 0.5)
    reader.send("jjl")
    let rounds = Soak.length(short: 3, long: 150)
    var latencies: [Double] = []
    var messages = ""
    for round in 0..<rounds {
      stage.generation = round
      let running = [
        try fixture.start(["sync", "--all", "--quiet"]),
        try fixture.start(["mark", round % 2 == 0 ? "read" : "unread", "--feed", "1"]),
        try fixture.start(["mark", "read", "--older-than", "0h"]),
      ]
      for key in ["j", "j", "m", "k", "s", "s", "j", "m", "u", "k"] {
        reader.waitUntilIdle(quiet: 0.02)
        let before = ContinuousClock.now
        reader.send(key)
        if reader.read(wait: 2) { latencies.append((ContinuousClock.now - before).seconds * 1e3) }
      }
      for command in running {
        let outcome = try command.outcome()
        #expect(outcome.code == 0, "\(outcome)")
        messages += outcome.errors
      }
    }
    reader.waitUntilIdle(quiet: 0.3)
    let screen = String(decoding: reader.output, as: UTF8.self)
    for text in [screen, messages] {
      #expect(!text.contains("locked"))
      #expect(!text.contains("holds the cache"))
    }
    #expect(reader.quit()?.exitCode == 0)
    #expect(try fixture.weir("doctor").code == 0)
    latencies.sort()
    let p99 = latencies[min(latencies.count - 1, latencies.count * 99 / 100)]
    Soak.report(
      "reader + sync + commands", "\(rounds) syncs, \(2 * rounds) commands",
      "no lock told; \(latencies.count) keys, p50 \(String(format: "%.1f", latencies[latencies.count / 2])) ms, p99 \(String(format: "%.1f", p99)) ms"
    )
  }
}

/// Runs shell lines for tasks that no Swift call does.
enum Shell {
  static func run(_ line: String) throws -> Int32 {
    let process = try Spawn.start(
      ["/bin/sh", "-c", line], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      terminal: nil, output: nil)
    return Spawn.wait(for: process)?.exitCode ?? -1
  }
}
