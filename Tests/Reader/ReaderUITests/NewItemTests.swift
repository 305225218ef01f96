@testable import ReaderServices
@testable import ReaderUI

@Suite("The selection of new and moved items") struct NewItemTests {
  @Test("A saved search is selected above the feeds, from the search and from its list")
  func searches() async throws {
    for keys in [["Tab", "s"]] {
      let robot = await Robot(try await .searchable(), width: 140, height: 40)
      await robot.press("g /").type("check")
      for key in keys { await robot.press(key) }
      await robot.press("Enter").sees("Saved; it\u{2019}s above your feeds").selects("/ check")
      #expect(robot.application.browser.focus == .feeds && robot.application.browser.sheet == nil)
    }
  }

  @Test("A feed that is moved to a new or closed folder stays selected")
  func folders() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("/").type("Rachel").press("Enter", "Esc").selects("Rachel")
    await robot.press("t").type("Fresh").press("Enter").sees("Rachel is in Fresh").selects("Rachel")
    let systems = try #require(
      try cache.store.reader.feeds.subscriptions().folders.first { $0.title == "Systems" })
    try await cache.store.reader.folders.setExpanded(systems.id, false)
    await robot.waitUntilIdle()
    await robot.press("t").type("Systems").press("Enter").sees("Rachel is in Systems")
    robot.selects("Rachel")
  }

  @Test("A new rule is selected in the list of rules, open or opened later")
  func rules() async throws {
    let cache = try await TestCache.searchable()
    for name in ["one", "two"] {
      try await cache.store.reader.rules.addRule(
        RuleDraft(name: name, query: "title:\(name)", actions: [.star]), reach: nil)
    }
    let robot = await Robot(cache)
    await robot.press(":rules", "a").type("checkpoint").key(.tab).type("star").press("Enter")
    await robot.press("Enter").sees("Rule enabled").selects("checkpoint")
    await robot.press("k", "a").key(.control("u")).type("quieter").key(.tab)
    await robot.type("star").press("Enter").press("Enter").sees("Rule enabled")
    robot.selects("quieter")
    await robot.press("Esc", ":rules")
    #expect(robot.selection?.contains("quieter") == false)
  }

  @Test("Messages and questions name what they are about, with numbers") func names() async throws {
    let robot = try await Robot(.daily(), width: 110)
    await robot.press("/").type("Rachel").press("Enter", "Esc", "D")
    robot.sees("Unsubscribe from Rachel (3 articles, 1 starred)? Kept: 1 starred")
    await robot.press("y").sees("Unsubscribed from Rachel (3 articles, 1 starred)")
    await robot.press("/").type("Systems").press("Enter", "Esc", "D")
    robot.sees("Folder Systems deleted, its 3 feeds are kept")
  }
}
