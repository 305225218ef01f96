/// Rules, their dry runs and results, in words.
public enum RuleWording {
  /// Returns text like "hide, tag lang, highlight 2".
  public static func actions(_ actions: [RuleAction]) -> String {
    actions.map(action).joined(separator: ", ")
  }

  private static func action(_ action: RuleAction) -> String {
    switch action {
    case .markRead: "mark read"
    case .hide: "hide"
    case .star: "star"
    case .later: "keep for later"
    case .tag(let tag): "tag \(tag)"
    case .highlight(let color): color == 1 ? "highlight" : "highlight \(color)"
    case .fullText: "fetch the page"
    case .download: "download the files"
    case .snooze(let hours): "hide for \(span(hours))"
    case .notify: "notify"
    case .run(let program): "run \(program)"
    }
  }

  private static func span(_ hours: Int) -> String {
    if hours.isMultiple(of: 168) { return AmountWording.count(hours / 168, "week", "weeks") }
    if hours.isMultiple(of: 24) { return AmountWording.count(hours / 24, "day", "days") }
    return AmountWording.count(hours, "hour", "hours")
  }

  /// Returns failures of a rule's program, like "summarise failed for 3 articles: exit code 1".
  public static func failure(_ failure: RuleProgramFailure) -> String {
    let name = failure.program ?? "The program for notifications"
    let articles = AmountWording.articles(failure.count)
    switch failure.fact {
    case nil where failure.program == nil:
      return "No program for notifications is set; put command under [notify]"
    case nil: return "\(name) may not be run by rules; set rules = true for it in [programs]"
    case "": return "\(name) was interrupted for \(articles)"
    case let fact?: return "\(name) failed for \(articles): \(DetailWording.words(fact))"
    }
  }

  /// Returns the reason why a rule is disabled, without a full stop; `nil` if it has no problem.
  public static func problem(_ rule: Rule) -> String? {
    switch rule.problem {
    case nil: return nil
    case .actions: return "It has an unknown action, or no action"
    case .query:
      do throws(SearchQuery.Problem) {
        return try SearchQuery(rule.query).isEmpty
          ? "It has no condition" : "Its condition could not be used"
      } catch {
        return SearchWording.sentence(error)
      }
    }
  }

  /// Returns text like "Matches 214 of 10,312 articles from the last 90 days: 3 starred".
  public static func summary(_ preview: RulePreview, days: Int) -> String {
    let matched = (preview.isPartial ? "more than " : "") + AmountWording.grouped(preview.matched)
    let total = AmountWording.articles(preview.total)
    let parts = AmountWording.some([
      (preview.starred, "starred"), (preview.opened, "opened"), (preview.ofAccounts, "of accounts"),
    ])
    let detail = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return "Matches \(matched) of \(total) from the last \(days) days" + detail
  }

  /// Returns a warning before a rule is enabled: a sentence without a full stop. `nil` if it hides
  /// no large share of a feed.
  public static func warning(_ preview: RulePreview, _ actions: [RuleAction]) -> String? {
    guard actions.contains(.hide), !preview.overwhelmed.isEmpty else { return nil }
    let feeds = preview.overwhelmed.prefix(3).map { feed in
      "\(feed.matched * 100 / max(1, feed.total)) % of \(feed.name)"
    }
    let more = preview.overwhelmed.count > 3 ? " and others" : ""
    return "It hides much: " + feeds.joined(separator: ", ") + more
  }

  /// Returns text like "rule “deals”: hide"; `nil` if no rule has acted on the article.
  public static func short(_ judgements: [RuleJudgement]) -> String? {
    guard let last = judgements.last else { return nil }
    let name = last.name.map { "\u{201C}\($0)\u{201D}" } ?? "a rule that was removed"
    let more = judgements.count > 1 ? " and \(judgements.count - 1) more" : ""
    return "rule \(name)\(more): \(actions(last.actions))"
  }
}

/// The problems of regular expressions, in words.
public enum PatternWording {
  /// - Returns: A sentence without a full stop.
  public static func sentence(_ problem: Pattern.Problem, in source: String) -> String {
    let reason =
      switch problem.kind {
      case .empty: "There is nothing between the slashes"
      case .escape: "There is no such escape, or a backslash is the last character"
      case .range: "There is no such class or range of characters"
      case .bracket: "A ] is missing"
      case .parenthesis: "The parentheses do not match"
      case .repetition: "There is nothing to repeat, or it repeats too often"
      case .group: "This kind of group is not supported (no look-ahead or look-behind)"
      case .encoding: "The text is not UTF-8"
      case .tooLarge: "The expression is too large"
      case .other: "The expression cannot be used"
      }
    guard let position = problem.position, position < source.count else {
      return "/\(source)/: \(reason)"
    }
    return "/\(source)/: \(reason), at \u{201C}\(source.dropFirst(position).prefix(12))\u{201D}"
  }
}
