@testable import FeedStore
@testable import FolderStore

/// Files that somebody who may write into the folder can put there.
@Suite("Files of a hostile folder", .countsFailures) struct HostileFilesTests {
  private static let foreign = DeviceID(rawValue: 0xF)

  private static func machine(_ number: UInt64, _ path: String) async throws -> Machine {
    let machine = try Machine(number, path)
    let feed = try await machine.cache.feed("a")
    try await machine.cache.merge(feed, (1...4).map { ParsedItem.dated($0) })
    try await machine.join()
    return machine
  }

  private let path = NSTemporaryDirectory() + "weir-folder-\(UUID())"

  /// The directory of a device that writes by hand.
  private static func place(in path: String, _ device: DeviceID = foreign) throws -> String {
    let place = "\(path)/devices/\(device.text)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    return place
  }

  private static func put(_ number: UInt64, name: String, in place: String) throws {
    let entry = Entry(
      number: number, time: Timestamp(milliseconds: TestCache.start.milliseconds),
      subject: .feed(FeedKey(address: "https://example.org/a")), field: .name, value: .string(name))
    let file = SegmentWriter.file([entry], of: foreign, named: "desk", ProgressReport())
    try Data(file.bytes).write(to: URL(filePath: "\(place)/\(file.name.text)"))
  }

  @Test("Damaged files hide no later file, and are not read again until they change")
  func damaged() async throws {
    let laptop = try await Self.machine(1, path)
    let place = try Self.place(in: path)
    for number in 1...30 {
      let name = SegmentName(UInt64(number)...UInt64(number), hash: 7).text
      let file = try FileHandle(
        forWritingTo: {
          try Data("{}\n".utf8).write(to: $0)
          return $0
        }(URL(filePath: "\(place)/\(name)")))
      // A file without blocks on the disk.
      if number > 20 { try file.truncate(atOffset: 1 << 40) }
      try file.close()
    }
    try Self.put(31, name: "Later", in: place)
    #expect(try await laptop.run() == nil)
    #expect(try laptop.reader.feeds.subscriptions().feeds.map(\.name) == ["Later"])
    func refused() throws -> [String: DeviceProblem] {
      try #require(try laptop.folder.devices().first).refused
    }
    let first = try refused()
    #expect(first.count == 30)
    #expect(first.values.count { $0.kind == .malformed } == 10)
    #expect(try await laptop.run() == nil)
    #expect(try refused() == first)
    let device = try #require(try laptop.folder.devices().first)
    #expect(device.problem?.kind == .incomplete)
    #expect(device.problem?.file == "s-000001-000001-0000000000000007.jsonl")
    // A complete file takes the place of a damaged one.
    try Self.put(1, name: "First", in: place)
    try FileManager.default.removeItem(atPath: "\(place)/s-000001-000001-0000000000000007.jsonl")
    #expect(try await laptop.run() == nil)
    #expect(try refused().count == 29)
    #expect(try laptop.folder.devices().first?.progress.contiguous == 1)
  }

  @Test("A file of a later format says so") func laterFormat() async throws {
    let laptop = try await Self.machine(1, path)
    let place = try Self.place(in: path)
    let bytes = Array("{\"weir\":2,\"device\":\"\(Self.foreign.text)\"}\n".utf8)
    try Data(bytes).write(to: URL(filePath: "\(place)/s-000001-000001-0000000000000007.jsonl"))
    for _ in 0..<2 {
      #expect(try await laptop.run() == nil)
      let problems = try laptop.folder.devices().map(\.problem)
      #expect(problems.map { $0?.kind } == [.otherFormat])
      #expect(problems.map { $0?.file } == ["s-000001-000001-0000000000000007.jsonl"])
    }
  }

  @Test("Of more files than the format allows, the newest are read") func manyFiles() throws {
    let files = FolderFiles(path: path)
    _ = try files.makeMark()
    let place = try Self.place(in: path)
    let names = (1...UInt64(Limits.files + 200)).map { SegmentName($0...$0, hash: $0) }
    for name in names + [SegmentName(1...9, isCompacted: true, hash: 1)] {
      try Data().write(to: URL(filePath: "\(place)/\(name.text)"))
    }
    let found = try files.files(of: Self.foreign)
    #expect(found.count == Limits.files && found.contains { $0.isCompacted })
    #expect(found.last == names.last && !found.contains(names[0]))
  }

