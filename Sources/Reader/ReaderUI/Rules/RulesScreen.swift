import Foundation
import TerminalViews

/// The rules in the order of their evaluation, with actions and numbers of changed articles.
final class RulesScreen: ListSheet {
  let context: ReaderContext
  var list = RowList<Rule>()
  /// The last twelve weeks of each rule, the newest first; empty until they are read.
  private var weeks: [RuleID: [RuleWeek]] = [:]
  private var failures: [RuleID: [RuleProgramFailure]] = [:]
  private var loading: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    read()
  }

  var commandContext: CommandContext { .rules }
  var title: String { "Rules" }
  var caption: String? {
    let rules = list.rows
    guard !rules.isEmpty else { return nil }
    let broken = rules.count { $0.problem != nil }
    return AmountWording.count(rules.count, "rule", "rules")
      + (broken > 0 ? " \u{B7} \(broken) broken" : "")
  }

  private(set) lazy var bindings = Bindings { [unowned self] in
    movement + [
      binding(.pause, unless: self.whyNotChanged) { self.toggle($0) }
        .hinted(self.word("enable or disable")),
      Binding(.open, unless: self.whyNone) { self.openSelected() }
        .hinted(self.word("what it matches")),
      binding(.edit, unless: self.whyNotChanged) {
        self.context.window?.editRule($0.draft, of: $0)
      }.hinted(self.word("edit")),
      binding(.delete, unless: self.whyNotChanged) { self.remove($0) }
        .hinted(self.word("remove")),
      .hint(.add, "new rule"),
      .hint(.undo, self.word("undo")),
    ]
  }

  func openSelected() { if let selected { context.window?.tryRule(selected.draft, of: selected) } }

  private var whyNone: String? { selected == nil ? "There are no rules yet" : nil }

  private var whyNotChanged: String? {
    guard let selected else { return whyNone }
    return selected.isFile ? "This rule is in rules.toml; change it there" : nil
  }

  /// Disables a rule, or opens its dry run before it is enabled.
  private func toggle(_ rule: Rule) {
    guard rule.isEnabled else {
      if let problem = RuleWording.problem(rule) { return context.note(problem) }
      context.window?.tryRule(rule.draft, of: rule)
      return
    }
    context.write(noting: "Rule \u{201C}\(rule.name)\u{201D} disabled\(context.undoHint())") {
      store in try await store.rules.disableRule(rule.id)
    }
  }

  private func remove(_ rule: Rule) {
    context.write(noting: "Rule \u{201C}\(rule.name)\u{201D} removed\(context.undoHint())") {
      store in try await store.rules.removeRule(rule.id)
    }
  }

  /// Selects a rule that may not have been read yet.
  func select(_ id: RuleID) {
    read()
    if let index = list.rows.firstIndex(where: { $0.id == id }) { list.select(index) }
  }

  private func read() {
    if let rules = context.read(try context.store.rules.all()) { list.update(rules) }
    let ids = list.rows.map(\.id)
    loading = context.load(
      { store in
        var found: (weeks: [RuleID: [RuleWeek]], failures: [RuleID: [RuleProgramFailure]]) = (
          [:], [:]
        )
        for id in ids {
          found.weeks[id] = try store.rules.weeks(of: id)
          found.failures[id] = try store.rules.programFailures(of: id)
        }
        return found
      },
      then: { [weak self] found in
        guard let self else { return }
        (weeks, failures) = (found.weeks, found.failures)
        loading = nil
        context.invalidate()
      })
  }

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.rules) else { return }
    read()
    context.invalidate()
  }

  /// Lines for the name with its state, for the condition with the actions, and for a failure or a
  /// blank line.
  var rowHeight: Int { 3 }

  var emptyText: [String] {
    [
      "No rules yet.",
      "A rule hides, marks, tags or highlights articles as they arrive.",
      context.keymap.label(.add).map { "\($0) makes one for the search or list below." },
    ].compactMap(\.self)
  }

  func draw(_ rule: Rule, on canvas: Canvas, y: Int) {
    let state = state(of: rule)
    canvas.write(
      rule.problem != nil ? "!" : rule.isEnabled ? "●" : "○", x: 1, y: y,
      rule.problem != nil ? .error : rule.isEnabled ? .accent : .secondary)
    canvas.write(
      rule.name, x: 3, y: y, columns: canvas.width - 5 - state.count,
      rule.isEnabled ? .title : .text)
    canvas.write(state, x: canvas.width - 1 - state.count, y: y, .secondary)
    if let problem = RuleWording.problem(rule) {
      canvas.write(problem, x: 3, y: y + 1, columns: canvas.width - 4, .error)
      return
    }
    let actions = RuleWording.actions(rule.actions)
    let condition = rule.name == rule.query ? "" : "\(rule.query)  →  "
    canvas.write(condition + actions, x: 3, y: y + 1, columns: canvas.width - 4, .secondary)
    if let failure = failures[rule.id]?.first {
      canvas.write(RuleWording.failure(failure), x: 3, y: y + 2, columns: canvas.width - 4, .error)
    }
  }

  private func state(of rule: Rule) -> String {
    var parts: [String] = []
    if rule.isFile { parts.append("rules.toml") }
    if let until = rule.draft.until {
      parts.append(until <= context.now ? "ended" : "until \(context.dates.moment(until))")
    }
    if let weeks = weeks[rule.id] {
      let total = weeks.reduce(0) { $0 + $1.articles }
      // The current week began up to seven days before it was counted.
      let latest = weeks.first.flatMap { week in
        context.now.timeIntervalSince(week.from) < .days(10) ? week.articles : nil
      }
      parts.append(
        "this week \(AmountWording.grouped(latest ?? 0)), "
          + "last 12 weeks \(AmountWording.grouped(total))")
    }
    return parts.joined(separator: " \u{B7} ")
  }
}
