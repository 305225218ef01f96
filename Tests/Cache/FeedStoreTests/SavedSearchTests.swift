import GRDB

@testable import FeedStore

@Suite("Saved searches") final class SavedSearchTests: CacheSuite {
  @Test("A search is saved, renamed and removed, and each step can be undone and redone")
  func journal() async throws {
    let store = cache.store
    func names() throws -> [String] { try store.reader.feeds.subscriptions().searches.map(\.name) }
    let id = try await store.search.saveSearch(" sqlite is:unread ")
    #expect(
      try store.reader.feeds.subscriptions().searches == [
        SavedSearch(id: id, name: "sqlite is:unread", query: "sqlite is:unread")
      ])
    try await store.search.saveSearch("b", name: "B")
    try await store.search.rename(id, to: "Databases")
    #expect(try names() == ["Databases", "B"])
    try await store.search.removeSearch(id)
    #expect(try names() == ["B"])
    await #expect(throws: StoreError.notFound) { try await store.search.removeSearch(id) }
    #expect(try await store.reader.journal.undo()?.kind == .removeSearch)
    #expect(try names() == ["Databases", "B"])
    _ = try await store.reader.journal.undo()
    #expect(try names() == ["sqlite is:unread", "B"])
    _ = try await store.reader.journal.redo()
    #expect(try names() == ["Databases", "B"])
    _ = try await store.reader.journal.undo()
    _ = try await store.reader.journal.undo()
    _ = try await store.reader.journal.undo()
    #expect(try names() == [])
    _ = try await store.reader.journal.redo()
    #expect(try names() == ["sqlite is:unread"])
    try await store.search.rename(id, to: "  ")
    #expect(try names() == ["sqlite is:unread"])
  }

  @Test("A removed search remains only in the journal, with its key, name and position")
  func removed() async throws {
    let id = try await cache.store.search.saveSearch("a", name: "A")
    try await cache.store.search.saveSearch("b")
    let kept = try cache.feeds.subscriptions().searches
    try await cache.store.search.removeSearch(id)
    #expect(try cache.count("savedSearch") == 1)
    try await cache.store.maintenance.tidy()
    #expect(try await cache.journal.undo()?.subject == "A")
    #expect(try cache.feeds.subscriptions().searches == kept)
  }

  @Test("Saving a search and adding a rule read no others, so that thousands are imported soon")
  func othersAreNotRead() async throws {
    let read = Mutex(0)
    try await cache.store.database.write(.user) { db in
      db.trace { event in
        let text = event.description
        guard text.hasSuffix("FROM rule") || text.hasSuffix("FROM savedSearch") else { return }
        read.withLock { $0 += 1 }
      }
    }
    try await cache.store.search.saveSearch("a")
    try await cache.rules.addRule(RuleDraft(query: "a", actions: [.hide]), reach: nil)
    #expect(read.withLock { $0 } == 0)
    #expect(try await cache.journal.undo()?.kind == .addRule)
    #expect(try await cache.journal.undo()?.kind == .saveSearch)
    #expect(try cache.count("savedSearch") == 0 && cache.count("rule") == 0)
  }
}
