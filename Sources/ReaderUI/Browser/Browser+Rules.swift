import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// Rules: making a rule from the shown list, trying it, and listing all rules.
extension Browser {
  func openRules() { goTo(RulesScreen(context: context)) }

  func editRule(_ draft: RuleDraft, of rule: Rule?) {
    show(RuleFormScreen(draft, of: rule, context: context))
  }

  func tryRule(_ draft: RuleDraft, of rule: Rule?) {
    show(RuleTrialScreen(draft, of: rule, context: context))
  }

  /// Closes the dry run and its form.
  func closeRule() {
    while sheet is RuleTrialScreen || sheet is RuleFormScreen { closeSheet() }
  }
}
