package import FeedModel
package import FeedStore
package import TerminalViews

/// The services of the window for its screens.
package protocol Window: AnyObject {
  /// All feeds from the top of the tree to its bottom.
  var feedOrder: [FeedID] { get }
  var subscriptions: Subscriptions { get }
  /// Shows a list of articles, and moves the focus there if `opens`.
  func showList(_ source: ListSource, opens: Bool)
  func open(_ id: ArticleID)
  /// Opens a hit for reading; the search becomes the list around it.
  func open(_ row: ArticleRow, of list: ListSearch)
  /// Closes all sheets and selects a list in the feeds.
  func reveal(_ source: ListSource)
  func edit(_ feed: Feed)
  /// Opens an article with the output of a program in place of its text.
  func open(_ id: ArticleID, replacedBy program: String, _ html: String)
  func showChanges(of article: Article)
  func show(_ sheet: any Sheet)
  func openRules()
  /// Asks for changes of a rule, or for a new one that begins with the draft.
  func editRule(_ draft: RuleDraft, of rule: Rule?)
  /// Shows the articles that a rule matches, before it is enabled.
  func tryRule(_ draft: RuleDraft, of rule: Rule?)
  /// Closes the form and the dry run of a rule.
  func closeRule()
  func closeSheet()
  /// Shows a question or a text field in the status line; it receives all keys until it ends.
  func ask(_ prompt: any Prompt)
  /// Opens an address outside, after a question if it is not a plain web page.
  func follow(_ url: String)
}
