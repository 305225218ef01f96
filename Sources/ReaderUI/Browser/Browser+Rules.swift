import ArticleScreens
import FeedModel
import FeedStore
import ReaderServices
import TerminalViews

/// Rules: creating one from what is shown, trying it, and listing them.
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

  var ruleBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(.makeRule) {
        browser.editRule(RuleDraft(query: browser.shownQuery, actions: []), of: nil)
      },
      Binding(.hiddenArticles) { browser.showList(.hidden, opens: true) },
    ]
  }

  private func quoted(_ field: String, _ name: String) -> String {
    "\(field):\"\(name.replacing("\"", with: " "))\""
  }

  /// The shown list as a condition: a search as it was typed, a list by its name.
  private var shownQuery: String {
    let source = focus == .feeds ? feeds.model.selectedSource : articles?.source
    let filter = focus == .feeds ? "" : articles?.text ?? ""
    let condition: String
    switch source {
    case .search(let text): condition = text
    case .saved(let id): condition = feeds.model.search(id)?.query ?? ""
    case .feed(let id): condition = quoted("feed", feeds.model.name(.feed(id)))
    case .folder(let id): condition = quoted("in", feeds.model.name(.folder(id)))
    case .tag(let tag): condition = quoted("tag", tag)
    case .smart, .hidden, nil: condition = ""
    }
    return (condition.isEmpty ? "" : condition + " ")
      + (filter.isEmpty ? "" : "title:\"\(filter)\"")
  }
}
