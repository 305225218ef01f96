import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// Rules: making a rule from the shown list, trying it, and listing all rules.
extension Browser {
  func openRules() {
    goTo(RulesScreen(context: context))
    selectNewRule()
  }

  func editRule(_ draft: RuleDraft, of rule: Rule?) {
    show(RuleFormScreen(draft, of: rule, context: context))
  }

  func tryRule(_ draft: RuleDraft, of rule: Rule?) {
    show(RuleTrialScreen(draft, of: rule, context: context))
  }

  /// Closes the dry run and its form.
  func closeRule(_ new: RuleID?) {
    while sheet is RuleTrialScreen || sheet is RuleFormScreen { closeSheet() }
    if let new { context.session.newRule = new }
    selectNewRule()
  }

  /// Selects a rule that was added since the list of rules was last shown.
  private func selectNewRule() {
    guard let rules = sheet as? RulesScreen, let new = context.session.newRule else { return }
    context.session.newRule = nil
    rules.select(new)
  }
}
