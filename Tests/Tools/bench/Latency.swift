import FeedStore
import Foundation
import HTMLContent
import TestSupport

/// Measures the time from a key to the last byte of its frame, in the largest feed and in Unread,
/// while idle and while all feeds are refreshed; the opening of feeds during a refresh; and the
/// cost of an untouched reader.
extension Bench {
  /// Parts that can be measured alone.
  enum LatencyRows: String, CaseIterable {
    case held, idle, sync, requests, quit, untouched

    static var names: String { allCases.map(\.rawValue).joined(separator: ",") }
  }

  private func measures(_ part: LatencyRows) -> Bool { rows.isEmpty || rows.contains(part) }

  /// Seconds without output after which a frame is complete.
  private static let quiet = 0.03
  private static let idleSeconds = 60.0

  func runLatency() async throws {
    let articles = scale > 0 ? scale : 100_000
    let library = Library(articles: articles, feeds: Self.feedCount, largestShare: 10)
    let data = keep ?? folder + "/latency"
    if !FileManager.default.fileExists(atPath: data + "/weir.db") {
      let options = StoreOptions(maximumNewArticles: .max, plainText: HTMLContent.plainTextBytes)
      let store = try FeedStore.open(directory: data, options: options)
      try await fill(store, library)
      store.close()
    }
    let origin = try Origin()
    defer { origin.stop() }
    let web = Web(library.corpus, by: origin)
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 3)
    print(
      "\(AmountText.grouped(articles)) articles of \(Self.feedCount) feeds, the largest with "
        + "\(AmountText.grouped(library.count(0))); load \(loads[0].text(1)) at the start.\n")
    let environment = environment.merging(
      ["http_proxy": "http://127.0.0.1:\(origin.port)"], uniquingKeysWith: { $1 })
    try "[sync]\nautomatic = false\n".write(
      toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    func start(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
      let reader = try PseudoTerminal(
        [weir, "--config", folder + "/config.toml", "--data-dir", data], columns: columns,
        rows: rows, environment: environment)
      guard reader.wait(for: "Starred", deadline: 60) != nil else {
        print("The reader painted nothing.")
        exit(1)
      }
      reader.waitUntilIdle(quiet: 1)
      return reader
    }
    if measures(.held) {
      print("| reader, 160×40, ms | median | p99 | worst | keys |")
      print("|---|--:|--:|--:|--:|")
      measureHeldKey(try start(columns: 160, rows: 40))
    }
    print("\n| reader, 80×24, ms | median | p99 | worst | keys |")
    print("|---|--:|--:|--:|--:|")
    if measures(.idle) { try measureKeys(try start(), library, web, whileSyncing: false) }
    if measures(.sync) { try measureKeys(try start(), library, web, whileSyncing: true) }
    if measures(.requests) {
      try table(
        "refresh of one feed during a sync: key to request",
        measureRequests(start(), library, web))
    }
    if measures(.quit) {
      table(
        "quit during a sync: key to shell",
        try (0..<max(5, runs)).map { _ in try measureQuit(start(), web) })
    }
    guard measures(.untouched) else { return }
    print("\n| nobody at the keys for \(Int(Self.idleSeconds)) s | |")
    print("|---|--:|")
    try measureIdle(data)
  }

  private func measureKeys(
    _ reader: PseudoTerminal, _ library: Library, _ web: Web, whileSyncing: Bool
  ) throws {
    let when = whileSyncing ? "during a sync" : "idle"
    /// Milliseconds of a key; restarts a sync that has ended.
    func press(_ key: String) -> Double? {
      if whileSyncing { web.startBusyWork(reader) }
      return self.press(reader, key)
    }

    // Unread, from the top and by single steps.
    reader.send("ggj", quiet: 0.05)
    table("Unread opened, \(when)", [press("\r")])
    table("page down in Unread, \(when)", (0..<120).map { _ in press("\u{1B}[6~") })
    table("down in Unread, \(when)", (0..<120).map { _ in press("j") })
    reader.send("q", quiet: 0.05)
    // Opens and leaves other feeds one after another.
    reader.send("gg")
    for _ in 0..<6 { reader.send("j") }
    reader.waitUntilIdle(quiet: 0.1)
    var opened: [Double?] = []
    for _ in 0..<40 {
      reader.send("j", quiet: 0.05)
      opened.append(press("\r"))
      reader.send("q", quiet: 0.05)
    }
    table("feed opened, \(when)", opened)
    reader.send("/\(library.name(0))\rG\r", quiet: 0.3)
    table("page down in the largest feed, \(when)", (0..<120).map { _ in press("\u{1B}[6~") })
    quit(reader)
  }

