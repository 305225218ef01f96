package import FeedModel
package import FeedStore
package import TerminalViews

/// The window's services for its screens.
package protocol Window: AnyObject {
  /// All feeds in the order of the tree.
  var feedOrder: [FeedID] { get }
  var subscriptions: Subscriptions { get }
  /// Shows a list of articles, and moves the focus to it if `opens`.
  func showList(_ source: ListSource, opens: Bool)
  func open(_ id: ArticleID)
  /// Opens a hit for reading, with the search as the current list.
  func open(_ row: ArticleRow, of list: ListSearch)
  /// Closes all sheets and selects a list in the feed pane.
  func reveal(_ source: ListSource)
  func edit(_ feed: Feed)
  /// Opens an article with a program's output in place of its text.
  func open(_ id: ArticleID, replacedBy program: String, _ html: String)
  func showChanges(of article: Article)
  func show(_ sheet: any Sheet)
  func openRules()
  /// Opens a form for a rule, or for a new rule with the draft's values.
  func editRule(_ draft: RuleDraft, of rule: Rule?)
  /// Shows the articles that a rule matches, before the rule is enabled.
  func tryRule(_ draft: RuleDraft, of rule: Rule?)
  /// Closes the form and the dry run of a rule; the list of rules selects a new one.
  func closeRule(_ new: RuleID?)
  func closeSheet()
  /// Shows a question or a text field in the status line, which receives all keys until it ends.
  func ask(_ prompt: any Prompt)
  /// Opens an address in the browser, after a question if it is not a plain web page.
  func follow(_ url: String)
}
