@testable import SyncEngine

@Suite("Running downloads") struct DownloadTests {
  private let url = "http://a.example/audio/talk.mp3"

  /// A fixture with an article whose file was requested, and the download folder.
  private func asked(
    _ url: String? = nil
  ) async throws -> (fixture: EngineFixture, download: Download, folder: String) {
    let fixture = try EngineFixture()
    let id = try await fixture.article(
      "<enclosure url=\"\(url ?? self.url)\" type=\"audio/mpeg\" length=\"4\"/>")
    let download = try #require(try await fixture.downloads.requestDownloads(of: id).first)
    return (fixture, download, fixture.directory + "/Downloads")
  }

  private func run(_ fixture: EngineFixture, _ folder: String) async {
    _ = await fixture.controller { $0.downloadFolder = folder }.runUntilIdle(.requested)
  }

  private func files(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func failure(_ fixture: EngineFixture, _ id: Int64) throws -> RefreshFailure? {
    guard case .failed(let failure) = try fixture.downloads.download(id)?.state else {
      return nil
    }
    return failure
  }

  @Test("A file is saved with private permissions and never replaces another")
  func filesArePrivateAndUnique() async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .reply(200, [("Content-Type", "audio/mpeg")], "sound"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: folder + "/talk.mp3"))
    symlink("/etc/passwd", folder + "/talk (2).mp3")
    await run(fixture, folder)
    let path = folder + "/talk (3).mp3"
    #expect(try fixture.downloads.download(download.id)?.state == .saved(path: path))
    #expect(files(folder) == ["talk (2).mp3", "talk (3).mp3", "talk.mp3"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "sound")
    #expect(try String(contentsOfFile: folder + "/talk.mp3", encoding: .utf8) == "mine")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("A saved file is fetched again only if it is missing")
  func missingFileIsRefetched() async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .reply(200, [], "sound"))
    await run(fixture, folder)
    try await fixture.downloads.requestDownloads(of: download.article)
    fixture.web.forget()
    await run(fixture, folder)
    #expect(fixture.web.log.isEmpty)
    try FileManager.default.removeItem(atPath: folder + "/talk.mp3")
    try await fixture.downloads.requestDownloads(of: download.article)
    await run(fixture, folder)
    #expect(fixture.web.requests(to: url).count == 1)
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test(
    "No file name leads out of the folder",
    arguments: [
      "http://a.example/x/..%2F..%2F.ssh%2Fauthorized_keys", "http://a.example/%2Fetc%2Fpasswd",
      "http://a.example/..%00%0A", "http://a.example/-o%20x", "http://a.example/.bashrc",
      "http://a.example/%2e%2e", "http://a.example/..%5C..%5Cx",
      "http://a.example/%1B%5D0%3Bx%07%E2%80%AEfdp.exe",
      "http://a.example/" + String(repeating: "x", count: 1_000) + ".mp3",
      "http://a.example/?f=/../../x", "http://a.example/%F0%9F%92%A9%FF",
    ])
  func fileNamesStayInFolder(url: String) async throws {
    let (fixture, download, folder) = try await asked(url)
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    await run(fixture, folder)
    guard case .saved(let path) = try fixture.downloads.download(download.id)?.state
    else {
      Issue.record("\(String(describing: try fixture.downloads.download(download.id)))")
      return
    }
    #expect(URL(filePath: path).deletingLastPathComponent().path == URL(filePath: folder).path)
    #expect(files(folder) == [URL(filePath: path).lastPathComponent])
    #expect(files(fixture.directory).contains("x") == false)
    let name = try #require(files(folder).first)
    #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && name.utf8.count <= 255)
  }

  @Test("The server cannot choose the name of a file") func theServerNamesNothing() async throws {
    let (fixture, download, folder) = try await asked()
    let other = "http://a.example/elsewhere/..%2F..%2Fb.mp3"
    fixture.web.on(url, .status(302, [("Location", other)]))
    let disposition = "attachment; filename=\"../../.profile\"; filename*=UTF-8''..%2F.profile"
    fixture.web.on(other, .reply(200, [("Content-Disposition", disposition)], "sound"))
    await run(fixture, folder)
    #expect(
      try fixture.downloads.download(download.id)?.state == .saved(path: folder + "/talk.mp3"))
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test(
    "Only web addresses are requested",
    arguments: [
      "file:///etc/passwd", "ftp://a.example/x.mp3", "javascript:alert(1)", "data:text/plain,x",
      "/etc/passwd", "exec:touch x",
    ])
  func onlyWebIsRequested(url: String) async throws {
    let fixture = try EngineFixture()
    let id = try await fixture.article(
      "<enclosure url=\"\(url)\" type=\"audio/mpeg\" length=\"4\"/>")
    let downloads = try await fixture.downloads.requestDownloads(of: id)
    #expect(downloads.allSatisfy { $0.url.hasPrefix("http://a.example/") })
    fixture.web.forget()
    await run(fixture, fixture.directory + "/Downloads")
    #expect(fixture.web.log.allSatisfy { $0.url.hasPrefix("http://a.example/") })
  }

  @Test("A file that cannot be written fails with the system's error message")
  func writeErrorIsReported() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/weir-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try DownloadFile(
      in: folder, name: ".weir-x.part", validator: nil, clock: .system, began: { _ in },
      grown: { _, _, _ in })
    file.discard()
    #expect([UInt8]("x".utf8).withUnsafeBytes { !file.write($0) })
    #expect(file.failure == .said("Bad file descriptor"))
    #expect(throws: DownloadFile.Refusal.self) { try file.save(as: "x") }
    #expect(files(folder).isEmpty)
  }

  @Test(
    "A failed download is stored with its reason and leaves no file",
    arguments: [
      (FakeWeb.Answer.status(404), RefreshFailure.Kind.httpStatus), (.status(401), .unauthorized),
      (.status(407), .httpStatus), (.failure(.proxy), .proxy),
      (.status(429, [("Retry-After", "100")]), .rateLimited), (.failure(.tooLarge), .tooLarge),
      (.failure(.truncated), .truncated), (.failure(.forbiddenAddress), .forbiddenAddress),
    ])
  func failedDownloadIsStored(answer: FakeWeb.Answer, kind: RefreshFailure.Kind) async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, answer)
    await run(fixture, folder)
    #expect(try failure(fixture, download.id)?.kind == kind)
    #expect(files(folder).isEmpty)
  }

  @Test("A folder that cannot be created is reported, and nothing is requested")
  func folderErrorIsReported() async throws {
    let (fixture, download, _) = try await asked()
    fixture.web.on(url, .reply(200, [], "sound"))
    await run(fixture, "/proc/nothing/Downloads")
    let failure = try #require(try failure(fixture, download.id))
    #expect(failure.kind == .storage)
    #expect(failure.detail == "No such file or directory")
    #expect(fixture.web.requests(to: url).isEmpty)
  }

  @Test("A download that is cancelled while it runs ends and leaves no file")
  func cancelledDownloadEnds() async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .hang)
    fixture.web.forget()
    let controller = fixture.startedController { $0.downloadFolder = folder }
    await fixture.web.waitForRequests(1)
    try await fixture.downloads.removeDownload(download.id, ifWaiting: true)
    try await expectEventually { fixture.web.inFlight == 0 && files(folder).isEmpty }
    await controller.end()
    #expect(try fixture.downloads.download(download.id) == nil)
  }

  @Test("Offline, a download waits for the network") func downloadWaitsOffline() async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .failure(.offline))
    _ = await fixture.runWithTime(fixture.controller { $0.downloadFolder = folder })
    #expect(try fixture.downloads.download(download.id)?.state == .waiting)
    fixture.web.on(url, .reply(200, [], "sound"))
    await run(fixture, folder)
    #expect(files(folder) == ["talk.mp3"])
  }

  // MARK: Going on

  private let tag = [("ETag", "\"v1\""), ("Accept-Ranges", "bytes")]

  private func saved(_ fixture: EngineFixture, _ id: Int64) throws -> String? {
    guard case .saved(let path) = try fixture.downloads.download(id)?.state else {
      return nil
    }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A download resumes after a lost connection, with the version that it began with")
  func goesOn() async throws {
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .cut(200, tag, "first "))
    await run(fixture, folder)
    #expect(try failure(fixture, download.id) != nil)
    #expect(files(folder).count == 1 && files(folder)[0].hasPrefix(".weir-"))
    fixture.web.on(url) { request in
      let range = request.headers.first { $0.name == "Range" }?.value
      let version = request.headers.first { $0.name == "If-Range" }?.value
      guard range == "bytes=6-", version == "\"v1\"" else { return .status(400) }
      return .reply(206, [("Content-Range", "bytes 6-11/12"), ("ETag", "\"v1\"")], "second")
    }
    try await fixture.downloads.requestDownloads(of: download.article)
    await run(fixture, folder)
    #expect(try saved(fixture, download.id) == "first second")
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test("A server that sends the whole file again, or another part, duplicates nothing")
  func doublesNothing() async throws {
    for answer in [
      FakeWeb.Answer.reply(200, [("ETag", "\"v2\"")], "all of it"),
      .reply(206, [("Content-Range", "bytes 0-8/9")], "all of it"), .status(416),
    ] {
      let (fixture, download, folder) = try await asked()
      fixture.web.on(url, .cut(200, tag, "first "))
      await run(fixture, folder)
      fixture.web.on(url) { request in
        request.headers.contains { $0.name == "Range" } ? answer : .reply(200, [], "all of it")
      }
      try await fixture.downloads.requestDownloads(of: download.article)
      await run(fixture, folder)
      if try failure(fixture, download.id) == nil {
        #expect(try saved(fixture, download.id) == "all of it")
      } else {
        // The server sent another part than requested: the download fails and starts again.
        try await fixture.downloads.requestDownloads(of: download.article)
        await run(fixture, folder)
        #expect(try saved(fixture, download.id) == "all of it")
      }
      #expect(files(folder) == ["talk.mp3"])
    }
  }

  @Test("A download that a killed process left is resumed by the next process")
  func afterAKill() async throws {
    let (fixture, download, folder) = try await asked()
    // The state after kill -9: the row is pending, and the file has the first bytes.
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = PartialName.name(download.id, url: url, directory: fixture.directory)
    try Data("first ".utf8).write(to: URL(filePath: folder + "/" + name))
    try await fixture.store.engine.downloads.setDownloadValidator(download.id, "\"v1\"")
    fixture.web.on(url, .reply(206, [("Content-Range", "bytes 6-11/12")], "second"))
    await run(fixture, folder)
    #expect(try saved(fixture, download.id) == "first second")
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test("A file without a validator, or compressed, starts again; a stopped one leaves nothing")
  func beginsAnew() async throws {
    for headers in [[("ETag", "W/\"v1\"")], tag + [("Content-Encoding", "gzip")], []] {
      let (fixture, download, folder) = try await asked()
      fixture.web.on(url, .cut(200, headers, "first "))
      await run(fixture, folder)
      #expect(files(folder) == [])
      _ = download
    }
    let (fixture, download, folder) = try await asked()
    fixture.web.on(url, .cut(200, tag, "first "))
    await run(fixture, folder)
    #expect(files(folder).count == 1)
    try await fixture.downloads.requestDownloads(of: download.article)
    try await fixture.downloads.removeDownload(download.id, ifWaiting: true)
    let other = try #require(
      try await fixture.downloads.requestDownloads(of: download.article).first)
    #expect(other.id != download.id || other.state == .waiting)
    fixture.web.on(url, .reply(200, [], "sound"))
    await run(fixture, folder)
    #expect(files(folder) == ["talk.mp3"])
  }

  @Test("A feed can be set to download its newest files as they arrive")
  func latest() async throws {
    let fixture = try EngineFixture()
    let items = (1...4).map { number in
      "<item><guid>\(number)</guid><title>T\(number)</title>"
        + "<pubDate>0\(number) Nov 2026 10:00:00 GMT</pubDate>"
        + "<enclosure url=\"http://a.example/\(number).mp3\" type=\"audio/mpeg\" length=\"4\"/></item>"
    }
    fixture.web.on(
      "http://a.example/feed",
      .feed("<rss version=\"2.0\"><channel><title>A</title>\(items.joined())</channel></rss>"))
    fixture.web.onAnythingElse { _ in .reply(200, [], "sound") }
    var options = FeedOptions()
    options.set(.download, to: "latest 2")
    _ = try await fixture.feeds.subscribe(
      [OutlineEntry(url: "http://a.example/feed", options: options)], mayBeOwn: true)
    _ = await fixture.controller().runUntilIdle()
    let urls = try fixture.downloads.allDownloads().map(\.download.url)
    #expect(Set(urls) == ["http://a.example/4.mp3", "http://a.example/3.mp3"])
  }
}
