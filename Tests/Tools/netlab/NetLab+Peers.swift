import Foundation
import GRDBSQLite
import TestSupport

/// Compares other readers on the same networks, in turns: a first sync, then a sync in which one
/// feed in twenty has new articles. Every reader supports the formats. `curl` stores nothing and
/// shows the time of the transfers alone.
extension NetLab {
  /// The readers that take turns; `nil` is Weir.
  private static var peers: [OtherReader?] {
    [
      nil, .newsboat(threads: 1), .newsboat(threads: 8), .newsboat(threads: 100), .sfeed,
      .curl(connections: 100),
    ] + (OtherReader.newsraft.map { [$0] } ?? [])
  }

  private struct Turn {
    var wall: Double
    var usage: ResourceUsage
    /// Feeds with stored articles.
    var kept: Int
    var atOnce: Int
    var perHost: Int
  }

  func measurePeers(_ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces) throws {
    let peers = Self.peers.filter { $0?.isInstalled ?? true }
    for missing in Self.peers.compactMap(\.self) where !missing.isInstalled {
      print("\(missing.name) is skipped: there is no \(missing.program).\n")
    }
    print("Medians of \(runs); at once as the origin saw it; “again”: 95 % unchanged.\n")
    print(
      "| network | reader | first s | lost | CPU s | MB | at once | per host | again s | CPU s | MB |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measurePeers(peers, timeline, origin, bottleneck, namespaces)
    }
  }

  private func measurePeers(
    _ peers: [OtherReader?], _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck,
    _ namespaces: Namespaces
  ) throws {
    let count = feeds ?? 1_000
    var corpus = Corpus(feeds: count, articlesPerFeed: 32, hosts: max(1, count * 7 / 10))
    corpus.network = Namespaces.network
    corpus.formats = [.rss, .atom, .rdf]
    corpus.newsEvery = 20
    let stage = serve(corpus, on: origin)
    var turns: [OtherReader?: [[Turn]]] = [:]
    for run in 0..<runs {
      for (number, peer) in peers.enumerated() {
        let home = folder + "/\(timeline.name)-\(number)-\(run)"
        let both = try [0, 1].map { generation in
          stage.generation = generation
          stage.prepare(corpus)
          let program = try program(
            of: peer, home, corpus, origin, namespaces, isFirst: generation == 0)
          origin.forget()
          bottleneck.play(timeline)
          let start = ContinuousClock.now
          let usage = try spawn(namespaces, program: program, output: home + ".out")
          return Turn(
            wall: (ContinuousClock.now - start).seconds, usage: usage, kept: kept(by: peer, home),
            atOnce: origin.peakConcurrency, perHost: origin.peakConcurrencyPerHost)
        }
        turns[peer, default: []].append(both)
        try FileManager.default.removeItem(atPath: home)
      }
    }
    for peer in peers { show(peer, timeline, count, turns[peer] ?? []) }
  }

  private func show(_ peer: OtherReader?, _ timeline: Timeline, _ count: Int, _ turns: [[Turn]]) {
    func costs(_ part: Int) -> [String] {
      let some = turns.map { $0[part] }
      return [
        some.map(\.wall).median.text(2), some.map(\.usage.cpu).median.text(2),
        "\(Int(some.map { Double($0.usage.peakMemory) }.median) >> 20)",
      ]
    }
    let first = turns.map { $0[0] }
    var cells = [timeline.name, peer?.name ?? "weir"] + costs(0)
    cells.insert("\(count - (first.map(\.kept).min() ?? 0))", at: 3)
    cells += ["\(first.map(\.atOnce).max() ?? 0)", "\(first.map(\.perHost).max() ?? 0)"]
    cells += costs(1)
    print("| " + cells.joined(separator: " | ") + " |")
    fflush(nil)
  }

  /// Creates the reader's initial files the first time, and returns the command of its sync.
  private func program(
    of peer: OtherReader?, _ home: String, _ corpus: Corpus, _ origin: Origin,
    _ namespaces: Namespaces, isFirst: Bool
  ) throws -> [String] {
    let urls = (0..<corpus.feeds).map { corpus.url($0, port: origin.port) }
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    guard let peer else {
      if isFirst {
        let list = home + "/feeds.opml"
        try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
        try spawn(namespaces, ["import", list, "--data-dir", home])
      }
      return [weir, "sync", "--all", "--json", "--data-dir", home]
    }
    let tags = (0..<corpus.feeds).map { corpus.document($0, generation: 0).etag }
    return try peer.prepare(home, urls, entityTags: isFirst ? nil : tags)
  }

  private func kept(by peer: OtherReader?, _ home: String) -> Int {
    let output = (try? String(contentsOfFile: home + ".out", encoding: .utf8)) ?? ""
    func lines(_ text: String) -> Int { output.split(separator: "\n").count { $0.contains(text) } }
    switch peer {
    case nil: return lines("\"outcome\":\"ok\"")
    case .newsboat: return feedsWithItems(home + "/cache.db", "rss_item", "feedurl")
    case .newsraft: return feedsWithItems(home + "/cache.db", "items", "feed_url")
    case .sfeed:
      let files = (try? FileManager.default.contentsOfDirectory(atPath: home + "/feeds")) ?? []
      return files.count
    case .curl: return lines("200")
    }
  }

  private func feedsWithItems(_ cache: String, _ table: String, _ column: String) -> Int {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open(cache, &database) == SQLITE_OK else { return 0 }
    let query = "SELECT count(DISTINCT \(column)) FROM \(table)"
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return 0 }
    return Int(sqlite3_column_int(statement, 0))
  }
}
