import Foundation
import GRDBSQLite
import TestSupport

/// Other readers on the same lines, in turns: the first sync, then one in which one feed in twenty
/// has news. Formats that all of them read. `curl` keeps nothing: it says what the transfers alone
/// take.
extension NetLab {
  private static let sfeed = "/usr/bin/sfeed_update"
  private static let curl = "/usr/bin/curl"

  private enum Peer: String, CaseIterable {
    case weir, newsboat1, newsboat8, newsboat100, sfeed, curl100

    var name: String {
      switch self {
      case .weir: "weir"
      case .newsboat1: "newsboat, 1 thread"
      case .newsboat8: "newsboat, 8 threads"
      case .newsboat100: "newsboat, 100 threads"
      case .sfeed: "sfeed_update"
      case .curl100: "curl --parallel-max 100"
      }
    }

    var threads: Int? {
      switch self {
      case .newsboat1: 1
      case .newsboat8: 8
      case .newsboat100: 100
      default: nil
      }
    }

    /// Nil: the one that is measured.
    var program: String? {
      switch self {
      case .weir: nil
      case .newsboat1, .newsboat8, .newsboat100: Newsboat.program
      case .sfeed: NetLab.sfeed
      case .curl100: NetLab.curl
      }
    }
  }

  private struct Turn {
    var wall: Double
    var usage: ResourceUsage
    /// Feeds of which something was kept.
    var kept: Int
    var atOnce: Int
    var perHost: Int
  }

  func measurePeers(
    _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    let peers = Peer.allCases.filter { peer in
      guard let program = peer.program,
        !FileManager.default.isExecutableFile(atPath: program)
      else { return true }
      print("\(peer.name) is skipped: there is no \(program).")
      return false
    }
    print("Medians of \(runs); at once as the origin saw it; “again”: 95 % unchanged.\n")
    print(
      "| line | reader | first s | lost | CPU s | MB | at once | per host | again s | CPU s | MB |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measurePeers(peers, timeline, origin, bottleneck, namespaces)
    }
  }

  private func measurePeers(
    _ peers: [Peer], _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck,
    _ namespaces: Namespaces
  ) throws {
    let count = feeds ?? 1_000
    var corpus = Corpus(feeds: count, articlesPerFeed: 32, hosts: max(1, count * 7 / 10))
    corpus.network = Namespaces.network
    corpus.formats = [.rss, .atom, .rdf]
    corpus.newsEvery = 20
    let stage = serve(corpus, on: origin)
    var turns: [Peer: [[Turn]]] = [:]
    for run in 0..<runs {
      for peer in peers {
        let home = folder + "/\(timeline.name)-\(peer)-\(run)"
        let both = try [0, 1].map { generation in
          stage.generation = generation
          stage.prepare(corpus)
          let program = try program(
            of: peer, home, corpus, stage, origin, namespaces, isFirst: generation == 0)
          origin.forget()
          bottleneck.play(timeline)
          let start = ContinuousClock.now
          let usage = try spawn(namespaces, program: program, output: home + ".out")
          return Turn(
            wall: (ContinuousClock.now - start).seconds, usage: usage,
            kept: kept(by: peer, home), atOnce: origin.peakConcurrency,
            perHost: origin.peakConcurrencyPerHost)
        }
        turns[peer, default: []].append(both)
        try FileManager.default.removeItem(atPath: home)
      }
    }
    for peer in peers { show(peer, timeline, count, turns[peer] ?? []) }
  }

  private func show(_ peer: Peer, _ timeline: Timeline, _ count: Int, _ turns: [[Turn]]) {
    func costs(_ part: Int) -> [String] {
      let some = turns.map { $0[part] }
      return [
        some.map(\.wall).median.text(2), some.map(\.usage.cpu).median.text(2),
        "\(Int(some.map { Double($0.usage.peakMemory) }.median) >> 20)",
      ]
    }
    let first = turns.map { $0[0] }
    var cells = [timeline.name, peer.name] + costs(0)
    cells.insert("\(count - (first.map(\.kept).min() ?? 0))", at: 3)
    cells += ["\(first.map(\.atOnce).max() ?? 0)", "\(first.map(\.perHost).max() ?? 0)"]
    cells += costs(1)
    print("| " + cells.joined(separator: " | ") + " |")
    fflush(nil)
  }

  /// Makes what the reader starts with, the first time, and says how its sync is run.
  private func program(
    of peer: Peer, _ home: String, _ corpus: Corpus, _ stage: Corpus.Stage, _ origin: Origin,
    _ namespaces: Namespaces, isFirst: Bool
  ) throws -> [String] {
    let urls = (0..<corpus.feeds).map { corpus.url($0, port: origin.port) }
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    switch peer {
    case .weir:
      if isFirst {
        let list = home + "/feeds.opml"
        try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
        try spawn(namespaces, ["import", list, "--data-dir", home])
      }
      return [weir, "sync", "--all", "--json", "--data-dir", home]
    case .newsboat1, .newsboat8, .newsboat100:
      let newsboat = try Newsboat(home, urls, threads: peer.threads ?? 1)
      return [Newsboat.program] + newsboat.arguments + ["-x", "reload"]
    case .sfeed:
      let feeds = urls.enumerated().map { "  feed \"\($0)\" \"\($1)\"" }.joined(separator: "\n")
      try "sfeedpath=\"\(home)/feeds\"\nfeeds() {\n\(feeds)\n}\n"
        .write(toFile: home + "/sfeedrc", atomically: true, encoding: .utf8)
      return [Self.sfeed, home + "/sfeedrc"]
    case .curl100:
      // The first time every document, then what the validators of the first time leave.
      let entries = urls.enumerated().map { feed, url in
        let etag = corpus.document(feed, generation: 0).etag.replacing("\"", with: "\\\"")
        return "url=\"\(url)\"\noutput=/dev/null\ncompressed\nwrite-out=\"%{http_code}\\n\"\n"
          + (isFirst ? "" : "header=\"If-None-Match: \(etag)\"\n")
      }
      try entries.joined(separator: "next\n")
        .write(toFile: home + "/curl.cfg", atomically: true, encoding: .utf8)
      return [
        Self.curl, "-s", "--parallel", "--parallel-immediate", "--parallel-max", "100", "-K",
        home + "/curl.cfg",
      ]
    }
  }

  private func kept(by peer: Peer, _ home: String) -> Int {
    let output = (try? String(contentsOfFile: home + ".out", encoding: .utf8)) ?? ""
    func lines(_ text: String) -> Int { output.split(separator: "\n").count { $0.contains(text) } }
    switch peer {
    case .weir: return lines("\"outcome\":\"ok\"")
    case .newsboat1, .newsboat8, .newsboat100:
      return feedsWithItems(home + "/cache.db")
    case .sfeed:
      let files = (try? FileManager.default.contentsOfDirectory(atPath: home + "/feeds")) ?? []
      return files.count
    case .curl100: return lines("200")
    }
  }

  private func feedsWithItems(_ cache: String) -> Int {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open(cache, &database) == SQLITE_OK else { return 0 }
    let query = "SELECT count(DISTINCT feedurl) FROM rss_item"
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return 0 }
    return Int(sqlite3_column_int(statement, 0))
  }
}