  @Test(
    "Forged files of this device give it another ID each time, with short names, and it can leave")
  func forged() async throws {
    let laptop = try await Self.machine(1, path)
    let name = try #require(try laptop.folder.folder()).name
    for number in 1...70 {
      let place = try laptop.ownDirectory
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(place)/\(SegmentName(1...1, hash: 5).text)"))
      try await laptop.star(0, number % 2 == 1)
      #expect(try await laptop.run() == nil)
    }
    let row = try #require(try laptop.folder.folder())
    #expect(row.name == name + " (71)")
    #expect(try laptop.folder.waiting() == 0)
    #expect(try laptop.folder.devices().filter { !$0.isForgotten }.isEmpty)
    try await laptop.folder.end()
    #expect(try laptop.folder.folder() == nil)
  }

  @Test("A child process that begins does not keep the lock of an exchange that has ended")
  func lock() throws {
    let lock = try #require(try ExchangeLock(beside: path))
    let copy = dup(lock.descriptor)
    #expect(try ExchangeLock(beside: path)?.descriptor == nil)
    lock.release()
    defer { close(copy) }
    try #require(try ExchangeLock(beside: path)).release()
  }

  @Test("Forgetting a device makes room for another, and joining needs none")
  func room() async throws {
    let laptop = try await Self.machine(1, path)
    for number in 100..<UInt64(100 + Limits.devices) {
      _ = try Self.place(in: path, DeviceID(rawValue: number))
    }
    #expect(try await laptop.run() == .tooManyDevices)
    let phone = try Machine(3, path)
    await #expect(throws: Never.self) { try await phone.exchange.begin(path: path) }
    for number in 100..<UInt64(98 + Limits.devices) {
      try FileManager.default.removeItem(
        atPath: "\(path)/devices/\(DeviceID(rawValue: number).text)")
    }
    #expect(try await laptop.run() == nil)
    let devices = try laptop.folder.devices()
    for device in devices { try await laptop.folder.forget(device) }
    for number in 200..<UInt64(200 + Limits.devices - 1) {
      _ = try Self.place(in: path, DeviceID(rawValue: number))
    }
    #expect(try await laptop.run() == nil)
  }

  @Test("A pipe or link with a name of a temporary file blocks nothing")
  func temporary() async throws {
    let laptop = try await Self.machine(1, path)
    let place = try laptop.ownDirectory
    mkfifo(place + "/.weir-new.tmp", 0o600)
    let outside = NSTemporaryDirectory() + "weir-outside-\(UUID())"
    try Data("x".utf8).write(to: URL(filePath: outside))
    try FileManager.default.createSymbolicLink(
      atPath: place + "/.weir-0000000000000001.tmp", withDestinationPath: outside)
    try await laptop.star(0)
    #expect(try await laptop.run() == nil)
    #expect(try laptop.folder.waiting() == 0)
    #expect(try laptop.ownFiles().allSatisfy { $0.hasSuffix(".jsonl") })
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "x")
  }

  @Test("A lock that cannot be opened is named; one in use is another answer")
  func lock() async throws {
    let laptop = try await Self.machine(1, path)
    let lock = laptop.cache.store.database.path + "-folder"
    let holder = open(lock, O_RDWR)
    #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
    #expect(try await laptop.run() == nil)
    #expect(try laptop.folder.folder()?.problem == nil)
    close(holder)
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    #expect(try await laptop.exchange.run(waits: true) == .noLock)
    #expect(try laptop.folder.folder()?.problem == .noLock)
    let phone = try Machine(3, path)
    try FileManager.default.createDirectory(
      atPath: phone.cache.store.database.path + "-folder", withIntermediateDirectories: false)
    await #expect(throws: FolderProblem.noLock) { try await phone.exchange.begin(path: path) }
  }
}
