import TerminalViews

/// Explanations of an article's state.
extension ArticleActions {
  func explain() {
    guard let id else { return }
    do throws(StoreError) {
      let judgements = try context.store.rules.judgements(of: id)
      let until = try context.store.plan.snoozedUntil(id)
      let snooze = until.map { "hidden until \(context.dates.moment($0)); " } ?? ""
      guard !judgements.isEmpty else {
        let text = "\(snooze)no rule has acted on this article"
        return context.note(text.prefix(1).uppercased() + text.dropFirst())
      }
      let items = judgements.map { judgement in
        Picker.Item(
          String(judgement.rule.rawValue), title: judgement.name ?? "a rule that was removed",
          note: RuleWording.actions(judgement.actions) + " \u{B7} "
            + context.dates.moment(judgement.at))
      }
      context.window?.ask(
        Picker("Why (\(snooze)\(AmountWording.count(items.count, "rule", "rules")))", items) {
          _ in context.window?.openRules()
        })
    } catch {
      context.report(error)
    }
  }
}
