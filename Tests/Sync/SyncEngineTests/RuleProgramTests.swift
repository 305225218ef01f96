@testable import Programs
@testable import SyncEngine

@Suite("Programs of rules") struct RuleProgramTests {
  /// A feed, a rule for its arrivals, and a program that logs its input.
  private func fixture(
    _ actions: [RuleAction]
  ) async throws -> (EngineFixture, rule: RuleID, log: String, program: String) {
    let fixture = try EngineFixture()
    fixture.web.on("http://a.example/feed", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/feed")
    let rule = try await fixture.rules.addRule(
      RuleDraft(name: "All", query: "is:unread", actions: actions), reach: .arrivals
    ).id
    let log = fixture.directory + "/log"
    let program = try Spawn.program(
      at: fixture.directory + "/program",
      "printf '%s: %s\\n' \"$WEIR_TITLE\" \"$(cat)\" >> '\(log)'; echo done; exit ${CODE:-0}")
    return (fixture, rule, log, program)
  }

  private func controller(
    _ fixture: EngineFixture, _ program: String, code: Int = 0, isAllowed: Bool = true
  ) -> NetworkController {
    fixture.controller {
      guard isAllowed else { return }
      $0.ruleProgram = { task in
        ProgramCall(
          words: [program], environment: ["WEIR_TITLE": "\(task.article)", "CODE": "\(code)"],
          input: Array("text".utf8), note: task.program)
      }
      $0.ruleNotification = { tasks in
        ProgramCall(
          words: [program], environment: ["WEIR_TITLE": "\(tasks.count) new"],
          input: Array("names".utf8))
      }
    }
  }

  private func lines(_ log: String) -> [String] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test("A program runs once per article, and its output is a note; notifications are combined")
  func runs() async throws {
    let (fixture, rule, log, program) = try await fixture([.run("summary"), .notify])
    _ = await controller(fixture, program).runUntilIdle()
    let articles = try fixture.articles.page(.init(scope: .all), .top, limit: 10)
    #expect(articles.count == 3)
    let wanted = articles.map { "\($0.id): text" } + ["3 new: names"]
    #expect(lines(log).sorted() == wanted.sorted())
    for article in articles {
      #expect(try fixture.states.notes(of: article.id).map(\.program) == ["summary"])
    }
    #expect(try fixture.rules.programFailures(of: rule).isEmpty)
    // No program runs again.
    _ = await controller(fixture, program).runUntilIdle()
    #expect(lines(log).count == 4)
  }

  @Test("A program that fails is reported with its rule and is not run again")
  func failure() async throws {
    let (fixture, rule, log, program) = try await fixture([.run("summary")])
    _ = await controller(fixture, program, code: 3).runUntilIdle()
    let failures = try fixture.rules.programFailures(of: rule)
    #expect(failures.map(\.fact) == ["exit-code:3"] && failures.map(\.count) == [3])
    _ = await controller(fixture, program).runUntilIdle()
    #expect(lines(log).count == 3)
  }

  @Test("A program that rules may not run is reported and not run") func notAllowed() async throws {
    let (fixture, rule, log, program) = try await fixture([.run("summary"), .notify])
    _ = await controller(fixture, program, isAllowed: false).runUntilIdle()
    #expect(lines(log).isEmpty)
    let failures = try fixture.rules.programFailures(of: rule)
    #expect(failures.map(\.program) == [nil, "summary"] && failures.map(\.fact) == [nil, nil])
  }

  @Test("Programs run without a network") func offline() async throws {
    let (fixture, _, log, program) = try await fixture([.run("summary")])
    let feed = try #require(try fixture.feeds.subscriptions().feeds.first)
    let items = (1...3).map { ParsedItem(id: "\($0)", title: "Story \($0)") }
    _ = try await fixture.store.engine.fetches.merge([
      RefreshResult(
        feed: feed.id, at: fixture.now,
        outcome: .parsed(ParsedFeed(format: .rss, title: "A", items: items), bodyHash: "00"))
    ])
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    fixture.web.on("http://a.example/feed", .failure(.offline))
    let controller = controller(fixture, program)
    controller.start()
    try await expectEventually { lines(log).count == 3 }
    await controller.end()
  }
}
