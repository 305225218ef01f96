#if os(Linux)
  @testable import FeedStore

  /// The place at which a process that joins a folder is killed.
  private enum KillPoint: Codable, Equatable {
    case begun
    /// After joining and a number of steps.
    case steps(Int)
    /// Before the file of its own entries is there.
    case beforeFile
    /// While the file has its temporary name.
    case inFile
    /// Before its entries are removed from the cache.
    case afterFile
    /// Wherever the first process kills it.
    case anywhere
  }

  private struct JoinTask: Codable {
    var path: String
    var point: KillPoint

    static func file(in directory: String) -> URL { URL(filePath: directory + "/task.json") }
  }

  @Suite("Second process: joins a folder", .enabled(if: SecondProcess.directory != nil))
  struct OtherOnboarding {
    @Test("A second process joins a folder and dies") func joins() async throws {
      let directory = try #require(SecondProcess.directory)
      let task = try JSONDecoder().decode(
        JoinTask.self, from: Data(contentsOf: JoinTask.file(in: directory)))
      let store = try FeedStore.open(
        directory: directory, options: StoreOptions(now: { TestCache.start }))
      let folder = store.reader.sharedFolder
      let exchange = FolderExchange(folder, machine: 2)
      func die() { kill(getpid(), SIGKILL) }
      try await exchange.begin(path: task.path)
      try Data().write(to: URL(filePath: directory + "/begun"))
      if task.point == .begun { die() }
      try await folder.join(.merge)
      if case .steps(let steps) = task.point {
        for _ in 0..<steps { _ = try await folder.advance() }
        die()
      }
      if task.point == .anywhere {
        try await exchange.run()
        while true { try await Task.sleep(for: .seconds(1)) }
      }
      let row = try #require(try folder.folder())
      let entries = try await folder.unsent(limit: 2_000)
      let file = SegmentWriter.file(entries, of: row.device, named: row.name, try folder.report())
      try await folder.willWrite(file.name)
      if task.point == .beforeFile { die() }
      let files = FolderFiles(path: task.path)
      if task.point == .inFile {
        let own = "\(task.path)/devices/\(row.device.text)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        try Data(file.bytes.prefix(file.bytes.count / 2)).write(
          to: URL(filePath: own + "/.weir-new.tmp"))
        die()
      }
      try files.write(file.bytes, to: file.name, of: row.device)
      die()
    }
  }

  @Suite("A process that is killed while it joins a folder", .countsFailures)
  struct FolderKillTests {
    private static let count = 600

    private static func machine(_ number: UInt64, _ path: String) async throws -> Machine {
      let machine = try Machine(number, path)
      let feed = try await machine.cache.feed("a")
      try await machine.cache.merge(feed, (1...count).map { .dated($0) })
      return machine
    }

    private static func unread(_ machine: Machine) throws -> Int {
      try machine.cache.all(ArticleQuery(scope: .all)).count { !$0.status.isRead }
    }

    /// Lets a second process join with the cache of `desk` until it is dead.
    private static func join(_ desk: Machine, killedAt point: KillPoint, _ delay: Duration)
      async throws
    {
      let directory = desk.cache.directory
      try JSONEncoder().encode(JoinTask(path: desk.path, point: point)).write(
        to: JoinTask.file(in: directory))
      let process = try SecondProcess.start(in: directory, as: "OtherOnboarding")
      if point == .anywhere {
        #expect(await eventually { FileManager.default.fileExists(atPath: directory + "/begun") })
        try await Task.sleep(for: delay)
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    }

    /// Numbers of the entries and keys of the states in the files of a machine.
    private static func written(
      by machine: Machine
    ) throws -> (numbers: [UInt64], states: [RegisterKey]) {
      let device = try #require(try machine.folder.folder()?.device)
      let files = FolderFiles(path: machine.path)
      var (numbers, states): ([UInt64], [RegisterKey]) = ([], [])
      for name in try files.files(of: device) {
        let bytes = try #require(try files.bytes(of: name, device))
        var reader = try SegmentReader(bytes, named: name, of: device)
        while let next = reader.next() {
          let entry = try next.get()
          numbers.append(entry.number)
          states += entry.registers(from: device).map(\.0)
        }
      }
      return (numbers, states)
    }

    private static func check(_ point: KillPoint, _ delay: Duration = .zero) async throws {
      let path = NSTemporaryDirectory() + "weir-folder-\(UUID())"
      let (laptop, desk) = (try await machine(1, path), try await machine(2, path))
      let all = try laptop.cache.all(ArticleQuery(scope: .all))
      try await laptop.reader.states.set(.read, all.prefix(500).map(\.id), true)
      try await laptop.join()
      try await desk.star(7)
      try await desk.reader.states.set(.read, try desk.cache.all(.all).suffix(50).map(\.id), true)
      try await join(desk, killedAt: point, delay)
      #expect(try desk.cache.store.file.integrityProblems().isEmpty)
      if try desk.folder.folder()?.isJoined != true {
        try await desk.exchange.begin(path: path)
        try await desk.folder.join(.merge)
      }
      for _ in 0..<2 {
        try await desk.run()
        try await laptop.run()
      }
      #expect(try unread(laptop) == 50 && unread(desk) == 50, "\(point)")
      #expect(try laptop.stars() == desk.stars() && desk.stars().count { $0 } == 1, "\(point)")
      #expect(try laptop.folder.folder()?.digest == desk.folder.folder()?.digest, "\(point)")
      #expect(try desk.folder.waiting() == 0)
      let written = try written(by: desk)
      #expect(written.numbers == Array(1...UInt64(written.numbers.count)), "\(point)")
      #expect(Set(written.states).count == written.states.count, "\(point)")
      #expect(try await desk.reader.journal.undo()?.kind == .joinFolder, "\(point)")
      #expect(try unread(desk) == count - 50 && desk.folder.folder() == nil, "\(point)")
      #expect(try desk.stars().count { $0 } == 1)
      try? FileManager.default.removeItem(atPath: path)
    }

    @Test("Joining goes on after a kill at each step, and stays one undo step")
    func steps() async throws {
      let points: [KillPoint] =
        [.begun] + (0...4).map { .steps($0) } + [.beforeFile, .inFile, .afterFile]
      for point in points { try await Self.check(point) }
    }

    @Test("Joining goes on after a kill at any time") func anywhere() async throws {
      let rounds = Soak.length(short: 2, long: 200)
      var random = SeededRandom(seed: 43)
      for _ in 0..<rounds {
        try await Self.check(.anywhere, .milliseconds(.random(in: 0...250, using: &random)))
      }
      Soak.report(
        "kill -9 while a folder is joined", "\(rounds) rounds",
        "equal states, no entry twice, one undo step")
    }
  }
#endif
