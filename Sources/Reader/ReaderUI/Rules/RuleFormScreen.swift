import Foundation
import TerminalViews

/// The form for a rule: condition, actions, name, end. Enter opens the dry run.
final class RuleFormScreen: FieldSheet {
  nonisolated enum Field { case query, actions, name, until, stops }

  let context: ReaderContext
  private let rule: Rule?
  var form: Form<Field>
  private var loading: TimerToken?
  /// The number of matches in words, and the query that was counted.
  private var matched: (text: String, query: String)?

  init(_ draft: RuleDraft, of rule: Rule?, context: ReaderContext) {
    self.context = context
    self.rule = rule
    form = Form(
      [
        .text(.query, "If", draft.query, placeholder: "title:/deals?/ feed:verge"),
        .text(
          .actions, "Do", RuleAction.text(draft.actions), placeholder: Self.usualAction,
          suggestions: Self.suggestions),
        .text(.name, "Name", draft.name == draft.query ? "" : draft.name, placeholder: "as above"),
        .text(
          .until, "Until", draft.until.map(Self.day) ?? "", placeholder: "for ever",
          suggestions: ["1w", "2w", "30d", "90d"]),
        .choice(
          .stops, "Then", ["continue with later rules", "skip later rules"],
          selected: draft.stops ? 1 : 0),
      ], current: draft.query.isEmpty ? .query : .actions)
    count()
  }

  /// The action that applies if the field is empty.
  private static let usualAction = RuleAction.text([.hide])
  private static let suggestions = [usualAction] + RuleAction.examples.filter { $0 != usualAction }

  var title: String { rule == nil ? "New rule" : "Edit the rule" }
  var readsFeeds: Bool { false }

  var hints: [Hint] { fieldHints(enter: "try it", suggestions: "suggestions") }

  func edited() { count() }

  func submit() { if let draft = draft() { context.window?.tryRule(draft, of: rule) } }

  /// Reads the fields; `nil` if something is missing, which the form reports.
  private func draft() -> RuleDraft? {
    let query = trimmed(.query)
    do throws(SearchQuery.Problem) {
      guard try !SearchQuery(query).isEmpty else {
        form.showError("A condition is missing.", at: .query)
        return nil
      }
    } catch {
      form.showError(SearchWording.sentence(error) + ".", at: .query)
      return nil
    }
    let text = trimmed(.actions)
    guard let actions = RuleAction.actions(text.isEmpty ? Self.usualAction : text) else {
      form.showError("Use some of: " + Self.suggestions.joined(separator: " "), at: .actions)
      return nil
    }
    var until: Date?
    let end = trimmed(.until)
    if !end.isEmpty {
      until = Self.date(end, from: context.now, context.configuration.timeZone)
      guard until != nil else {
        form.showError("Write a time (2w, 30d) or a day (2026-12-31).", at: .until)
        return nil
      }
    }
    return RuleDraft(
      name: trimmed(.name), query: query, actions: actions,
      stops: form.choice(.stops) == 1, until: until)
  }

  static func date(_ text: String, from now: Date, _ zone: TimeZone) -> Date? {
    let units: [Character: Double] = ["d": .days(1), "w": .days(7)]
    if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
      (1...10_000).contains(count)
    {
      return now + Double(count) * unit
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return CalendarDay.end(of: text, in: calendar)
  }

  private static func day(_ date: Date) -> String {
    String((date - 1).formatted(.iso8601.year().month().day()))
  }

  /// Counts the matches of the condition in the background; each key replaces the previous count.
  private func count() {
    let text = trimmed(.query)
    guard text != matched?.query else { return }
    guard let query = try? SearchQuery(text), !query.isEmpty else {
      matched = nil
      loading = nil
      return
    }
    let since = context.now - .days(Double(SearchCache.previewDays))
    loading = context.load(
      { [search = context.search] _ in try await search.preview(query, since: since) },
      then: { [weak self] preview in
        self?.loading = nil
        self?.matched = (RuleWording.summary(preview, days: SearchCache.previewDays), text)
        self?.context.invalidate()
      })
  }

  private static let advice = [
    "If: a search, as in g/. title:/deals?/  author:name  feed:name  in:folder  tag:word",
    "has:audio  has:video  has:picture  has:discussion  minutes:<3  lang:de  is:duplicate",
    "Do: " + suggestions.joined(separator: "  ") + "  run:name",
  ]

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas))
    var y = error.map { below.write(paragraph: $0, .error) } ?? 0
    if let matched {
      below.write(matched.text, x: 0, y: y, columns: below.width)
      y += 2
    }
    for line in Self.advice { y += below.write(paragraph: line, y: y, .secondary) }
  }
}
