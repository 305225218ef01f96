import Foundation
import TestSupport

/// Measures the time from a star's key to the account's server: on an idle network, and during a
/// first sync of all feeds. Both use the same reader, and exclude the two seconds in which keys are
/// gathered.
extension NetLab {
  private static let debounce = 2.0
  private static let stars = 7

  func measureStars(_ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces) throws {
    print("Medians of \(Self.stars) stars.\n")
    print("| network | feeds | idle s | during a full sync s | ratio | worst | fetched meanwhile |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measureStars(timeline, origin, bottleneck, namespaces)
    }
  }

  private func measureStars(
    _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    let count = feeds ?? timeline.feeds
    var corpus = Corpus(feeds: count, hosts: max(1, count * 7 / 10))
    corpus.network = Namespaces.network
    serve(corpus, on: origin).prepare(corpus)
    let server = FakeAggregator(.freshRSS)
    server.addItems(1...40, feed: server.addFeed("http://a.example/", title: "A"))
    server.serve(on: origin)
    let data = folder + "/stars-\(timeline.name)"
    let (list, config) = (data + ".opml", data + ".toml")
    try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
    try "[sync]\nautomatic = false\n".write(toFile: config, atomically: true, encoding: .utf8)
    func command(_ words: String...) throws {
      try spawn(namespaces, words + ["--data-dir", data, "--config", config])
    }
    bottleneck.play(.open)
    try command(
      "account", "add", "greader",
      "http://\(Namespaces.network).255.1:\(origin.port)/api/greader.php", "--user",
      FakeAggregator.user, "--password-command", "echo \(FakeAggregator.password)")
    try command("account", "sync")
    try command("import", list)
    let reader = try PseudoTerminal(
      [Namespaces.ip ?? "ip", "netns", "exec", namespaces.reader, weir]
        + ["--data-dir", data, "--config", config], environment: environment)
    defer {
      reader.send("Q")
      _ = reader.waitForExit(deadline: 20)
    }
    // The list of accounts leads to the account's folder, and that to its articles.
    for keys in ["", "@", "\r", "\r"] {
      reader.send(keys, quiet: 1)
    }
    bottleneck.play(timeline)
    func star() -> Double {
      let known = server.starred.count
      let began = ContinuousClock.now
      reader.send("s")
      while server.starred.count == known, (ContinuousClock.now - began).seconds < 60 {
        // The reader's output must be read.
        _ = reader.read(wait: 0.002)
      }
      let seconds = (ContinuousClock.now - began).seconds
      reader.send("j")
      // Changes made while an answer is pending are sent without the debounce.
      let end = ContinuousClock.now + .seconds(3)
      while ContinuousClock.now < end { _ = reader.read(wait: 0.1) }
      return seconds - Self.debounce
    }
    // The first star signs in.
    _ = star()
    let idle = (0..<Self.stars).map { _ in star() }
    origin.forget()
    reader.send("R")
    while origin.peakConcurrency < 3 { _ = reader.read(wait: 0.01) }
    let before = origin.log.count
    let busy = (0..<Self.stars).map { _ in star() }
    let cells = [
      timeline.name, "\(count)", idle.median.text(2), busy.median.text(2),
      (busy.median / idle.median).text(2), (busy.max() ?? 0).text(2),
      "\(origin.log.count - before)",
    ]
    print("| " + cells.joined(separator: " | ") + " |")
    fflush(nil)
  }
}