  /// Milliseconds from `r` on a feed to its request at the origin.
  private func measureRequests(
    _ reader: PseudoTerminal, _ library: Library, _ web: Web
  ) -> [Double?] {
    reader.send("/\(library.name(0))\rG", quiet: 0.3)
    let samples = (0..<40).map { _ in
      web.startBusyWork(reader)
      reader.waitUntilIdle(quiet: 0.2)
      return web.time(to: 0) { reader.send("r") }.map { $0 * 1e3 }
    }
    quit(reader)
    return samples
  }

  private func measureQuit(_ reader: PseudoTerminal, _ web: Web) -> Double? {
    web.startBusyWork(reader)
    reader.waitUntilIdle(quiet: 0.3)
    let start = ContinuousClock.now
    reader.send("Q")
    guard reader.waitForExit(deadline: 30) != nil else { return nil }
    return (ContinuousClock.now - start).seconds * 1e3
  }

  /// Milliseconds from a key to the last byte before the screen is quiet; `nil` without output.
  func press(_ reader: PseudoTerminal, _ key: String) -> Double? {
    let start = ContinuousClock.now
    reader.send(key)
    guard reader.read(wait: 2) else { return nil }
    var end = ContinuousClock.now
    while reader.read(wait: Self.quiet) {
      end = .now
      // The sync draws continuously.
      if (end - start).seconds > 2 { break }
    }
    reader.waitUntilIdle(quiet: 0.02)
    return (end - start).seconds * 1e3
  }

  func table(_ name: String, _ samples: [Double?]) {
    let values = samples.compactMap { $0 }.sorted()
    guard let worst = values.last else { return print("| \(name) | | | | 0 |") }
    let p99 = values[min(values.count - 1, values.count * 99 / 100)]
    print(
      "| \(name) | \(values.median.text(1)) | \(p99.text(1)) | \(worst.text(1)) | \(values.count) |"
    )
  }

  private func measureIdle(_ data: String) throws {
    let reader = try PseudoTerminal(
      [weir, "--config", folder + "/config.toml", "--data-dir", data], environment: environment)
    _ = reader.wait(for: "Starred", deadline: 60)
    reader.send("jjjj\r", quiet: 5)
    let start = Self.account(of: reader.process)
    reader.waitUntilIdle(quiet: Self.idleSeconds)
    let end = Self.account(of: reader.process)
    let wakes = end.switches.reduce(0) { $0 + $1.value - (start.switches[$1.key] ?? 0) }
    print("| wake-ups | \(wakes.text(0)) |")
    print("| CPU, ms | \(((end.cpu - start.cpu) * 1e3).text(0)) |")
    print("| resident memory, MB | \(end.resident.text(1)) |")
    quit(reader)
  }
}

/// A corpus behind a proxy, with news for every refresh.
private final class Web {
  private let corpus: Corpus
  private let origin: Origin
  private let stage = Corpus.Stage()
  /// Total requests at the end of the running refresh.
  private var expected = 0

  init(_ corpus: Corpus, by origin: Origin) {
    (self.corpus, self.origin) = (corpus, origin)
    origin.on("http://") { [corpus, stage] request in
      let name = request.path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
      guard let feed = Int(name) else { return .status(404) }
      let document = stage.document(feed, of: corpus)
      return Reply.answer(document.body, type: document.contentType).after(0.05)
    }
  }

  /// Refreshes all feeds, unless they are being refreshed.
  func startBusyWork(_ reader: PseudoTerminal) {
    let asked = origin.log.count
    guard asked >= expected else { return }
    stage.generation += 1
    stage.prepare(corpus)
    expected = asked + corpus.feeds
    reader.send("R")
    while origin.log.count < asked + 20, reader.read(wait: 0.1) {}
  }

  /// Seconds from an action to the request of a feed; `nil` if none follows within three seconds.
  func time(to feed: Int, after action: () -> Void) -> Double? {
    let path = corpus.path(feed)
    let (start, known) = (origin.age, origin.log.count)
    action()
    while origin.age < start + 3 {
      if let request = origin.log.dropFirst(known).first(where: { $0.path.hasSuffix(path) }) {
        return request.time - start
      }
      usleep(500)
    }
    return nil
  }
}
