import FeedModel
import FeedStore
import Foundation
import TerminalKit
import Wording

/// The rules in the order of their evaluation: the actions of each, and how often it acted.
final class RulesScreen: Sheet {
  private let context: ReaderContext
  private var rules: [Rule] = []
  /// The last twelve weeks, the newest first, as far as they were read.
  private var weeks: [RuleID: [RuleWeek]] = [:]
  /// Failures of the programs that a rule runs.
  private var failures: [RuleID: [RuleProgramFailure]] = [:]
  private var conflicts: [RuleID: [RuleConflict]] = [:]
  private var selection = RowSelection<RuleID>()
  private var height = 1
  private var look: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    read()
  }

  var commandContext: CommandContext { .rules }
  var title: String { "Rules" }
  var readsFeeds: Bool { false }
  var caption: String? {
    guard !rules.isEmpty else { return nil }
    let broken = rules.count { $0.problem != nil }
    return AmountWording.count(rules.count, "rule", "rules")
      + (broken > 0 ? " \u{B7} \(broken) broken" : "")
      + (conflicts.isEmpty ? "" : " \u{B7} \(conflicts.count) with conflicts")
  }

  var hints: [Hint] {
    guard !rules.isEmpty else { return [Hint(.makeRule, "new rule"), Hint(.back, "back")] }
    return [
      Hint(.toggleRule, "enable or disable"), Hint(.open, "what it matches"),
      Hint(.editRule, "edit"), Hint(.removeRule, "remove"), Hint(.makeRule, "new rule"),
      Hint(.undo, "undo"), Hint(.back, "back"),
    ]
  }

  private var selected: Rule? {
    rules.indices.contains(selection.selected) ? rules[selection.selected] : nil
  }

  // MARK: Keys

  var bindings: [Binding] {
    Binding.movement { self.selection.move($0, page: max(1, self.height / Self.lines)) } + [
      Binding(.makeRule) { self.context.window?.makeRule(RuleDraft(query: "", actions: [])) },
      Binding(.open, unless: self.whyNone) {
        if let rule = self.selected { self.context.window?.tryRule(rule) }
      },
      Binding(.toggleRule, unless: self.whyNotChanged, toggle),
      Binding(.editRule, unless: self.whyNotChanged) {
        if let rule = self.selected { self.context.window?.editRule(rule) }
      },
      Binding(.removeRule, unless: self.whyNotChanged, remove),
    ]
  }

  private var whyNone: String? { selected == nil ? "There are no rules yet" : nil }

  private var whyNotChanged: String? {
    guard let selected else { return whyNone }
    return selected.isFile ? "This rule is in rules.toml; change it there" : nil
  }

  /// Tries a rule before it is enabled.
  private func toggle() {
    guard let rule = selected else { return }
    guard rule.isEnabled else {
      if let problem = RuleWording.problem(rule) { return context.note(problem) }
      context.window?.tryRule(rule)
      return
    }
    let context = context
    context.write({ store throws(StoreError) in try await store.disableRule(rule.id) }) {
      context.note("Rule \u{201C}\(rule.name)\u{201D} disabled\(context.undoHint())")
    }
  }

  private func remove() {
    guard let rule = selected else { return }
    let context = context
    context.write({ store throws(StoreError) in try await store.removeRule(rule.id) }) {
      context.note("Rule \u{201C}\(rule.name)\u{201D} removed\(context.undoHint())")
    }
  }

  // MARK: Changes and the mouse

  private func read() {
    do throws(StoreError) {
      rules = try context.store.rules()
    } catch {
      context.report(error)
    }
    conflicts = RuleConflict.find(in: rules, at: context.now)
    selection.update(rules.map(\.id))
    let ids = rules.map(\.id)
    look = context.look(
      { store throws(StoreError) in
        var found: (weeks: [RuleID: [RuleWeek]], failures: [RuleID: [RuleProgramFailure]]) = (
          [:], [:]
        )
        for id in ids {
          found.weeks[id] = try store.weeks(of: id)
          found.failures[id] = try store.programFailures(of: id)
        }
        return found
      },
      then: { [weak self] found in
        guard let self else { return }
        (weeks, failures) = (found.weeks, found.failures)
        look = nil
        context.invalidate()
      })
  }

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.rules) else { return }
    read()
    context.invalidate()
  }

  func closed() { look = nil }

  func press(x: Int, y: Int, isDouble: Bool) {
    if selection.select(line: y), isDouble, let rule = selected { context.window?.tryRule(rule) }
  }

  func scroll(by rows: Int, x: Int, y: Int) { selection.scroll(by: rows) { _ in Self.lines } }

  // MARK: Drawing

  /// A name with its state, the condition with the actions, and a blank line, a failure, or a
  /// conflict.
  private static let lines = 3

  private static let advice = [
    "No rules yet.",
    "A rule hides, marks, tags, scores or highlights articles as they arrive.",
  ]

  func draw(on canvas: Canvas, isFocused: Bool) {
    height = canvas.height
    guard !rules.isEmpty else {
      var advice = Self.advice
      if let key = context.keymap.label(.makeRule) {
        advice.append("\(key) on a search or a list makes one.")
      }
      for (y, line) in advice.enumerated() {
        canvas.write(line, x: 3, y: y, columns: canvas.width - 4, .secondary)
      }
      return
    }
    selection.draw(on: canvas, lines: { _ in Self.lines }) { draw(rules[$0], on: canvas, y: $1) }
  }

  private func draw(_ rule: Rule, on canvas: Canvas, y: Int) {
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
      canvas.write(
        RuleWording.failure(failure), x: 3, y: y + 2, columns: canvas.width - 4, .error)
    } else if let conflict = conflicts[rule.id]?.first {
      canvas.write(
        RuleWording.sentence(conflict), x: 3, y: y + 2, columns: canvas.width - 4, .warning)
    }
  }

  private func state(of rule: Rule) -> String {
    var parts: [String] = []
    if rule.isFile { parts.append("rules.toml") }
    if let until = rule.draft.until {
      parts.append(
        until <= context.now ? "ended" : "until \(context.dates.moment(until))")
    }
    if let weeks = weeks[rule.id] {
      let total = weeks.reduce(0) { $0 + $1.articles }
      // The current week began seven days before it was counted.
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
