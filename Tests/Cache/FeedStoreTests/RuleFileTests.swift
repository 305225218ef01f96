@Suite("Rules from a file") struct RuleFileTests {
  @Test("Rules from a file come first, keep their results, and cannot be disabled")
  func file() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.rules.addRule(RuleDraft(query: "own", actions: [.star]), reach: .arrivals)
    let drafts = [
      (draft: RuleDraft(query: "deal", actions: [.hide]), isEnabled: true),
      (draft: RuleDraft(name: "Chairs", query: "chair", actions: [.markRead]), isEnabled: true),
    ]
    #expect(try await cache.rules.setFileRules(drafts))
    #expect(try await !cache.rules.setFileRules(drafts))
    #expect(try cache.rules.all().map(\.name) == ["deal", "Chairs", "own"])
    #expect(try cache.rules.all().map(\.isFile) == [true, true, false])
    let deal = try cache.rules.all()[0].id
    await #expect(throws: StoreError.notAllowed) { try await cache.rules.disableRule(deal) }
    try await cache.merge(feed, [.dated(1, hours: 1, title: "deal")])
    #expect(try await cache.rules.setFileRules([drafts[1], drafts[0]]))
    #expect(try cache.rules.all().map(\.name) == ["Chairs", "deal", "own"])
    #expect(try cache.rules.all()[1].id == deal)
    #expect(try cache.rules.weeks(of: deal).map(\.articles) == [1])
    #expect(try await cache.rules.setFileRules([]))
    #expect(try cache.rules.all().map(\.name) == ["own"])
  }
}
