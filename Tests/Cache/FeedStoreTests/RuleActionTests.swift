import GRDB

@testable import ArticleStore
@testable import SearchStore

@Suite("Lasting and external actions of rules") struct RuleActionTests {
  private func item(_ number: Int, _ title: String) -> ParsedItem {
    var item = ParsedItem.dated(number, hours: Double(number), title: title)
    item.contentHTML = "<p>text of \(title)</p>"
    return item
  }

  private func titles(_ cache: TestCache) throws -> [String] {
    try cache.all(.init(scope: .all)).map(\.title)
  }

  // MARK: Codes

  @Test(
    "An action's code decodes to the same action",
    arguments: [
      RuleAction.snooze(hours: 1), .snooze(hours: 36), .snooze(hours: 48), .snooze(hours: 336),
      .notify, .run("summary"), .hide, .later, .tag("later"),
    ])
  func codes(action: RuleAction) { #expect(RuleAction(code: action.code) == action) }

  @Test(
    "An invalid code is not decoded",
    arguments: [
      "snooze", "snooze:", "snooze:0d", "snooze:2", "snooze:-1d", "snooze:54w", "snooze:9999999w",
      "snooze:99999999999999999999d", "run", "run:", "run:a b", "notify:x",
    ])
  func noCodes(code: String) { #expect(RuleAction(code: code) == nil) }

  @Test("A span of hours is written in the largest whole unit") func spans() {
    #expect([1, 36, 48, 168, 336].map(RuleAction.span) == ["1h", "36h", "2d", "1w", "2w"])
  }

  // MARK: Snoozing

  @Test("An article that a rule snoozes is in no list until its time, and then on top")
  func snooze() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.rules.addRule(
      RuleDraft(query: "title:weekend", actions: [.snooze(hours: 48)]), reach: .arrivals)
    try await cache.merge(feed, [item(1, "Weekend reads"), item(2, "Plain")])
    #expect(try titles(cache) == ["Plain"])
    #expect(try cache.counts().unread == 1)
    #expect(try cache.articles.hiddenByRules(in: .init(scope: .all), isAlone: true).ids.isEmpty)
    let snoozedItems = try cache.plan.snoozedItems()
    #expect(snoozedItems.map(\.title) == ["Weekend reads"])
    #expect(snoozedItems.map(\.until) == [cache.clock.now + 48 * 3_600])
    // Maintenance does not delete it meanwhile, however old it is.
    cache.clock.now += 47 * 3_600
    _ = try await cache.store.engine.maintenance.maintenanceStep()
    #expect(try titles(cache) == ["Plain"])
    cache.clock.now += 3_600
    _ = try await cache.store.engine.maintenance.maintenanceStep()
    #expect(try titles(cache) == ["Weekend reads", "Plain"])
    #expect(try cache.counts().unread == 2)
    #expect(try cache.plan.snoozedItems().isEmpty)
    // The rule acts once: the next merge does not snooze the article again.
    try await cache.merge(feed, [item(1, "Weekend reads, corrected"), item(2, "Plain")])
    #expect(try titles(cache).count == 2)
  }

  @Test("An article that another rule hides does not return after its snooze")
  func hiddenForGood() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    for actions in [[RuleAction.snooze(hours: 1)], [.hide]] {
      try await cache.rules.addRule(
        RuleDraft(query: "title:deal", actions: actions), reach: .arrivals)
    }
    try await cache.merge(feed, [item(1, "A deal")])
    cache.clock.now += 86_400
    while try await cache.store.engine.maintenance.maintenanceStep() {}
    #expect(try titles(cache).isEmpty)
  }

  @Test("Snoozing existing articles is one step that undo and redo restore")
  func undo() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.merge(feed, [item(1, "Weekend reads"), item(2, "Plain")])
    let ids = try cache.all(.init(scope: .all)).map(\.id)
    try await cache.rules.addRule(
      RuleDraft(query: "title:weekend", actions: [.snooze(hours: 2)]), reach: .also([ids[0]]))
    #expect(try titles(cache) == ["Plain"])
    _ = try await cache.journal.undo()
    #expect(try titles(cache).count == 2)
    #expect(try cache.plan.snoozedUntil(ids[0]) == nil)
    _ = try await cache.journal.redo()
    #expect(try titles(cache) == ["Plain"])
    #expect(try cache.plan.snoozedUntil(ids[0]) != nil)
    cache.clock.now += 2 * 3_600
    _ = try await cache.store.engine.maintenance.maintenanceStep()
    #expect(try titles(cache).count == 2)
  }

  @Test("Retention keeps snoozed articles") func retention() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "title:weekend", actions: [.snooze(hours: 24 * 30)]), reach: .arrivals)
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "title:deal", actions: [.hide]), reach: .arrivals)
    try await cache.merge(feed, [item(1, "Weekend reads"), item(2, "A deal")])
    try await cache.store.reader.feeds.setRetention(feed, Retention(days: 5))
    cache.clock.now += 20 * 86_400
    while try await cache.store.engine.maintenance.maintenanceStep() {}
    cache.clock.now += 11 * 86_400
    _ = try await cache.store.engine.maintenance.maintenanceStep()
    #expect(try titles(cache) == ["Weekend reads"])
  }

  // MARK: Programs

  @Test("A program is requested for arriving articles, not for existing ones")
  func programs() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    try await cache.merge(feed, [item(1, "Swift 6")])
    let here = try cache.all(.init(scope: .all)).map(\.id)
    let rule = try await reader.rules.addRule(
      RuleDraft(name: "Swift", query: "title:swift", actions: [.run("summary"), .notify, .star]),
      reach: .also(here))
    #expect(try engine.programs.pending().isEmpty)
    #expect(try reader.rules.judgements(of: here[0]).map(\.actions) == [[.star]])
    try await cache.merge(feed, [item(1, "Swift 6"), item(2, "Swift 7"), item(3, "Rust")])
    let waiting = try engine.programs.pending().map(\.id)
    #expect(waiting.count == 1)
    let task = try #require(try engine.programs.task(waiting[0]))
    #expect(task.program == "summary" && task.rule == "Swift")
    #expect(try reader.articles.articleRow(task.article)?.title == "Swift 7")
    #expect(try engine.programs.pendingNotifications().map(\.article) == [task.article])
    // Each program is given to a single process.
    #expect(try await engine.programs.claimRulePrograms(waiting) == waiting)
    #expect(try await engine.programs.claimRulePrograms(waiting).isEmpty)
    #expect(try reader.rules.programFailures(of: rule.id).map(\.fact) == [""])
    try await engine.programs.endRulePrograms(
      waiting, .done(note: RuleNote(program: "summary", html: "<p>short</p>")))
    #expect(try reader.rules.programFailures(of: rule.id).isEmpty)
    #expect(try reader.states.notes(of: task.article).map(\.html) == ["<p>short</p>"])
    let notices = try engine.programs.pendingNotifications().map(\.id)
    try await engine.programs.endRulePrograms(notices, .failed(fact: nil))
    #expect(try engine.programs.pendingNotifications().isEmpty)
    let failures = try reader.rules.programFailures(of: rule.id)
    #expect(failures.map(\.program) == [nil] && failures.map(\.fact) == [nil])
    #expect(failures.map(\.count) == [1])
  }

  @Test("A feed with many new articles starts a limited number of programs")
  func bound() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.store.reader.rules.addRule(
      RuleDraft(query: "title:story", actions: [.run("summary")]), reach: .arrivals)
    try await cache.merge(feed, (1...80).map { item($0, "Story \($0)") })
    #expect(try cache.engine.programs.pending().count == RuleProgramRows.mostWaiting)
  }
}
