@Suite("Exchange with a shared folder", .countsFailures, .timeLimit(.minutes(120)))
struct FolderExchangeTests {
  private static let items = (1...4).map { ParsedItem.dated($0) }

  private static func directory() -> String { NSTemporaryDirectory() + "weir-folder-\(UUID())" }

  /// Two machines that share a directory and a feed with four articles.
  private static func pair() async throws -> (Machine, Machine, path: String) {
    let path = directory()
    let machines = [try Machine(1, path), try Machine(2, path)]
    for machine in machines {
      let feed = try await machine.cache.feed("a")
      try await machine.cache.merge(feed, items)
      try await machine.join()
    }
    try await machines[0].run()
    return (machines[0], machines[1], path)
  }

  @Test("Changes travel through the files, which only the user can read")
  func travels() async throws {
    let (laptop, desk, path) = try await Self.pair()
    try await laptop.star(1)
    try await laptop.run()
    try await desk.run()
    #expect(try desk.stars() == [false, true, false, false])
    #expect(try laptop.folder.waiting() == 0)
    let file = try laptop.ownDirectory + "/" + (laptop.ownFiles().last ?? "")
    for (path, mode) in [(file, 0o600), (path + "/devices", 0o700), (path, 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
    // Nothing is written without a change.
    let files = try laptop.ownFiles()
    try await laptop.run()
    #expect(try laptop.ownFiles() == files)
    try await desk.star(2)
    try await desk.run()
    try await laptop.run()
    #expect(try laptop.folder.devices().map(\.agreement) == [.same])
  }

  @Test("The exchange pauses if the folder is missing, emptied or a different one, and acts wait")
  func paused() async throws {
    let (laptop, desk, path) = try await Self.pair()
    let manager = FileManager.default
    func expectPause(_ problem: FolderProblem) async throws {
      let found = try await laptop.run()
      #expect(found == problem)
      #expect(try laptop.folder.folder()?.problem == problem)
    }
    try await laptop.star(0)
    try manager.moveItem(atPath: path, toPath: path + "-away")
    try await expectPause(.away)
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    try await expectPause(.noMark)
    try Data("{\"format\":1,\"id\":\"0000000000000001\"}".utf8).write(
      to: URL(filePath: path + "/weir-folder.json"))
    try await expectPause(.otherFolder)
    try Data("{\"format\":2,\"id\":\"0000000000000001\"}".utf8).write(
      to: URL(filePath: path + "/weir-folder.json"))
    try await expectPause(.otherFormat)
    for part in ["", "{\"format\":1,\"id\":\"00"] {
      try Data(part.utf8).write(to: URL(filePath: path + "/weir-folder.json"))
      try await expectPause(.incompleteMark)
    }
    #expect(try manager.contentsOfDirectory(atPath: path) == ["weir-folder.json"])
    #expect(try laptop.folder.waiting() > 0)
    #expect(try laptop.reader.feeds.subscriptions().feeds.count == 1)
    try manager.removeItem(atPath: path)
    try manager.moveItem(atPath: path + "-away", toPath: path)
    #expect(try await laptop.run() == nil)
    try await desk.run()
    #expect(try desk.stars() == [true, false, false, false])
  }

  @Test("The time of the last exchange is right to a minute, also if nothing has changed")
  func exchangedAt() async throws {
    let (laptop, _, _) = try await Self.pair()
    for _ in 0..<3 {
      laptop.cache.clock.now += 60
      #expect(try await laptop.run() == nil)
      let now = Int64(laptop.cache.clock.now.timeIntervalSince1970 * 1_000)
      #expect(try laptop.folder.folder()?.exchangedAt == now)
    }
  }

  @Test("A device without changes is seen by the others") func announced() async throws {
    let (laptop, _, path) = try await Self.pair()
    let phone = try Machine(3, path)
    try await phone.join()
    try await laptop.run()
    #expect(try laptop.folder.devices().count == 2)
    #expect(try phone.ownFiles().count == 1)
    try await phone.run()
    #expect(try phone.ownFiles().count == 1)
  }

  @Test("A path that is a file, and files of this device that are missing, are named")
  func namedProblems() async throws {
    let (laptop, desk, path) = try await Self.pair()
    let manager = FileManager.default
    let file = Self.directory()
    try Data("x".utf8).write(to: URL(filePath: file))
    let phone = try Machine(3, file)
    await #expect(throws: FolderProblem.notFolder) { try await phone.exchange.begin(path: file) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
    try manager.moveItem(atPath: path, toPath: path + "-away")
    try manager.copyItem(atPath: file, toPath: path)
    #expect(try await laptop.run() == .notFolder)
    try manager.removeItem(atPath: path)
    try manager.moveItem(atPath: path + "-away", toPath: path)
    // The exchange goes on without the missing files.
    try manager.moveItem(atPath: laptop.ownDirectory, toPath: path + "-mine")
    try await laptop.star(0)
    #expect(try await laptop.run() == .filesMissing)
    #expect(try laptop.folder.waiting() == 0)
    #expect(try await desk.run() == nil)
    #expect(try desk.stars()[0] && desk.reader.feeds.subscriptions().feeds.count == 1)
    for name in try manager.contentsOfDirectory(atPath: path + "-mine") {
      try manager.moveItem(atPath: "\(path)-mine/\(name)", toPath: "\(laptop.ownDirectory)/\(name)")
    }
    #expect(try await laptop.run() == nil)
  }

  /// Lets nobody write into a directory. For root, the file system has to refuse it.
  private static func setReadOnly(_ path: String, _ isReadOnly: Bool) throws {
    if getuid() != 0 { return #expect(chmod(path, isReadOnly ? 0o500 : 0o700) == 0) }
    let change = try Process.run(
      URL(filePath: "/usr/bin/chattr"), arguments: [isReadOnly ? "+i" : "-i", path])
    change.waitUntilExit()
    try #require(change.terminationStatus == 0, "This file system has no immutable files.")
  }

  @Test("In a folder that cannot be written, changes of others arrive and local changes wait")
  func readOnly() async throws {
    let (laptop, desk, _) = try await Self.pair()
    let own = try laptop.ownDirectory
    try Self.setReadOnly(own, true)
    defer { try? Self.setReadOnly(own, false) }
    let files = try laptop.ownFiles()
    try await laptop.star(0)
    try await desk.star(1)
    try await desk.run()
    for _ in 0..<2 { #expect(try await laptop.run() == .readOnly) }
    #expect(try laptop.stars() == [true, true, false, false])
    #expect(try laptop.folder.waiting() == 1 && laptop.ownFiles() == files)
    try Self.setReadOnly(own, false)
    #expect(try await laptop.run() == nil)
    #expect(try laptop.folder.waiting() == 0)
    try await desk.run()
    #expect(try desk.stars() == laptop.stars())
  }

  @Test("Changes of the folder are reported where the system does") func watched() async throws {
    let (laptop, desk, _) = try await Self.pair()
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    guard let watch = FolderWatch({ continuation.yield() }) else { return }
    try desk.exchange.add(to: watch)
    try await laptop.star(0)
    try await laptop.run()
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    try await desk.run()
    #expect(try desk.stars()[0])
    withExtendedLifetime(watch) {}
  }

  @Test("A program that is killed after writing a file writes no entry twice")
  func killed() async throws {
    let (laptop, _, path) = try await Self.pair()
    try await laptop.star(0)
    let row = try #require(try laptop.folder.folder())
    let entries = try await laptop.folder.unsent(limit: 10)
    let file = SegmentWriter.file(
      entries, of: row.device, named: row.name, try laptop.folder.report())
    try await laptop.folder.willWrite(file.name)
    try FolderFiles(path: path).write(file.bytes, to: file.name, of: row.device)
    let files = try laptop.ownFiles()
    try await laptop.run()
    #expect(try laptop.ownFiles() == files)
    #expect(try laptop.folder.waiting() == 0)
    // Killed before the file is there: it is written with the next exchange.
    try await laptop.star(1)
    try await laptop.folder.willWrite(SegmentName(9...9, hash: 1))
    try await laptop.run()
    #expect(try laptop.ownFiles().count == files.count + 1)
    #expect(try laptop.folder.folder()?.device == row.device)
  }

  @Test("A cache on another machine, or one that is older than its files, gets another ID")
  func identities() async throws {
    let (laptop, desk, path) = try await Self.pair()
    let first = try #require(try laptop.folder.folder()?.device)
    try await laptop.star(0)
    // The clone has the same database and another machine.
    let clone = FolderExchange(laptop.folder, machine: 7)
    try await clone.run()
    let second = try #require(try laptop.folder.folder())
    #expect(second.device > first && second.name.hasSuffix("(2)"))
    // The folder has a file of this device that this cache did not write.
    try FolderFiles(path: path).write([], to: SegmentName(1...1, hash: 5), of: second.device)
    try await laptop.star(1)
    try await clone.run()
    #expect(try #require(try laptop.folder.folder()).device > second.device)
    for _ in 0..<2 {
      try await desk.run()
      try await clone.run()
    }
    #expect(try desk.stars() == [true, true, false, false])
    // The file without contents is named and does not stop the others.
    let problems = try desk.folder.devices().compactMap(\.problem)
    #expect(problems.map(\.kind) == [.incomplete])
    #expect(problems.map(\.file) == ["s-000001-000001-0000000000000005.jsonl"])
  }

  @Test("Links, pipes, conflict copies and files that are not whole are not read")
  func hostile() async throws {
    let (laptop, desk, path) = try await Self.pair()
    let manager = FileManager.default
    try await laptop.star(0)
    try await laptop.run()
    let directory = try laptop.ownDirectory
    let name = try #require(try laptop.ownFiles().last)
    let other = "\(path)/devices/00000000000000aa"
    try manager.createDirectory(atPath: other, withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: "\(path)/devices/00000000000000bb", withDestinationPath: directory)
    try manager.createSymbolicLink(
      atPath: "\(other)/\(name)", withDestinationPath: "\(directory)/\(name)")
    mkfifo("\(other)/s-000001-000001-0000000000000001.jsonl", 0o600)
    try Data(repeating: 0x41, count: 10_000_000).write(
      to: URL(filePath: "\(other)/s-000002-000002-0000000000000001.jsonl"))
    try Data("{}\n".utf8).write(
      to: URL(filePath: "\(directory)/\(name).sync-conflict-20250101-120000-ABCDEFG.jsonl"))
    for index in 0..<200 {
      try Data().write(to: URL(filePath: "\(path)/devices/x\(index)"))
    }
    try Data().write(to: URL(filePath: "\(path)/devices/00000000000000cc"))
    #expect(try await desk.run() == nil)
    #expect(try desk.stars() == [true, false, false, false])
    let known = try desk.folder.devices()
    #expect(known.count { $0.problem?.kind == .unreadable } == 2 && known.count == 4)
    #expect(
      known.contains {
        $0.problem?.kind == .malformed
          && $0.problem?.file == "s-000001-000001-0000000000000001.jsonl"
      })
    for name in ["bb", "cc"] {
      try manager.removeItem(atPath: "\(path)/devices/00000000000000\(name)")
    }
    #expect(try await desk.run() == nil)
    #expect(try desk.folder.devices().count == 2)
  }

  @Test("Devices that write files each day keep few of them, and agree") func year() async throws {
    let (count, days) = (Soak.length(short: 2, long: 10), Soak.length(short: 40, long: 365))
    // Ten devices read 33,000 files, which takes some minutes.
    let daily = Soak.length(short: 3, long: 1)
    let path = Self.directory()
    var random = SeededRandom(seed: 1)
    let machines = try (1...count).map { try Machine(UInt64($0), path) }
    for machine in machines {
      let feed = try await machine.cache.feed("a")
      try await machine.cache.merge(feed, (1...50).map { ParsedItem.dated($0) })
      try await machine.join()
    }
    let devices = "\(path)/devices"
    func files() throws -> [String: Int] {
      let manager = FileManager.default
      return try manager.contentsOfDirectory(atPath: devices).reduce(into: [:]) { all, device in
        all[device] = try manager.contentsOfDirectory(atPath: "\(devices)/\(device)").count
      }
    }
    var most = 0
    for turn in 0..<(days * daily) {
      for (index, machine) in machines.enumerated() {
        machine.cache.clock.now = TestCache.start + Double(turn * 86_400 / daily + index * 60)
        for _ in 0..<9 / daily {
          try await machine.star(.random(in: 0..<50, using: &random), .random(using: &random))
        }
        try await machine.run()
      }
      most = max(most, try files().values.max() ?? 0)
    }
    for _ in 0..<2 { for machine in machines { try await machine.run() } }
    #expect(most <= Limits.files)
    for machine in machines {
      #expect(try machine.folder.folder()?.digest == machines[0].folder.folder()?.digest)
      #expect(try machine.stars() == machines[0].stars())
    }
    let all = FileManager.default.enumerator(atPath: devices)?.compactMap { file in
      try? FileManager.default.attributesOfItem(atPath: "\(devices)/\(file)")[.size] as? Int
    }
    let idle = try await ContinuousClock().measure { try await machines[0].run() }
    let new = try Machine(99, path)
    let first = try await ContinuousClock().measure { try await new.join() }
    Soak.report(
      "\(count) devices for \(days) days",
      "\(try files().values.reduce(0, +)) files, "
        + "\((all ?? []).reduce(0, +)) bytes, at most \(most) files of one",
      "equal digests; an exchange at start \(idle), a new device \(first)")
  }

  @Test("A hundred files become one, and a new device has the same state from it")
  func compaction() async throws {
    let (laptop, _, path) = try await Self.pair()
    for index in 0..<100 {
      try await laptop.star(0, index % 2 == 0)
      laptop.cache.clock.now += 60
      try await laptop.run()
    }
    let files = try laptop.ownFiles()
    #expect(files.filter { $0.hasPrefix("c-") }.count == 1 && files.count > 90)
    laptop.cache.clock.now += 600
    try await laptop.run()
    #expect(try laptop.ownFiles().count < 10)
    let phone = try Machine(3, path)
    let feed = try await phone.cache.feed("a")
    try await phone.cache.merge(feed, Self.items)
    phone.cache.clock.now = laptop.cache.clock.now
    try await phone.join()
    try await laptop.run()
    #expect(try phone.stars() == laptop.stars())
    #expect(try phone.folder.folder()?.digest == laptop.folder.folder()?.digest)
  }
}
