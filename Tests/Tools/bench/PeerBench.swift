import FeedStore
import Foundation
import GRDBSQLite
import HTMLContent
import TestSupport

/// Compares Weir and newsboat with the same articles, in turns on one machine.
extension Bench {
  func runPeers() async throws {
    guard FileManager.default.isExecutableFile(atPath: Newsboat.program) else {
      return print("Skipped: newsboat is not installed at \(Newsboat.program).")
    }
    let articles = scale > 0 ? scale : 100_000
    let library = Library(articles: articles, feeds: Self.feedCount, largestShare: 10)
    let options = StoreOptions(maximumNewArticles: .max, plainText: HTMLContent.plainTextBytes)
    print("\(AmountText.grouped(articles)) articles of \(Self.feedCount) feeds, \(runs) runs.\n")
    print("| weir, the cache | |")
    print("|---|--:|")
    let data = folder + "/library"
    let store = try FeedStore.open(directory: data, options: options)
    try await fill(store, library)
    store.close()
    let urls = (0..<library.feeds).map { library.corpus.url($0, port: 80) }
    let peer = try Newsboat(folder + "/newsboat", urls, threads: 1)
    _ = try spawn([Newsboat.program] + peer.arguments + ["-x", "print-unread"])
    try peer.fill(urls, library)

    print("\n| 80×24 | weir | newsboat |")
    print("|---|--:|--:|")
    let arguments = ["--offline", "--data-dir", data]
    var figures = (weir: [Reading](), newsboat: [Reading]())
    for _ in 0..<runs {
      figures.weir.append(
        try read([weir] + arguments, start: "Starred", find: "/\(library.name(0))\rG", open: "●"))
      figures.newsboat.append(
        try read(
          [Newsboat.program] + peer.arguments, start: library.name(0), find: "",
          open: "Articles in feed"))
    }
    func row(_ name: String, _ value: (Reading) -> Double?) {
      let medians = [figures.weir, figures.newsboat].map {
        $0.map { value($0) ?? .infinity }.median
      }
      print("| \(name) | \(medians[0].text(1)) | \(medians[1].text(1)) |")
    }
    row("start to first painted screen, ms", \.painted)
    row("largest feed opened, ms", \.opened)
    row("resident memory, MB", \.memory)
    let sizes = [data + "/weir.db", peer.cache].map { path in
      ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue
        ?? 0
    }
    print("| bytes an article | \(sizes[0] / articles) | \(sizes[1] / articles) |")
  }

  private struct Reading {
    var painted: Double?
    var opened: Double?
    var memory: Double
  }

  /// - Parameters:
  ///   - start: text of the first painted screen.
  ///   - find: keys that lead to the largest feed.
  ///   - open: text of the list of its articles.
  private func read(
    _ arguments: [String], start: String, find: String, open: String
  ) throws -> Reading {
    let reader = try PseudoTerminal(arguments, environment: environment)
    let painted = reader.wait(for: start, deadline: 120)
    reader.waitUntilIdle(quiet: 0.5)
    reader.send(find, quiet: 0.3)
    let (from, before) = (reader.output.count, ContinuousClock.now)
    reader.send("\r")
    let opened = reader.wait(for: open, from: from, deadline: 120).map { _ in
      (ContinuousClock.now - before).seconds * 1e3
    }
    reader.waitUntilIdle(quiet: 0.5)
    let memory = Self.account(of: reader.process).resident
    for key in ["q", "\u{1B}", "Q", "q"] {
      reader.send(key, quiet: 0.1)
    }
    if reader.waitForExit(deadline: 20) == nil { reader.vanish() }
    return Reading(painted: painted.map { $0 * 1e3 }, opened: opened, memory: memory)
  }
}

extension Newsboat {
  fileprivate struct Failure: Error { var message: String }

  /// Writes the articles into the cache that newsboat has created: fetching a million would take it
  /// hours.
  fileprivate func fill(_ urls: [String], _ library: Library) throws {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    func run(_ sql: String) throws {
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw Failure(message: String(cString: sqlite3_errmsg(database)))
      }
    }
    guard sqlite3_open(cache, &database) == SQLITE_OK else { throw Failure(message: cache) }
    try run("BEGIN")
    let kept = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    func insert(_ sql: String, _ texts: [String], date: Int64 = 0) throws {
      sqlite3_finalize(statement)
      statement = nil
      sqlite3_prepare_v2(database, sql, -1, &statement, nil)
      for (place, text) in texts.enumerated() {
        sqlite3_bind_text(statement, Int32(place + 1), text, -1, kept)
      }
      if date > 0 { sqlite3_bind_int64(statement, Int32(texts.count + 1), date) }
      guard sqlite3_step(statement) == SQLITE_DONE else {
        throw Failure(message: String(cString: sqlite3_errmsg(database)))
      }
    }
    for (number, url) in urls.enumerated() {
      try insert(
        "INSERT OR REPLACE INTO rss_feed (rssurl, url, title) VALUES (?, ?, ?)",
        [url, url, library.name(number)])
      for index in 0..<library.count(number) {
        let item = library.item(index, of: number)
        try insert(
          """
          INSERT INTO rss_item (guid, title, author, url, feedurl, content, pubDate, unread)
          VALUES (?, ?, ?, ?, ?, ?, ?, 1)
          """,
          [
            item.id, item.title ?? "", item.authors.first?.name ?? "", item.url ?? "", url,
            item.contentHTML ?? "",
          ], date: Int64(item.datePublished?.timeIntervalSince1970 ?? 1))
      }
    }
    try run("COMMIT")
  }
}
