import Foundation
import TestSupport

/// Measures prefetched pictures and packs on real networks: pictures present before an article is
/// opened, the delay of a sync, and a pack's bytes at the interface.
extension NetLab {
  private static let pictureSize = 60_000
  private static let hosts = 4

  func measurePictures(
    _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    print(
      "| network | pictures of the next ten articles | there before they are opened | after s |")
    print("|---|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measureAhead(timeline, origin, bottleneck, namespaces)
    }
    print("\n| network | feeds | sync s | beside pictures s | ratio | pictures meanwhile |")
    print("|---|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measureBeside(timeline, origin, bottleneck, namespaces)
    }
  }

  // MARK: Ahead of need

  /// Serves feeds whose articles have a page and two pictures each, and returns their addresses.
  /// - Parameter hasPlain: true if the first and the last article have no pictures.
  private func serveWalks(_ origin: Origin, articles: Int, hasPlain: Bool) -> [String] {
    let picture = SamplePictures.png + [UInt8](repeating: 0, count: Self.pictureSize)
    let text = String(repeating: "This is the whole text of the article, and long. ", count: 600)
    let hosts = (1...Self.hosts).map { "\(Namespaces.network).250.\($0)" }
    @Sendable func pictures(_ request: String, _ host: String) -> String {
      (0..<2).map { part in
        "<img src=\"\(origin.url("/picture/\(request)-\(part).png", host: host))\" "
          + "width=\"640\" height=\"400\">"
      }.joined()
    }
    origin.on("/picture/") { request in
      request.header("If-None-Match") == "\"1\""
        ? .status(304) : .answer(picture, type: "image/png", headers: [("ETag", "\"1\"")])
    }
    origin.on("/page/") { request in
      let number = String(request.path.split(separator: "/").last ?? "")
      let host = (request.header("Host") ?? "").split(separator: ":").first.map(String.init) ?? ""
      return .answer(
        "<html><body><article><h1>Walk \(number)</h1><p>\(number) \(text)</p>"
          + pictures(number, host) + "</article></body></html>", type: "text/html")
    }
    return hosts.enumerated().map { index, host in
      let items = (0..<articles).map { article in
        let number = "\(index)-\(article)"
        let page = origin.url("/page/\(number)", host: host)
        return "<item><guid>\(number)</guid><title>Walk \(number)</title><link>\(page)</link>"
          + "<description><![CDATA[<p>Short.</p>"
          + (hasPlain && article % (articles - 1) == 0 ? "" : pictures(number, host))
          + "]]></description></item>"
      }
      origin.on(
        "/walks-\(index)",
        .answer(
          "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Walks \(index)</title>"
            + items.joined() + "</channel></rss>"))
      return origin.url("/walks-\(index)", host: host)
    }
  }

