/// Random histories of feeds, against a model that knows which post each item is.
@Suite("Histories of feeds", .countsFailures) struct FeedHistoryTests {
  private enum Sign: CaseIterable { case id, address, title, date, text }

  /// The marker of a post is in its text and survives every edit.
  private struct Post {
    let number: Int
    var item: ParsedItem
    /// Signs that have changed since the document listed the post.
    var changed: Set<Sign> = []
    var isListed = true
    /// True if the publisher has changed the date of the article.
    var isRedated = false
  }

  private struct History {
    let isRecurring: Bool
    let isNamed: Bool
    var host = "h0.example"
    var posts: [Post] = []
    var random: SeededRandom
    var changes = 0

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      isRecurring = seed % 4 == 3
      isNamed = seed % 3 != 0
      for _ in 0..<5 { publish(at: TestCache.start - 86_400) }
    }

    mutating func chance(_ share: Double) -> Bool {
      Double.random(in: 0..<1, using: &random) < share
    }

    mutating func publish(at now: Date) {
      let number = posts.count
      let name = isRecurring ? "report" : "post-\(number)"
      var item = ParsedItem(
        id: "id-\(number)", url: "https://\(host)/\(name)",
        title: isRecurring ? "The report" : "Post number \(number)",
        contentHTML: "<p>What is new in the report with the number \(number):</p>",
        datePublished: now + Double(number) * 61)
      if !isNamed { giveID(&item) }
      posts.append(Post(number: number, item: item))
    }

    /// Gives an item the id that the parser gives an item without one.
    private func giveID(_ item: inout ParsedItem) {
      item.hasOwnID = false
      item.id = item.url ?? ""
      if isRecurring { item.id += " \(item.datePublished ?? .distantPast)" }
    }

    mutating func change(_ sign: Sign, of place: Int) {
      changes += 1
      let number = posts[place].number
      switch sign {
      case .id: posts[place].item.id = "id-\(number)-\(changes)"
      case .address: posts[place].item.url = "https://\(host)/moved/\(changes)"
      case .title: posts[place].item.title = "Post \(number), edition \(changes)"
      case .date:
        posts[place].isRedated = true
        posts[place].item.datePublished? -= 1
      case .text:
        posts[place].item.contentHTML =
          "<p>What is new in the report with the number \(number): edit \(changes)</p>"
      }
      posts[place].changed.insert(sign)
      guard !isNamed else { return }
      let id = posts[place].item.id
      giveID(&posts[place].item)
      if posts[place].item.id != id { posts[place].changed.insert(.id) }
    }

    mutating func step(at now: Date) {
      for _ in 0..<Int.random(in: 0...2, using: &random) { publish(at: now) }
      if chance(0.15) {
        host = "h\(changes + 1).example"
        for place in posts.indices where !isRecurring || chance(0.9) { change(.address, of: place) }
      }
      if isNamed, chance(0.2) { for place in posts.indices { change(.id, of: place) } }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: posts.indices, using: &random)
        guard let sign = Sign.allCases.randomElement(using: &random) else { continue }
        // Without ids, a date is what tells recurring items apart.
        if !isNamed, sign == .id || sign == .date { continue }
        change(sign, of: place)
      }
      for place in posts.indices where chance(0.08) { posts[place].isListed.toggle() }
    }

    /// True if a reader can tell that the post is known.
    func isKnowable(_ post: Post) -> Bool {
      if !post.changed.contains(.id) {
        return isNamed || !post.changed.contains(.date)
      }
      let kept = Set(Sign.allCases).subtracting(post.changed)
      guard kept.contains(.date) else { return false }
      // Articles are found by their address, or by the date with which they arrived.
      if post.isRedated, !kept.contains(.address) { return false }
      // In a recurring feed, address and title belong to all posts.
      return isRecurring
        ? kept.isSuperset(of: [.address, .title]) || kept.contains(.text)
        : !kept.isDisjoint(with: [.address, .title, .text])
    }
  }

  @Test("No new item is swallowed, and none is doubled while two signs tell it")
  func histories() async throws {
    let cache = try TestCache(maximumNewArticles: 10_000)
    let seeds = Soak.seeds(short: 30, long: 10_000)
    var (merges, items, doubled, unknowable) = (0, 0, 0, 0)
    for seed in seeds {
      var history = History(seed: seed)
      let feed = try await cache.feed("history-\(seed)")
      var truth: [ArticleID: Int] = [:]
      for round in 0..<8 {
        if round > 0 { history.step(at: cache.clock.now) }
        cache.clock.now += 3_600
        let listed = history.posts.indices.filter { history.posts[$0].isListed }.suffix(12)
        let known = Set(truth.values)
        let outcome = try await cache.merge(
          feed, listed.reversed().map { history.posts[$0].item }, title: "History \(seed)")
        merges += 1
        items += listed.count
        let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
        var tellers: [Int: [ArticleID]] = [:]
        for row in rows {
          let number = try number(of: row.id, cache)
          if outcome.added.contains(row.id) { truth[row.id] = number }
          #expect(truth[row.id] == number, "seed \(seed): post \(number) took another's place")
          tellers[number, default: []].append(row.id)
        }
        for place in listed {
          let post = history.posts[place]
          let articles = tellers[post.number] ?? []
          #expect(!articles.isEmpty, "seed \(seed): post \(post.number) was swallowed")
          if known.contains(post.number), outcome.added.contains(where: articles.contains) {
            doubled += 1
            if history.isKnowable(post) {
              Issue.record("seed \(seed), round \(round): post \(post.number) \(post.changed)")
            } else {
              unknowable += 1
            }
          }
          history.posts[place].changed = []
        }
      }
    }
    Soak.report(
      "ids, addresses, titles, dates and texts that change",
      "\(seeds.count) feeds, \(merges) versions",
      "\(items) items: none swallowed, \(doubled) doubled, of which \(unknowable) had no sign left")
  }

  private func number(of article: ArticleID, _ cache: TestCache) throws -> Int {
    let html = try #require(try cache.articles.article(article)).bodyHTML
    let digits = html.drop { !$0.isNumber }.prefix(while: \.isNumber)
    return Int(digits) ?? -1
  }
}
