import FeedModel
import Testing

@testable import FeedStore

@Suite("Rules of a file") struct RuleFileTests {
  @Test("Rules of the file come first, keep what they did, and are not changed here")
  func file() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("verge")
    let reader = cache.store.reader
    try await reader.addRule(RuleDraft(query: "own", actions: [.star]), reach: .arrivals)
    let drafts = [
      (draft: RuleDraft(query: "deal", actions: [.hide]), isEnabled: true),
      (draft: RuleDraft(name: "Chairs", query: "chair", actions: [.markRead]), isEnabled: true),
    ]
    #expect(try await reader.setFileRules(drafts))
    #expect(try await !reader.setFileRules(drafts))
    #expect(try reader.rules().map(\.name) == ["deal", "Chairs", "own"])
    #expect(try reader.rules().map(\.isFile) == [true, true, false])
    let deal = try reader.rules()[0].id
    await #expect(throws: StoreError.notAllowed) { try await reader.disableRule(deal) }
    try await cache.merge(feed, [.dated(1, hours: 1, title: "deal")])
    #expect(try await reader.setFileRules([drafts[1], drafts[0]]))
    #expect(try reader.rules().map(\.name) == ["Chairs", "deal", "own"])
    #expect(try reader.rules()[1].id == deal)
    #expect(try reader.weeks(of: deal).map(\.articles) == [1])
    #expect(try await reader.setFileRules([]))
    #expect(try reader.rules().map(\.name) == ["own"])
  }
}
