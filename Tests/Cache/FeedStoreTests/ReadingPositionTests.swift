@Suite("Reading positions") struct ReadingPositionTests {
  @Test("The article begun last continues, unless it was read to its end or is hidden")
  func lastBegun() async throws {
    let cache = try TestCache()
    let plan = cache.plan
    let ids = try await cache.merge(
      try await cache.feed("a"), (1...4).map { .dated($0, hours: Double($0)) }
    ).added
    #expect(try plan.lastBegun() == nil)
    func read(_ index: Int, _ seen: Double?) async throws {
      cache.clock.now += 60
      try await plan.setReadingPosition(
        ids[index], ReadingPosition(block: 3, share: 0.5, seen: seen))
    }
    try await read(0, 0.4)
    try await read(1, 0.3)
    try await read(2, 1)
    try await read(3, nil)
    #expect(try plan.lastBegun() == ids[3], "The share is unknown for a place of another device.")
    #expect(try plan.lastBegun(except: ids[3]) == ids[1])
    #expect(try cache.articles.articleRow(ids[1])?.seen == 0.3)
    try await cache.states.delete([ids[1], ids[3]])
    #expect(try plan.lastBegun() == ids[0])
    try await plan.setReadingPosition(ids[0], nil)
    #expect(try plan.lastBegun() == nil)
  }

  @Test("Reading positions are stored, removed, and ignored for unknown articles")
  func readingPositionsAreKept() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, [.dated(1)]).added
    let place = ReadingPosition(block: 12, share: 0.25)
    try await cache.plan.setReadingPosition(ids[0], place)
    let other = try cache.another()
    #expect(try other.reader.plan.readingPosition(ids[0]) == place)
    other.close()
    try await cache.plan.setReadingPosition(ids[0], nil)
    #expect(try cache.plan.readingPosition(ids[0]) == nil)
    try await cache.plan.setReadingPosition(ArticleID(rawValue: 99), place)
    #expect(try cache.plan.readingPosition(ArticleID(rawValue: 99)) == nil)
  }
}
