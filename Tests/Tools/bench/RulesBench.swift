import FeedStore
import Foundation
import HTMLContent
import TestSupport

/// Measures the cost of 200 rules in a merge, and the time of a dry run, in a cache of a hundred
/// thousand or a million articles.
extension Bench {
  private static let rules = 200
  /// Articles that each round merges with the rules, and then without them.
  private static let round = 4_000

  func runRules() async throws {
    let (store, library, _) = try await cache("rules", beside: "\(Self.rules) rules, \(runs) runs")
    print("\n| \(Self.rules) rules | articles a second | of CPU | more CPU (goal 15 %) | actions |")
    print("|---|--:|--:|--:|--:|")
    try await measureJudging(store, library)
    print("\n| dry run, ms | median | worst |")
    print("|---|--:|--:|")
    try await measureDryRuns(store)
    store.close()
  }

  /// Merges with and without the rules take turns, so that all meet the same load.
  private func measureJudging(_ store: FeedStore, _ library: Library) async throws {
    let drafts = Self.drafts(library)
    let sets: [(name: String, drafts: [RuleDraft])] = [
      ("without rules", []),
      ("rules about titles, authors and feeds", drafts),
      (
        "these, and one about the text",
        drafts + [RuleDraft(query: "kalobe", actions: [.highlight(1)])]
      ),
    ]
    let feeds = try store.reader.feeds.subscriptions().feeds
    let named = Dictionary(feeds.map { ($0.name, $0.id) }, uniquingKeysWith: { a, _ in a })
    var times = sets.map { _ in [(wall: Double, cpu: Double)]() }
    var acted = sets.map { _ in 0 }
    var next = 0
    for run in 0...runs {
      for index in run.isMultiple(of: 2) ? Array(sets.indices) : sets.indices.reversed() {
        try await store.reader.rules.setFileRules(
          sets[index].drafts.map { (draft: $0, isEnabled: true) })
        var results: [RefreshResult] = []
        for _ in 0..<(Self.round / 100) {
          let number = 1 + next % (library.feeds - 1)
          guard let feed = named[library.name(number)] else { continue }
          let from = library.count(number) + next / (library.feeds - 1) * 100
          results.append(library.result(feed, number, from..<(from + 100)))
          next += 1
        }
        let (wall, cpu) = (ContinuousClock.now, Self.cpu())
        // Each transaction takes as many results as the engine's.
        var rest = results[...]
        while !rest.isEmpty {
          rest = rest.dropFirst(
            try await store.engine.fetches.merge(Array(rest), within: .milliseconds(20)).count)
        }
        let time = ((ContinuousClock.now - wall).seconds, Self.cpu() - cpu)
        // The first round warms up.
        if run > 0 { times[index].append(time) }
        acted[index] += try store.reader.rules.all().reduce(0) { sum, rule in
          try sum + store.reader.rules.weeks(of: rule.id).reduce(0) { $0 + $1.articles }
        }
      }
    }
    for (index, set) in sets.enumerated() {
      let (wall, cpu) = (times[index].map(\.wall).median, times[index].map(\.cpu).median)
      // The median of neighbouring rounds, which had the same load.
      let more = zip(times[index], times[0]).map { $0.cpu / $1.cpu - 1 }.median
      print(
        "| \(set.name) | \(Int(Double(Self.round) / wall)) | \(Int(Double(Self.round) / cpu)) | \((more * 100).text(0)) % | \(acted[index]) |"
      )
    }
    try await store.reader.rules.setFileRules([])
    try await store.search.catchUpIndex(within: .seconds(600))
  }

  /// Typical rules: patterns and words in titles, some for feeds and authors.
  private static func drafts(_ library: Library) -> [RuleDraft] {
    var words: [String] = []
    for index in 0..<rules {
      let title = library.item(index * 7, of: 1 + index * 4).title ?? ""
      words.append(title.split(separator: " ").first.map(String.init) ?? "weir")
    }
    return (0..<rules).map { index in
      let word = words[index].filter { $0.isLetter }
      let name = "unseen\(index)"
      let query =
        switch index % 10 {
        case 0: "title:/\(word)\(index)s?/"
        case 1: "title:/\\b(\(name)|sponsored \(index))\\b/"
        case 2: "title:/^\(name): .*deal/"
        case 3: "title:\(name)"
        case 4: "title:\"\(word) \(name)\""
        case 5: "feed:\(index) title:/\(word)/"
        case 6: "author:\(name)"
        case 7: "lang:de title:/\(word)/"
        case 8: "in:folder\(index) \(word)"
        default: "title:\(word)\(index) tag:\(name)"
        }
      return RuleDraft(query: query, actions: [index % 3 == 0 ? .highlight(1) : .markRead])
    }
  }

  private func measureDryRuns(_ store: FeedStore) async throws {
    let since = Date() - Double(SearchCache.previewDays) * 86_400
    for text in ["title:/river|weir/", "title:water", "river", "is:unread", "/r[io]ver/"] {
      let query = try SearchQuery(text)
      for limit in [100, nil] {
        var samples: [Double] = []
        var matched = 0
        for _ in 0..<runs {
          let start = ContinuousClock.now
          matched = try await store.search.preview(query, since: since, limit: limit)?.matched ?? 0
          samples.append((ContinuousClock.now - start).seconds * 1e3)
        }
        print(
          "| \(text), \(limit == nil ? "counted" : "first page") (\(matched)) | \(samples.median.text(0)) | \((samples.max() ?? 0).text(0)) |"
        )
      }
    }
  }
}
