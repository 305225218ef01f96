@Suite("Lists that are restricted to folders") struct FocusTests {
  @Test(
    "Mixed lists, their counts and tags have only the feeds of the folders; others do not change")
  func lists() async throws {
    let cache = try TestCache()
    var feeds: [FeedID] = []
    for path in [["A"], ["A", "B"], ["C"], []] {
      let feed = try await cache.feed(path.joined(separator: "-"), folder: path)
      try await cache.merge(feed, [.dated(1), .dated(2, hours: 1)])
      feeds.append(feed)
    }
    let folders = try cache.feeds.subscriptions().folders
    let a = try #require(folders.first { $0.title == "A" }?.id)
    let c = try #require(folders.first { $0.title == "C" }?.id)
    let first = try feeds.map { try #require(try cache.all(ArticleQuery(scope: .feed($0))).first) }
    try await cache.states.set(.starred, first.map(\.id), true)
    try await cache.states.set(.later, first.map(\.id), true)
    try await cache.states.changeTags(of: first.map(\.id), adding: ["t"], removing: [])
    try await cache.feeds.setPriority(feeds[2], .high)

    func listed(_ scope: ArticleQuery.Scope, _ folders: [FolderID]?) throws -> [FeedID] {
      var query = ArticleQuery(scope: scope)
      query.folders = folders
      let rows = try cache.all(query)
      #expect(try cache.articles.count(query) == rows.count, "\(scope)")
      return Set(rows.map(\.feed)).sorted()
    }
    let mixed: [ArticleQuery.Scope] = [
      .all, .exceptQuiet, .smart(.today), .smart(.unread), .smart(.starred), .smart(.later),
      .tag("t"),
    ]
    for scope in mixed {
      #expect(try listed(scope, [a]) == Array(feeds[0...1]), "\(scope)")
      #expect(try listed(scope, [a, c]) == Array(feeds[0...2]), "\(scope)")
      #expect(try listed(scope, []) == [], "\(scope)")
      #expect(try listed(scope, nil) == feeds, "\(scope)")
    }
    #expect(try listed(.smart(.high), [a]) == [])
    #expect(try listed(.smart(.high), [c]) == [feeds[2]])
    #expect(try listed(.feed(feeds[3]), [a]) == [feeds[3]])
    #expect(try listed(.folder(c), [a]) == [feeds[2]])

    let all = try cache.feeds.subscriptions()
    let focused = try cache.feeds.subscriptions(within: [a])
    #expect(focused.feeds == all.feeds && focused.folders == all.folders)
    #expect(focused.smartCounts[.unread] == 4 && all.smartCounts[.unread] == 8)
    #expect(focused.smartCounts[.starred] == 2 && focused.smartCounts[.later] == 2)
    #expect(focused.laterWords * 2 == all.laterWords)
    #expect(focused.tags.map(\.counts.unread) == [2] && all.tags.map(\.counts.unread) == [4])

    var query = ArticleQuery(scope: .exceptQuiet)
    query.folders = [a]
    #expect(try await cache.states.markShownRead(query).articles == 4)
    #expect(try cache.feeds.subscriptions().smartCounts[.unread] == 4)
  }
}
