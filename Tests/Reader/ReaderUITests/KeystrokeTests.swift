@testable import ReaderServices
@testable import ReaderUI

/// Compares the numbers of default keys for daily tasks with those of newsboat. Typed words and
/// addresses are not counted.
@Suite("Keys for each task") struct KeystrokeTests {
  nonisolated struct Task: Sendable, CustomTestStringConvertible {
    var name: String
    /// `nil` if newsboat has no key for the task.
    var newsboat: Int?
    /// Keys pressed before the task: they open the list ("Enter") or one of its articles.
    var before: [String]
    var keys: [String]
    /// Text typed after `keys`; the keys of `after` follow it.
    var text = ""
    var after: [String] = []
    var outcome: @MainActor @Sendable (Robot) throws -> Bool
    var testDescription: String { name }
  }

  nonisolated static let tasks = [
    Task(name: "next unread", newsboat: 1, before: ["Enter", "Enter"], keys: ["n"]) {
      $0.terminal.text.contains("Body of A quieter terminal")
    },
    Task(name: "next article", newsboat: 1, before: ["Enter", "Enter"], keys: ["J"]) {
      $0.terminal.text.contains("Body of A quieter terminal")
    },
    Task(name: "mark unread", newsboat: 1, before: ["Enter", "Enter"], keys: ["m"]) {
      try $0.cache.store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 1)
        .contains { !$0.status.isRead }
    },
    Task(name: "mark feed read", newsboat: 1, before: ["Enter"], keys: ["A"]) {
      try $0.cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .unread)) == 0
    },
    // Ctrl-e, a letter, Enter.
    Task(name: "star", newsboat: 3, before: ["Enter", "Enter"], keys: ["s"]) {
      try $0.cache.store.reader.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 2
    },
    // "/" and Enter.
    Task(name: "search", newsboat: 2, before: ["Enter"], keys: ["g", "/"], text: "scheduler") {
      $0.application.browser.sheet is SearchScreen
        && $0.terminal.text.contains("A scheduler for small machines")
    },
    // "E", then a line in an editor, saved and closed: ":wq" and Enter at least.
    Task(
      name: "add a feed", newsboat: 5, before: [], keys: ["a"], text: "https://new.example/feed",
      after: ["Enter"]
    ) { $0.terminal.text.contains("new.example") },
    Task(name: "feeds that fail", newsboat: nil, before: [], keys: ["!"]) {
      $0.application.browser.sheet is ProblemsScreen && $0.terminal.text.contains("Old Gazette")
    },
    Task(name: "open link 2", newsboat: 1, before: ["Enter", "Enter"], keys: ["2"]) {
      $0.timers.pass(0.6)
      return $0.actions.opened == ["https://example.org/notes"]
    },
    // "e" queues it for podboat, where "d" downloads it.
    Task(
      name: "download", newsboat: 2, before: ["Enter", "/", "R", "e", "-", "e", "Enter", "Enter"],
      keys: ["d"]
    ) { try !$0.cache.store.engine.downloads.pending().isEmpty },
    // "Q"; in the list of feeds "q" too.
    Task(name: "quit", newsboat: 1, before: ["Enter", "Enter"], keys: ["Q"]) {
      $0.actions.quits == 1
    },
    // "e" queues it for podboat, where "p" plays it.
    Task(
      name: "play", newsboat: 2, before: ["Enter", "/", "R", "e", "-", "e", "Enter", "Enter"],
      keys: ["P"]
    ) { $0.actions.tasks.last?.program == .player },
  ]

  @Test("No task takes more keys than in newsboat", arguments: tasks)
  func keys(task: Task) async throws {
    let robot = await Robot(try await .daily())
    for key in task.before { await robot.press(key) }
    #expect(try !task.outcome(robot), "done before")
    for key in task.keys { await robot.press(key) }
    await robot.type(task.text)
    for key in task.after { await robot.press(key) }
    for _ in 0..<3 { await robot.waitUntilIdle() }
    #expect(try task.outcome(robot), "\(robot.terminal.text)")
    if let newsboat = task.newsboat { #expect(task.keys.count + task.after.count <= newsboat) }
  }
}
