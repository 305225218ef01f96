@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI

@Suite("Older posts on the screens") struct OlderPostsScreenTests {
  private static func old(_ count: Int, next: String? = "https://example.org/3")
    -> OlderPostsOutcome
  {
    .page(
      OlderPostsPage(
        items: (1...count).map { .item("Old \($0)", minutes: 10_000 + Double($0)) }, next: next,
        addresses: ["https://example.org/2"], bodyHash: "2"))
  }

  @Test("A key fetches a page of the open feed, and the posts come below without moving anything")
  func key() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed(
      "Planet", (1...30).map { .item("New \($0)", minutes: Double($0)) })
    let robot = await Robot(cache, width: 110)
    await robot.press("G", "Enter")
    let list = try #require(robot.application.browser.articles)
    for _ in 0..<12 { await robot.press("j") }
    let (selected, top) = (list.model.selectedRow?.title, list.model.visibleRows.first?.title)
    await robot.press(":lists older").sees("Fetching older posts of Planet")
    try await cache.store.engine.olderPosts.finish(feed, Self.old(5))
    await robot.waitUntilIdle().sees("5 older posts of Planet, back to")
    robot.sees("marked read; :lists older fetches")
    #expect(list.model.arrivals == 0)
    #expect(list.model.selectedRow?.title == selected)
    #expect(list.model.visibleRows.first?.title == top)
    await robot.press("G").sees("Old 5")
    await robot.press(":older 3").sees("Fetching 3 pages of older posts of Planet")
    try await cache.store.engine.olderPosts.finish(feed, .ended)
    await robot.waitUntilIdle().sees("Planet has no older posts")
    await robot.press(":lists older").sees("Planet has no older posts")
  }

  @Test("A count above ten is cut, and a failure says what happened and which key tries again")
  func failure() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("Planet", [.item("New", minutes: 0)])
    let robot = await Robot(cache, width: 110)
    await robot.press("G", ":lists older 40")
    robot.sees("Fetching 10 pages of older posts of Planet, the most at a time")
    try await cache.store.engine.olderPosts.finish(
      feed, .failed(RefreshFailure(kind: .httpStatus, status: 503, since: cache.clock.now)))
    await robot.waitUntilIdle().sees("Planet answered 503", ":lists older tries again")
  }

  @Test("Offline, the request is kept and the message says so")
  func offline() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("Planet", [.item("New", minutes: 0)])
    try await cache.store.engine.requests.setSyncStatus(SyncStatus(quality: .offline))
    let robot = await Robot(cache, width: 110)
    await robot.press("G", ":lists older")
    robot.sees("Offline; Weir fetches older posts of Planet when you’re online")
    #expect(try cache.store.engine.olderPosts.pending().map(\.feed) == [feed])
  }
}
