@testable import SyncEngine

@Suite("Folders in an account's folder") struct AccountFolderTests {
  @Test("Renaming a folder is one call to the server, which a sign-in page does not confirm")
  func renamed() async throws {
    let fixture = try await AccountFixture()
    let (server, web, manual) = (fixture.server, fixture.fixture.web, fixture.fixture.manual)
    for name in ["a", "b", "c"] {
      server.addFeed("http://\(name).example/", title: name, folder: "News & views")
    }
    server.addFeed("http://d.example/", title: "D", folder: "Other")
    try await fixture.sync()
    let folder = try #require(
      try fixture.store.reader.feeds.subscriptions().folders.first { $0.title == "News & views" })
    try await fixture.store.reader.folders.rename(folder.id, to: "Science")

    // The network requires a sign-in: its page is not an answer of the server.
    server.answer(for: web) { request in
      request.url.contains("rename-tag") ? .page("<!DOCTYPE html><p>Please sign in") : nil
    }
    try await fixture.sync()
    #expect(server.feeds.map(\.folder).filter { $0 == "Science" }.isEmpty)
    #expect(try fixture.state()?.outbox.waiting == 1)

    server.answer(for: web)
    manual.advance(by: .seconds(1_000))
    web.forget()
    try await fixture.sync()
    #expect(server.feeds.map(\.folder) == ["Science", "Science", "Science", "Other"])
    #expect(try fixture.state()?.outbox.waiting == 0)
    #expect(web.urls.count { $0.contains("rename-tag") } == 1)
    #expect(!web.urls.contains { $0.contains("subscription/edit") })
    #expect(
      try fixture.store.reader.feeds.subscriptions().folders.contains { $0.title == "Science" })
  }
}