  /// A cache with the articles, as after a sync over this network.
  private func walks(
    _ name: String, _ timeline: Timeline, _ articles: Int, hasPlain: Bool = false, _ origin: Origin,
    _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws -> String {
    let data = folder + "/\(name)-\(timeline.name)"
    bottleneck.play(.open)
    for feed in serveWalks(origin, articles: articles, hasPlain: hasPlain) {
      try spawn(namespaces, ["add", feed, "--data-dir", data])
    }
    bottleneck.play(timeline)
    try spawn(namespaces, ["sync", "--all", "--quiet", "--data-dir", data])
    origin.forget()
    return data
  }

  private func reader(
    _ data: String, _ namespaces: Namespaces, images: String = "blocks", _ words: [String] = []
  ) throws -> PseudoTerminal {
    let config = data + ".toml"
    try "[sync]\nautomatic = false\n[reader]\nimages = \"\(images)\"\n".write(
      toFile: config, atomically: true, encoding: .utf8)
    let reader = try PseudoTerminal(
      [Namespaces.ip ?? "ip", "netns", "exec", namespaces.reader, weir, "--data-dir", data]
        + ["--config", config] + words, columns: 120, rows: 40,
      environment: environment.merging(["COLORTERM": "truecolor"]) { $1 })
    guard reader.wait(for: "Walks", deadline: 60) != nil else {
      throw Namespaces.Failure(message: "the reader painted nothing")
    }
    reader.waitUntilIdle(quiet: 0.5)
    return reader
  }

  private func pause(_ reader: PseudoTerminal, _ seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end { _ = reader.read(wait: 0.05) }
  }

  private func measureAhead(
    _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    let data = try walks("ahead", timeline, 20, origin, bottleneck, namespaces)
    let reader = try reader(data, namespaces)
    defer {
      reader.send("Q")
      _ = reader.waitForExit(deadline: 20)
    }
    // Opens the list of unread articles, and its first article.
    reader.send("gg\r", quiet: 0.5)
    reader.send("gg\r")
    let began = ContinuousClock.now
    var after = 0.0
    let wanted = 22
    while (ContinuousClock.now - began).seconds < 30 {
      pause(reader, 0.1)
      if after == 0, fetched(origin).count >= wanted {
        after = (ContinuousClock.now - began).seconds
        break
      }
    }
    pause(reader, 2)
    let before = fetched(origin)
    // Pictures present in opened articles are not requested again.
    var missed = 0
    for _ in 0..<10 {
      let count = origin.log.count
      reader.send("J")
      pause(reader, 1)
      let new = origin.log.dropFirst(count).map(\.path)
      missed += new.count { before.contains($0) }
    }
    let there = max(0, before.count - 2 - missed)
    print("| \(timeline.name) | 20 | \(min(20, there)) | \(after > 0 ? after.text(1) : "never") |")
    fflush(nil)
  }

  private func fetched(_ origin: Origin) -> Set<String> {
    Set(origin.log.map(\.path).filter { $0.hasPrefix("/picture/") })
  }

  // MARK: Beside a sync

  /// Measures a sync of all feeds from its key to the last request, with an open article whose
  /// neighbours have pictures to fetch, and with pictures off.
  private func measureBeside(
    _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    let count = feeds ?? timeline.feeds / 2
    var corpus = Corpus(feeds: count, hosts: max(1, count * 7 / 10))
    corpus.network = Namespaces.network
    serve(corpus, on: origin).prepare(corpus)
    let list = folder + "/beside-\(timeline.name).opml"
    try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
    var seconds: [String: [Double]] = [:]
    var pictures = 0
    for run in 0..<runs {
      for images in ["off", "blocks"] {
        let data = try walks(
          "b\(run)\(images)", timeline, 20, hasPlain: true, origin, bottleneck, namespaces)
        try spawn(namespaces, ["import", list, "--data-dir", data])
        origin.forget()
        let reader = try reader(data, namespaces, images: images)
        reader.send("gg\r", quiet: 0.5)
        reader.send("gg\r")
        pause(reader, 0.2)
        let began = origin.age
        reader.send("R")
        let end = ContinuousClock.now + .seconds(600)
        func feedsAsked() -> Int { origin.log.count { !$0.path.hasPrefix("/picture/") } }
        while feedsAsked() < count + Self.hosts, ContinuousClock.now < end { pause(reader, 0.1) }
        let last = origin.log.last { !$0.path.hasPrefix("/picture/") }
        seconds[images, default: []].append((last?.time ?? 0) - began)
        if images != "off" { pictures = max(pictures, fetched(origin).count) }
        reader.send("Q")
        _ = reader.waitForExit(deadline: 20)
        try FileManager.default.removeItem(atPath: data)
      }
    }
    let (off, on) = ((seconds["off"] ?? []).median, (seconds["blocks"] ?? []).median)
    print(
      "| \(timeline.name) | \(count) | \(off.text(2)) | \(on.text(2)) | \((on / off).text(3)) "
        + "| \(pictures) |")
    fflush(nil)
  }

  // MARK: Packs

  /// Bytes that the reader's interface has counted, in both directions.
  private func counted(_ namespaces: Namespaces) throws -> Int {
    let output = folder + "/counters"
    try? FileManager.default.removeItem(atPath: output)
    let files = ["rx", "tx"].map { "/sys/class/net/w0/statistics/\($0)_bytes" }
    _ = try spawn(namespaces, program: ["/bin/cat"] + files, output: output)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
  }

  private struct Status: Decodable {
    struct Stage: Decodable {
      var done: Int
      var leftOut: Int
    }
    var received: Int
    var texts: Stage
    var pictures: Stage
  }

  private func status(_ data: String, _ namespaces: Namespaces) throws -> Status {
    let output = folder + "/status"
    try? FileManager.default.removeItem(atPath: output)
    try spawn(namespaces, ["pack", "status", "--json", "--data-dir", data], output: output)
    return try JSONDecoder().decode(Status.self, from: try Data(contentsOf: URL(filePath: output)))
  }

  /// Measures packs of one budget: one without interruption, one that is killed repeatedly.
  func measurePacks(_ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces) throws {
    print(
      "| network | kills | interface MB | counted MB | texts | pictures | left out | asked twice |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      for kills in kills {
        let data = try walks("pack\(kills)", timeline, 60, origin, bottleneck, namespaces)
        try measurePack(data, timeline, kills, origin, namespaces)
      }
    }
  }

  private func measurePack(
    _ data: String, _ timeline: Timeline, _ kills: Int, _ origin: Origin, _ namespaces: Namespaces
  ) throws {
    let before = try counted(namespaces)
    var words = ["pack", "--budget", budget, "--quiet"]
    var left = kills
    while true {
      let process = try Spawn.start(
        [Namespaces.ip ?? "ip", "netns", "exec", namespaces.reader, weir] + words
          + ["--data-dir", data], environment: environment, terminal: nil,
        output: folder + "/output", errors: folder + "/errors")
      words = ["pack", "--quiet"]
      let end = ContinuousClock.now + .seconds(left > 0 ? Double(2 + (left * 7) % 5) : 3_600)
      var code: Int32 = 0
      while waitpid(process, &code, WNOHANG) == 0, ContinuousClock.now < end {
        usleep(1_000_000)
      }
      if left == 0 { break }
      left -= 1
      kill(process, SIGKILL)
      waitpid(process, &code, 0)
    }
    let end = try status(data, namespaces)
    let bytes = try counted(namespaces) - before
    let paths = Dictionary(grouping: origin.log.map(\.path)) { $0 }
    let twice = paths.values.reduce(0) { $0 + $1.count - 1 }
    let megabytes = { (bytes: Int) in (Double(bytes) / 1e6).text(2) }
    print(
      "| \(timeline.name) | \(kills) | \(megabytes(bytes)) | \(megabytes(end.received)) "
        + "| \(end.texts.done) | \(end.pictures.done) "
        + "| \(end.texts.leftOut + end.pictures.leftOut) | \(twice) |")
    fflush(nil)
  }
}
