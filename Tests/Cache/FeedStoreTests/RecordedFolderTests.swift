@testable import FeedStore
@testable import FolderStore

/// A folder of format 1 that three devices wrote. It is never recorded again: every later version
/// must read it, and write the same bytes for the same acts.
@Suite("The recorded folder of format 1") struct RecordedFolderTests {
  private static let recorded = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/folder-1")

  private static let damaged = "s-000034-000034-3e5b1d7c6ca9b14d.jsonl"
  private static let later = "s-000001-000001-8f74998cac22798d.jsonl"

  private static let items = (1...6).map { number in
    ParsedItem(
      id: "id-\(number)", url: "https://pages.example/\(number)", title: "Story \(number)",
      datePublished: TestCache.start - Double(number))
  }

  /// The acts of two devices, from which the files of both come.
  private static func act() async throws -> [FolderDevice] {
    let (laptop, desk) = (try FolderDevice(1), try FolderDevice(2))
    func wait(_ seconds: Double) {
      for device in [laptop, desk] { device.cache.clock.now += seconds }
    }
    let a = try await laptop.cache.feed("a", folder: ["News", "Linux"])
    try await laptop.cache.merge(a, items)
    _ = try await laptop.cache.feed("b")
    try await laptop.reader.feeds.rename(a, to: "Ä name, with “quotes”")
    let mine = try await desk.cache.feed("a")
    try await desk.cache.merge(mine, items)
    let c = try await desk.cache.feed("c", folder: ["News"])
    func set(_ device: FolderDevice, _ story: String, _ place: ReadingPosition?) async throws {
      try await device.reader.plan.setReadingPosition(try device.article(story), place)
    }
    // The states before joining.
    try await laptop.reader.states.set(.read, [try laptop.article("Story 1")], true)
    try await laptop.reader.states.set(.starred, [try laptop.article("Story 2")], true)
    try await set(laptop, "Story 3", ReadingPosition(block: 4, share: 0.125))
    try await desk.reader.states.set(.read, [try desk.article("Story 6")], true)
    try await desk.reader.states.set(.later, [try desk.article("Story 5")], true)
    try await laptop.join()
    wait(60)
    try await desk.join([laptop])
    wait(60)
    try await exchange([laptop, desk])
    // Acts.
    let states = laptop.reader.states
    try await states.set(
      .read, [try laptop.article("Story 3"), try laptop.article("Story 4")], true)
    try await states.changeTags(
      of: [try laptop.article("Story 4")], adding: ["linux"], removing: [])
    try await set(laptop, "Story 5", ReadingPosition(block: 12, share: 0.5))
    wait(1)
    try await desk.reader.states.set(.starred, [try desk.article("Story 2")], false)
    try await desk.reader.states.delete([try desk.article("Story 1")])
    var options = FeedOptions()
    options.sort = .oldest
    options.userAgent = "Weir, recorded"
    try await desk.reader.feeds.edit(
      c,
      FeedEdit(
        title: "", url: "https://moved.example/c", folder: ["News"], isPaused: false,
        options: options))
    wait(60)
    try await exchange([laptop, desk])
    let b = try #require(
      try laptop.reader.feeds.subscriptions().feeds.first { $0.url.hasSuffix("/b") })
    try await laptop.reader.feeds.unsubscribe([b.id])
    try await desk.reader.states.set(.read, [try desk.article("Story 4")], false)
    _ = try await desk.reader.journal.undo()
    wait(60)
    try await exchange([laptop, desk])
    return [laptop, desk]
  }

  /// Returns the files of all devices by their paths below the folder.
  private static func files() throws -> [String: [UInt8]] {
    let devices = recorded.appending(path: "devices")
    var all: [String: [UInt8]] = [:]
    for device in try FileManager.default.contentsOfDirectory(atPath: devices.path) {
      let directory = devices.appending(path: device)
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        all["\(device)/\(name)"] = Array(try Data(contentsOf: directory.appending(path: name)))
      }
    }
    return all
  }

  @Test("Files of the same acts have the same bytes") func written() async throws {
    let recorded = try Self.files()
    for device in try await Self.act() {
      let own = recorded.filter { $0.key.hasPrefix(device.id.text) }
      let written = device.files.map { ("\(device.id.text)/\($0.key.text)", $0.value) }
      let texts = Dictionary(uniqueKeysWithValues: written).mapValues {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(texts == own.mapValues { String(decoding: $0, as: UTF8.self) })
    }
  }

  @Test("Each file is equal to what its entries are written as") func rewritten() throws {
    let recorded = try Self.files()
    #expect(recorded.count >= 6)
    for (path, bytes) in recorded {
      let parts = path.split(separator: "/").map(String.init)
      let device = try #require(DeviceID(text: parts[0]))
      let name = try #require(SegmentName(parts[1]))
      var reader = try SegmentReader(bytes, named: name, of: device)
      var entries: [Entry] = []
      while let next = reader.next() { entries.append(try next.get()) }
      let file = SegmentWriter.file(
        entries, compacted: name.isCompacted ? name.range.upperBound : nil, of: device,
        named: reader.deviceName, reader.report)
      #expect(file.bytes == bytes && file.name == name, "\(path)")
    }
  }

  @Test("A new device has the recorded state") func read() async throws {
    let path = NSTemporaryDirectory() + "weir-folder-\(UUID())"
    try FileManager.default.copyItem(atPath: Self.recorded.path, toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let phone = try Machine(3, path)
    phone.cache.clock.now += 3_600
    try await phone.cache.merge(try await phone.cache.feed("a"), Self.items)
    try await phone.join()
    let folder = try #require(try phone.folder.folder())
    #expect(folder.mark == "00000000c0ffee01")
    let feeds = try phone.reader.feeds.subscriptions()
    let titles = Dictionary(uniqueKeysWithValues: feeds.folders.map { ($0.id, $0.title) })
    #expect(
      feeds.feeds.map { "\($0.url) \($0.name) \($0.folder.flatMap { titles[$0] } ?? "-")" }.sorted()
        == [
          "https://example.org/a Ä name, with “quotes” Linux",
          "https://moved.example/c https://moved.example/c News",
        ])
    let c = try #require(feeds.feeds.first { $0.url.hasSuffix("/c") })
    let options = try phone.reader.feeds.options(of: c.id).own
    #expect(options.sort == .oldest && options.userAgent == "Weir, recorded")
    let articles = try phone.cache.all(.all).map { row in
      let tags = try phone.reader.states.tags(of: [row.id]).joined(separator: ",")
      let place = try phone.reader.plan.readingPosition(row.id)
      return "\(row.title) \(row.status.isRead ? "r" : "-")\(row.status.isStarred ? "s" : "-") "
        + "\(place.map { "\($0.block)+\($0.share)" } ?? "") \(tags)"
    }.sorted()
    #expect(
      articles == [
        "Story 2 --  ", "Story 3 r- 4+0.125 ", "Story 4 r-  linux", "Story 5 -- 12+0.5 ",
        "Story 6 r-  ",
      ])
    #expect(try phone.cache.all(ArticleQuery(scope: .smart(.later))).map(\.title) == ["Story 5"])
    #expect(feeds.searches.map { "\($0.name) \($0.query)" } == ["Kernel linux"])
    #expect(
      try phone.reader.rules.all().map { "\($0.draft.name) \($0.draft.query)" }
        == ["deals title:deals"])
    // The recorded devices and the new one agree.
    #expect(folder.digest.text == "4717fa6ebaa6d4a2")
    #expect(try phone.folder.devices().map(\.problem) == [nil, nil, nil])
  }

  /// Reads a folder of a hostile device and of a later version. It is never recorded again.
  @Test("Of a recorded hostile folder, a new device has what the format allows")
  func hostile() async throws {
    let path = NSTemporaryDirectory() + "weir-folder-\(UUID())"
    let recorded = Self.recorded.deletingLastPathComponent().appending(path: "folder-2")
    try FileManager.default.copyItem(atPath: recorded.path, toPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let phone = try Machine(3, path)
    let feed = try await phone.cache.feed("a")
    try await phone.join()
    let subscriptions = try phone.reader.feeds.subscriptions().feeds
    // Thirteen keys in a chain: eight are one feed, and the others another one.
    #expect(subscriptions.count { $0.url.hasPrefix("https://chain.example/") } == 2)
    #expect(subscriptions.count == 4)
    let record = try #require(try phone.cache.engine.fetches.fetchRecord(feed))
    #expect(record.url == "http://evil.example/f" && record.name == "After the damaged file")
    #expect(record.options.headers == nil && record.listURL == FetchRows.sharedFolder)
    let problems = try phone.folder.devices().map { device in
      "\(device.id.text) \(device.problem?.kind.rawValue ?? "") \(device.problem?.file ?? "")"
    }
    #expect(
      problems.sorted() == [
        "00000000000000a1 incomplete \(Self.damaged)", "00000000000000a2 unreadable ",
        "00000000000000a3 otherFormat \(Self.later)",
      ])
    // A field of a later version is kept, a secret setting is not.
    let fields: [String] = try phone.cache.store.database.read { db in
      try db.values(
        "SELECT field FROM folderRegister WHERE field IN ('later-field', 'option:headers')")
    }
    #expect(fields == ["later-field"])
  }
}
