import ArgumentParser
import Foundation
import ProgramSettings

struct RuleActionOptions: ParsableArguments {
  @Flag(help: "Mark the articles read.") var read = false
  @Flag(help: "Hide the articles from lists.") var hide = false
  @Flag(help: "Star the articles.") var starred = false
  @Flag(help: "Keep the articles for later.") var later = false

  @Option(
    help: ArgumentHelp("Tag the articles; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String] = []

  @Option(
    help: ArgumentHelp("Highlight the articles in lists: a colour, 1 to 4.", valueName: "colour"))
  var highlight: Int?

  @Flag(name: .customLong("full-text"), help: "Fetch the pages of the articles.")
  var fullText = false

  @Flag(help: "Download the files of the articles.") var download = false

  @Option(
    help: ArgumentHelp("Hide the articles for a time: 36h, 2d, 1w.", valueName: "time"))
  var snooze: String?

  @Flag(help: "Run the program for notifications when such articles arrive.") var notify = false

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Run a program of [programs] for each article that arrives; may be repeated.",
      valueName: "name"))
  var programs: [String] = []

  @Flag(help: "Judge no later rule where this one matches.") var stop = false

  @Option(
    help: ArgumentHelp(
      "The rule ends after this time (2w, 30d) or day (2026-12-31).", valueName: "when"))
  var until: String?

  @Option(help: ArgumentHelp("The rule\u{2019}s name.", valueName: "name")) var name: String?
  @Flag(name: .shortAndLong, help: "Enable it even if it hides more than 30 % of a feed.")
  var yes = false

  func validate() throws {
    if let highlight, !RuleAction.highlights.contains(highlight) {
      throw ValidationError("--highlight takes a colour from 1 to 4.")
    }
    if let snooze, RuleAction.hours(snooze) == nil {
      throw ValidationError("--snooze takes a time from 1h to a year: 36h, 2d, 1w.")
    }
    if programs.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
      throw ValidationError("--run takes the name of a program of [programs].")
    }
    if tag.contains(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
      throw ValidationError("--tag takes one word.")
    }
    if let until, Self.date(until) == nil {
      throw ValidationError("--until takes a time (2w, 30d) or a day (2026-12-31).")
    }
  }

  var actions: [RuleAction] {
    let flags: [(Bool, RuleAction)] = [
      (read, .markRead), (hide, .hide), (starred, .star), (later, .later), (fullText, .fullText),
      (download, .download), (notify, .notify),
    ]
    var actions = flags.filter(\.0).map(\.1) + tag.map(RuleAction.tag)
    if let highlight { actions.append(.highlight(highlight)) }
    if let hours = snooze.flatMap(RuleAction.hours) { actions.append(.snooze(hours: hours)) }
    return actions + programs.map(RuleAction.run)
  }

  /// - Throws: if an action needs a program that is missing or not allowed.
  func check(_ configuration: UserConfiguration) throws(CommandFailure) {
    for name in programs {
      guard let program = configuration.programs[name] else {
        throw CommandFailure("There is no program \(name) under [programs] in the configuration.")
      }
      guard program.isForRules else {
        throw CommandFailure(
          "Rules may not run \(name) yet. Set rules = true for it in [programs].")
      }
    }
    if notify, configuration.notification == nil {
      throw CommandFailure("No program for notifications is set. Put command under [notify].")
    }
  }

  var end: Date? { until.flatMap(Self.date) }

  private static func date(_ text: String) -> Date? {
    Age(argument: text).map { Date() + $0.seconds } ?? CalendarDay.end(of: text, in: .current)
  }
}

struct RuleArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("Number or name.", valueName: "rule"), completion: .rules)
  var rule: String

  static func find(_ rule: String, in store: FeedStore) throws -> Rule {
    try store.reader.rules.all().find(
      rule, ("rule", "weir rule list"), by: [{ $0.name.lowercased() == rule.lowercased() }]
    ) { $0.name }
  }
}

extension Session {
  /// Reads `rules.toml`, then finds a rule to change. Throws for rules of that file.
  func rule(_ argument: RuleArgument) async throws -> Rule {
    try await applyRulesFile()
    let rule = try RuleArgument.find(argument.rule, in: store)
    guard !rule.isFile else {
      throw CommandFailure("This rule is in rules.toml. Change it there.")
    }
    return rule
  }
}

struct RuleDryRun {
  let session: Session
  var days = SearchCache.previewDays
  private static let timeout = Duration.seconds(10)

  func query(_ text: String) throws -> SearchQuery {
    let query = try SearchQuery(typed: text)
    guard !query.isEmpty else {
      throw CommandFailure("A rule needs a condition; see weir help search.", code: .usage)
    }
    return query
  }

  /// Runs the draft and prints the result without its articles.
  /// - Throws: if the rule would hide too much of a feed, unless `mayHideMuch`.
  func preview(_ draft: RuleDraft, mayHideMuch: Bool) async throws -> RulePreview {
    let preview = try await run(query(draft.query))
    try print(preview, draft.actions)
    if draft.actions.contains(.hide), !preview.overwhelmed.isEmpty, !mayHideMuch {
      throw CommandFailure("The rule was not enabled; --yes enables it anyway.")
    }
    return preview
  }

  func run(_ query: SearchQuery) async throws -> RulePreview {
    try await session.store.search.catchUpIndex(within: Self.timeout)
    let since = Date() - .days(Double(days))
    guard let preview = try await session.store.search.preview(query, since: since) else {
      throw CommandFailure("The dry run was interrupted.", code: .interrupted)
    }
    return preview
  }

  func print(
    _ preview: RulePreview, _ actions: [RuleAction], _ rows: [ArticleRow] = []
  ) throws {
    try Console.print(RuleWording.summary(preview, days: days))
    for feed in preview.feeds.prefix(5) {
      try Console.print("  \(feed.name): \(feed.matched) of \(feed.total)")
    }
    if let warning = RuleWording.warning(preview, actions) { Console.note(warning + ".") }
    var printer = try ArticlePrinter(session.store)
    try printer.print(rows)
  }
}

/// A time span as users type it: `30d`, `12h`, `2w`.
struct Age: ExpressibleByArgument {
  var seconds: TimeInterval

  init?(argument: String) {
    let units: [Character: TimeInterval] = ["h": .hours(1), "d": .days(1), "w": .days(7)]
    guard let last = argument.last, let unit = units[last], let number = Int(argument.dropLast()),
      (0...1_000_000).contains(number)
    else { return nil }
    seconds = Double(number) * unit
  }
}
