@Suite("Downloads of the program", .ownThreads) struct DownloadSessionTests {
  /// A file whose neighbouring parts differ, so that a repeated or lost part is noticed.
  private static let file = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ ($0 >> 8)) }
  private static let half = 120_000

  /// Returns a fixture with one feed, whose file is downloaded when it arrives.
  private func fixture(
    _ origin: Origin, settings: String = ""
  ) throws -> (fixture: CommandFixture, folder: URL) {
    let fixture = try CommandFixture()
    let folder = fixture.home.appending(path: "Podcasts")
    try fixture.file(
      ".config/weir/config.toml",
      """
      [open]
      downloads = "~/Podcasts"
      [downloads]
      \(settings)
      [feeds."\(origin.url("/feed"))"]
      download = "latest 1"
      """)
    origin.on(
      "/feed",
      .answer(
        "<rss version=\"2.0\"><channel><title>Pod</title><item><guid>1</guid><title>One</title>"
          + "<pubDate>21 Nov 2026 10:00:00 GMT</pubDate>"
          + "<enclosure url=\"\(origin.url("/talk.mp3"))\" type=\"audio/mpeg\"/></item>"
          + "</channel></rss>"))
    return (fixture, folder)
  }

  /// Returns the files of a folder and of folders within it.
  private func files(_ folder: URL) -> [String] {
    (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted()
  }

  /// Sends the beginning of the file, and the rest when the returned gate is unlocked.
  private func serve(_ origin: Origin, headers: [(String, String)], hasRanges: Bool) -> Gate {
    let gate = Gate()
    origin.on("/talk.mp3") { request in
      let range = request.header("Range").flatMap { text in
        Int(text.dropFirst("bytes=".count).prefix { $0.isNumber })
      }
      if hasRanges, let range, range <= Self.file.count {
        let rest = Array(Self.file[range...])
        return Reply(steps: [
          Reply.head(
            206,
            headers + [
              ("Content-Length", "\(rest.count)"),
              ("Content-Range", "bytes \(range)-\(Self.file.count - 1)/\(Self.file.count)"),
            ]), .bytes(rest),
        ])
      }
      let head = Reply.head(200, headers + [("Content-Length", "\(Self.file.count)")])
      return gate.isOpen
        ? Reply(steps: [head, .bytes(Self.file)])
        : Reply(steps: [head, .bytes(Array(Self.file.prefix(Self.half))), .hang])
    }
    return gate
  }

  private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var open = false
    var isOpen: Bool { lock.withLock { open } }
    func unlock() { lock.withLock { open = true } }
  }

  /// Kills a sync without cleanup when it has fetched half of the file.
  /// - Parameter version: The server's version of the file, which is in the cache by then.
  private func killHalfway(
    _ fixture: CommandFixture, _ folder: URL, version: String? = nil
  ) throws {
    let sync = try fixture.start(["sync"])
    let end = Patience.end
    func size() -> Int {
      let part = files(folder).first { $0.hasSuffix(".part") }
        .map { folder.appending(path: $0).path }
      let facts = part.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
      return facts?[.size] as? Int ?? 0
    }
    func isStored() -> Bool {
      guard let version = version.map({ Data($0.utf8) }) else { return true }
      return ["weir.db", "weir.db-wal"].contains { name in
        let bytes = try? Data(contentsOf: fixture.dataDirectory.appending(path: name))
        return bytes?.range(of: version) != nil
      }
    }
    while size() < Self.half || !isStored(), ContinuousClock.now < end { usleep(5_000) }
    #expect(size() == Self.half && isStored())
    kill(sync.process, SIGKILL)
    #expect(try sync.outcome().code == 128 + SIGKILL)
    #expect(files(folder).count == 1)
  }

  private func content(_ folder: URL, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  @Test("After kill -9 during a download, the rest is fetched without loss or repetition")
  func killed() throws {
    let origin = try Origin()
    let (fixture, folder) = try fixture(origin)
    _ = serve(origin, headers: [("ETag", "\"v1\""), ("Accept-Ranges", "bytes")], hasRanges: true)
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try killHalfway(fixture, folder, version: "\"v1\"")
    origin.forget()
    #expect(try fixture.weir("sync").code == 0)
    let request = origin.log.first { $0.path == "/talk.mp3" }
    #expect(request?.header("Range") == "bytes=\(Self.half)-")
    #expect(request?.header("If-Range") == "\"v1\"")
    #expect(files(folder) == ["talk.mp3"])
    #expect(try content(folder, "talk.mp3") == Self.file)
    // The file is complete, so nothing is requested again.
    origin.forget()
    #expect(try fixture.weir("sync", "--all").code == 0)
    #expect(!origin.log.contains { $0.path == "/talk.mp3" })
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test(
    "A server without Range sends the whole file again, without loss or repetition",
    arguments: [[], [("ETag", "\"v1\"")]])
  func withoutRange(headers: [(String, String)]) throws {
    let origin = try Origin()
    let (fixture, folder) = try fixture(origin)
    let gate = serve(origin, headers: headers, hasRanges: false)
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    try killHalfway(fixture, folder)
    gate.unlock()
    #expect(try fixture.weir("sync").code == 0)
    #expect(files(folder) == ["talk.mp3"])
    #expect(try content(folder, "talk.mp3") == Self.file)
  }

  @Test("A download within the configured limit is saved, and the doctor counts it")
  func configured() throws {
    let origin = try Origin()
    let (fixture, folder) = try fixture(origin, settings: "per-day = 1")
    let gate = serve(origin, headers: [], hasRanges: false)
    gate.unlock()
    try fixture.weir("add", "--unchecked", origin.url("/feed"))
    #expect(try fixture.weir("sync").code == 0)
    #expect(files(folder) == ["talk.mp3"])
    #expect(try content(folder, "talk.mp3") == Self.file)
    #expect(
      try fixture.weir("doctor").output.contains("Downloads: 1 file, 300 kB, in \(folder.path)"))
  }
}
