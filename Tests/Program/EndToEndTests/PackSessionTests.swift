@Suite("Packs from the shell", .ownThreads) struct PackSessionTests {
  private static let text = String(
    repeating: "This is the whole text of the article, long enough to be one. ", count: 20)

  /// Returns a home with twelve articles, whose pages have a picture each.
  private func home(
    pictureDelay: Double = 0, pictureSize: Int = 20_000
  ) throws -> (CommandFixture, Origin) {
    let (fixture, origin) = (try CommandFixture(), try Origin())
    var items = ""
    for number in 0..<12 {
      items += "<item><guid>\(number)</guid><title>Item \(number)</title>"
      items +=
        "<link>\(origin.url("/page/\(number)"))</link><description>Short.</description></item>"
    }
    let feed =
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Many</title>\(items)</channel></rss>"
    origin.on("/feed", .answer(feed))
    origin.on("/page/") { request in
      let number = request.path.split(separator: "/").last ?? ""
      return .answer(
        "<html><body><article><h1>Item \(number)</h1><p>\(Self.text)</p>"
          + "<img src=\"/picture/\(number)\" width=\"640\" height=\"480\"></article></body></html>",
        type: "text/html")
    }
    origin.on("/picture/") { _ in
      .answer(SamplePictures.png + [UInt8](repeating: 0, count: pictureSize), type: "image/png")
        .after(pictureDelay)
    }
    try fixture.weir("remove", "weir:guide")
    #expect(try fixture.weir("add", origin.url("/feed")).code == 0)
    #expect(try fixture.weir("sync", "--all").code == 0)
    origin.forget()
    return (fixture, origin)
  }

  private func status(_ fixture: CommandFixture) throws -> [String: Any] {
    try #require(try fixture.weir("pack", "status", "--json").json() as? [String: Any])
  }

  @Test("A pack fetches everything once, texts before pictures, and reports that")
  func whole() throws {
    let (fixture, origin) = try home()
    let outcome = try fixture.weir("pack", "--budget", "5M")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.first?.hasPrefix("12 articles, ") == true)
    #expect(
      outcome.lines.last?.hasPrefix("Pack complete: no more articles · ") == true,
      "\(outcome.output)")
    let paths = origin.log.map(\.path)
    #expect(paths.count == 24 && Set(paths).count == 24)
    #expect(paths.prefix(12).allSatisfy { $0.hasPrefix("/page/") })
    let end = try status(fixture)
    #expect(end["end"] as? String == "complete")
    #expect((end["texts"] as? [String: Any])?["done"] as? Int == 12)
    #expect((end["pictures"] as? [String: Any])?["done"] as? Int == 12)
    #expect(try fixture.weir("pack", "stop").output.contains("No pack is being made"))
    // A second pack requests nothing.
    origin.forget()
    #expect(try fixture.weir("pack", "--budget", "5M").code == 0)
    #expect(origin.log.isEmpty)
  }

  @Test("A pack can be written as a book, with the texts and the pictures of its articles")
  func book() throws {
    let (fixture, origin) = try home()
    defer { origin.stop() }
    let file = fixture.home.path + "/evening.epub"
    try Data("an older file".utf8).write(to: URL(filePath: file))
    let outcome = try fixture.weir("pack", "--budget", "5M", "--epub", file)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.last == "Wrote 12 articles to \(file)")
    let book = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    #expect(book.hasPrefix("PK") && book.contains("application/epub+zip"))
    #expect(book.contains("EPUB/article0012.xhtml") && !book.contains("EPUB/article0013.xhtml"))
    #expect(book.contains("EPUB/picture12.") && !book.contains("EPUB/picture13."))
    // The reader writes the same articles from their list.
    try fixture.reader("--offline").waitFor("Many").type("G\r").waitFor("Item 11")
      .type(":save-list\r").waitFor("Save as a book to: ~/Many.epub").type("\r")
      .waitFor("Wrote 12 articles to ~/Many.epub").type("Q").exit(0)
    let list = try Data(contentsOf: fixture.home.appending(path: "Many.epub"))
    #expect(String(decoding: list, as: UTF8.self).contains("EPUB/picture12."))
  }

  @Test("The daily page is printed, and written as a book") func today() throws {
    let (fixture, origin) = try home()
    defer { origin.stop() }
    let printed = try fixture.weir("page", "10")
    #expect(printed.code == 0 && printed.lines.count == 2, "\(printed.output)\(printed.errors)")
    let json = try fixture.weir("page", "--json").output
    #expect(json.components(separatedBy: "\"minutes\":1").count == 3, "\(json)")
    let file = fixture.home.path + "/today.epub"
    #expect(try fixture.weir("page", "-o", file).lines.last == "Wrote 2 articles to \(file)")
    #expect(try fixture.weir("page", "0").code == 64)
    #expect(try fixture.weir("page", "--json", "--epub", file).code == 64)
  }

  @Test("The parts that failed are listed with their articles, reasons and addresses")
  func failures() throws {
    let (fixture, origin) = try home()
    defer { origin.stop() }
    for path in ["/page/3", "/picture/5"] { origin.on(path, .status(404)) }
    origin.on("/picture/7", .answer("<p>No picture.</p>", type: "text/html"))
    let outcome = try fixture.weir("pack", "--budget", "5M")
    let listed = outcome.lines.filter { $0.hasPrefix("  failed: ") }
    #expect(
      Set(listed) == [
        "  failed: Item 3: 127.0.0.1 has no such page (404): \(origin.url("/page/3"))",
        "  failed: Item 5: 127.0.0.1 has no such picture (404): \(origin.url("/picture/5"))",
        "  failed: Item 7: the server sent something that isn\u{2019}t a picture: "
          + origin.url("/picture/7"),
      ], "\(outcome.output)")
    #expect(outcome.lines.contains { $0.hasPrefix("Pack ") && $0.contains("3 failed") })
  }

  @Test("A pack takes every article that the search finds, within the budget") func room() throws {
    let (fixture, origin) = try home()
    defer { origin.stop() }
    let outcome = try fixture.weir("pack", "--budget", "350k", "feed:many")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.first == "12 articles, 48 min to read; 12 texts to fetch", "\(outcome.output)")
    let end = try status(fixture)
    #expect(end["end"] as? String == "complete", "\(end)")
    #expect(end["articles"] as? Int == 12 && origin.log.count == 24)
  }

  @Test("The budget is kept, and the pack reports that no more fits") func budget() throws {
    let (fixture, origin) = try home()
    defer { origin.stop() }
    let outcome = try fixture.weir("pack", "--budget", "150k", "feed:many")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let end = try status(fixture)
    let received = try #require(end["received"] as? Int)
    #expect((20_000...153_000).contains(received), "\(received)")
    #expect(outcome.output.contains("no more fits into the budget"), "\(outcome.output)")
  }

  @Test("A killed pack continues, and nothing that was stored is fetched again")
  func killed() throws {
    let (fixture, origin) = try home(pictureDelay: 0.3)
    let running = try fixture.start(["pack", "--budget", "5M"])
    let end = Patience.end
    while origin.log.count < 16, ContinuousClock.now < end { usleep(5_000) }
    kill(running.process, SIGKILL)
    _ = try running.outcome()
    let before = try status(fixture)
    #expect(before["ended"] == nil)
    let stored =
      ((before["texts"] as? [String: Any])?["done"] as? Int ?? 0)
      + ((before["pictures"] as? [String: Any])?["done"] as? Int ?? 0)
    origin.forget()
    let outcome = try fixture.weir("pack")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try status(fixture)["end"] as? String == "complete")
    // The origin may read a request of the killed process only now, and a picture may be stored
    // that its pack had not counted.
    let again = Set(origin.log.map(\.path))
    #expect(!again.isEmpty && again.count <= 24 - stored, "\(stored) stored; \(again.sorted())")
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test("A full disk stops a pack, which reports that and continues when there is space")
  func fullDisk() throws {
    let (fixture, origin) = try home(pictureSize: 6_000_000)
    defer { origin.stop() }
    // Files are limited to 5 MB, as if the disk were full: texts fit, pictures do not. The received
    // parts of pictures count, up to six at once.
    let full = try fixture.shell("ulimit -f 10000; exec \"$WEIR\" pack --budget 200M")
    #expect(full.code == 1, "\(full)")
    #expect(full.errors.contains("The disk is full; the pack stopped."), "\(full.errors)")
    let stopped = try fixture.weir("pack", "status").output
    #expect(stopped.contains("stopped because the disk is full"), "\(stopped)")
    #expect((try status(fixture)["texts"] as? [String: Any])?["done"] as? Int == 12)
    #expect(try fixture.weir("doctor").code == 0)
    origin.forget()
    let resumed = try fixture.weir("pack")
    #expect(resumed.code == 0, "\(resumed.errors)")
    let paths = origin.log.map(\.path)
    #expect(paths.count == 12 && paths.allSatisfy { $0.hasPrefix("/picture/") }, "\(paths)")
    let end = try status(fixture)
    #expect(end["end"] as? String == "complete" && end["budget"] as? Int == 200_000_000)
    #expect(try fixture.weir("doctor").code == 0)
  }

  @Test("A disk without any space stops a pack too") func noRoom() throws {
    let (fixture, origin) = try home(pictureSize: 1_000_000)
    defer { origin.stop() }
    let disk = fixture.home.appending(path: "disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    // Only root may mount.
    guard try Shell.run("mount -t tmpfs -o size=9m weir '\(disk)'") == 0 else { return }
    defer { _ = try? Shell.run("umount -l '\(disk)'") }
    let data = disk + "/data"
    func weir(_ words: String...) throws -> CommandFixture.Outcome {
      try fixture.start(["--data-dir", data] + words).outcome()
    }
    #expect(try weir("add", origin.url("/feed")).code == 0)
    #expect(try weir("sync", "--all").code == 0)
    let full = try weir("pack", "--budget", "90M", "feed:many")
    #expect(full.code == 1 && full.errors.contains("disk is full"), "\(full)")
    #expect(try Shell.run("mount -o remount,size=64m '\(disk)'") == 0)
    #expect(try weir("doctor").output.contains(": OK"))
    let resumed = try weir("pack")
    #expect(resumed.code == 0 && resumed.output.contains("Pack complete"), "\(resumed)")
    #expect(try weir("doctor").code == 0)
  }

  @Test("A pack without a network gives an error or no output, and bad arguments are usage errors")
  func offline() throws {
    let (fixture, origin) = try home()
    origin.stop()
    let outcome = try fixture.weir("pack", "--budget", "5M", "--quiet")
    #expect(outcome.code == 1 || outcome.output.isEmpty)
    #expect(try fixture.weir("pack", "--budget", "much").code == 64)
    for removed in [
      ["--hours", "3"], ["--by", "07:40"], ["--line", "edge"], ["--discussions"], ["--today"],
    ] {
      #expect(try fixture.start(["pack"] + removed).outcome().code == 64, "\(removed)")
    }
  }

  @Test("A file larger than its feed states ends at the budget, and nothing of it is kept")
  func largeFile() throws {
    let (fixture, origin) = (try CommandFixture(), try Origin())
    let item =
      "<item><guid>1</guid><title>Talk</title><description>\(Self.text)</description>"
      + "<enclosure url=\"\(origin.url("/talk.mp3"))\" type=\"audio/mpeg\" length=\"10\"/></item>"
    origin.on(
      "/feed",
      .answer(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Talks</title>\(item)"
          + "</channel></rss>"))
    origin.on("/talk.mp3", .answer([UInt8](repeating: 1, count: 8_000_000), type: "audio/mpeg"))
    try fixture.weir("remove", "weir:guide")
    #expect(try fixture.weir("add", origin.url("/feed")).code == 0)
    #expect(try fixture.weir("sync", "--all").code == 0)
    let outcome = try fixture.weir("pack", "--budget", "400k", "--audio", "feed:talks")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let end = try status(fixture)
    #expect((end["audio"] as? [String: Any])?["leftOut"] as? Int == 1)
    #expect(end["end"] as? String == "budget")
    #expect(outcome.output.contains("1 part left out to stay within the budget"))
    let folder = fixture.home.appending(path: "Downloads").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    #expect(files.isEmpty, "\(files)")
  }
}
