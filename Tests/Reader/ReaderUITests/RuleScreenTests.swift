@testable import ArticleScreens
@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

@Suite("Rules in the reader") struct RuleScreenTests {
  nonisolated static let sizes = [(80, 24), (140, 40), (40, 10)]

  @Test("Making and trying a rule looks as recorded", arguments: sizes)
  func looks(width: Int, height: Int) async throws {
    let robot = try await Robot(.searchable(), width: width, height: height)
    try await robot.press(":rules").matches("rules-none-\(width)x\(height)")
    try await robot.press("a").type("the").key(.tab).type("hide highlight:2").matches(
      "rules-form-\(width)x\(height)")
    try await robot.press("Enter").matches("rules-trial-\(width)x\(height)")
    try await robot.press("Enter").doesNotSee("anyway").matches("rules-list-\(width)x\(height)")
  }

  @Test("A search becomes a rule that hides its hits, and u shows them again")
  func fromSearch() async throws {
    let (cache, robot) = try await Robot.reading(.searchable(), width: 120, height: 40)
    let before = try cache.store.reader.feeds.subscriptions().smartCounts
    await robot.press("g /").type("checkpoints").press("Tab", ":rules", "a")
    robot.sees("New rule", "checkpoints", "from the last 90 days")
    await robot.type("hide").press("Enter").sees(
      "and apply it to these", "Notes on WAL checkpoints")
    await robot.press("Down", "Enter").doesNotSee("Enable it anyway?").sees("Rule enabled")
    let all = ArticleQuery(scope: .all)
    #expect(try cache.store.reader.articles.hiddenByRules(in: all, isAlone: true).count > 0)
    #expect(try cache.store.reader.rules.all().map(\.query) == ["checkpoints"])
    await robot.press("Esc", "Esc", ":lists hidden").sees(
      "Hidden by rules", "Notes on WAL checkpoints")
    await robot.press("u").sees("Undone: rule").doesNotSee("Notes on WAL checkpoints")
    #expect(try cache.store.reader.articles.hiddenByRules(in: all, isAlone: true).count == 0)
    #expect(try cache.store.reader.feeds.subscriptions().smartCounts == before)
    #expect(try cache.store.reader.rules.all().isEmpty)
  }

  @Test("A list shows hidden articles in their places, and ga names the rule that hides one")
  func inPlace() async throws {
    let cache = try await TestCache.searchable()
    let preview = try await cache.store.search.preview(
      SearchQuery("checkpoints"), since: .distantPast)
    let hits = try #require(preview).hits.ids
    try await cache.store.reader.rules.addRule(
      RuleDraft(name: "No WAL", query: "checkpoints", actions: [.hide]), reach: .also(hits))
    let feed = try #require(try cache.store.reader.articles.articleRow(hits[0])?.feed)
    let robot = await Robot(cache, width: 140, height: 40)
    robot.application.browser.feeds.model.select(.list(.feed(feed)))
    await robot.press("Enter").doesNotSee("Notes on WAL checkpoints")
    await robot.press(":lists hidden-here").sees("Notes on WAL checkpoints", "with hidden ones")
    let articles = try #require(robot.application.browser.articles)
    let row = try #require(articles.model.rows.first { $0.id == hits[0] })
    #expect(row.isHiddenByRule)
    articles.model.select(row)
    await robot.press("g a").sees("No WAL", "hide").press("Esc")
    await robot.press(":about rules").sees("Rules", "No WAL")
    await robot.press("Esc", ":lists hidden-here").doesNotSee("Notes on WAL checkpoints")
  }

  @Test("A rule is disabled, enabled again after a dry run, edited and removed")
  func list() async throws {
    let cache = try await TestCache.searchable()
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "checkpoints", actions: [.markRead]), reach: .arrivals)
    let robot = await Robot(cache, width: 100, height: 30)
    await robot.press(":rules").sees("checkpoints", "mark read").press("p").sees("disabled")
    #expect(try cache.store.reader.rules.all().map(\.isEnabled) == [false])
    await robot.press("p").sees("Enable it for what arrives").press("Enter").sees("Rule enabled")
    #expect(try cache.store.reader.rules.all().map(\.isEnabled) == [true])
    await robot.press("e").sees("Edit the rule").type(" star").press("Enter")
    await robot.press("Down", "Down", "Enter").sees("Rule changed")
    #expect(try cache.store.reader.rules.all().map(\.actions) == [[.markRead, .star]])
    await robot.press("D").sees("removed")
    #expect(try cache.store.reader.rules.all().isEmpty)
    await robot.press("u").sees("Undone: rule")
    #expect(try cache.store.reader.rules.all().count == 1)
  }

  @Test("A wrong condition or action is reported in the form, and no rule is made")
  func mistakes() async throws {
    let (cache, robot) = try await Robot.reading(.searchable(), width: 100, height: 30)
    await robot.press(":rules", "a", "Enter").sees("A condition is missing.")
    await robot.type("title:/a(/").press("Enter").sees("The parentheses do not match")
    await robot.press("Backspace", "Backspace").type("/")
    await robot.key(.tab).type("explode").press("Enter").sees("Use some of:")
    #expect(try cache.store.reader.rules.all().isEmpty)
  }

  @Test("A rule without an action hides") func usualAction() async throws {
    let robot = await Robot(try await TestCache.searchable(), width: 100, height: 30)
    await robot.press(":rules", "a").type("title:/a/").press("Enter").sees("Enable it for what")
    await robot.press("Enter")
    #expect(try robot.cache.store.reader.rules.all().map(\.actions) == [[.hide]])
  }

  @Test("A broken rule is shown in the problems and in the list of rules, with its reason")
  func broken() async throws {
    let cache = try await TestCache.searchable()
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "title:/a(/", actions: [.hide]), reach: .arrivals)
    let robot = await Robot(cache, width: 120, height: 30)
    await robot.press("!").sees("1 broken rule")
    await robot.press(":rules").sees("The parentheses do not match").press("p")
    robot.sees("The parentheses do not match")
    #expect(try !cache.store.reader.rules.all()[0].isEnabled)
  }

  @Test("A rule's highlight colour is used in lists and in the text")
  func highlights() async throws {
    let cache = try await TestCache.searchable()
    let preview = try await cache.store.search.preview(
      SearchQuery("checkpoint*"), since: .distantPast)
    let hits = try #require(preview).hits.ids
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "checkpoint*", actions: [.highlight(2)]), reach: .also(hits))
    let robot = await Robot(cache, width: 140, height: 40)
    let browser = robot.application.browser
    let feed = try #require(try cache.store.reader.articles.articleRow(hits[0])?.feed)
    browser.feeds.model.select(.list(.feed(feed)))
    await robot.press("Enter")
    let articles = try #require(browser.articles)
    let row = try #require(articles.model.rows.first { $0.id == hits[0] })
    #expect(row.highlight == 2)
    articles.model.select(row)
    await robot.press("Enter")
    let document = try #require(browser.reader.document)
    let found = document.lines.indices.flatMap { line in
      document.runs(
        line, marking: .init(), highlights: browser.reader.highlights.marks
      ).filter { $0.roles.contains(.highlight2) }.map { $0.text.lowercased() }
    }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.hasPrefix("checkpoint") })
  }
}
