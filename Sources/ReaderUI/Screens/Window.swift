import FeedModel
import FeedStore

/// What screens ask of the window that they are in.
protocol Window: AnyObject {
  /// All feeds from the top of the tree to its bottom.
  var feedOrder: [FeedID] { get }
  /// Shows a list of articles; `opens`: the focus goes there.
  func showList(_ source: ListSource, opens: Bool)
  /// Opens an article for reading.
  func open(_ id: ArticleID)
  /// Opens a hit for reading; what was found becomes the list around it.
  func open(_ row: ArticleRow, of list: HitList)
  /// Closes all sheets and selects a list in the feeds.
  func reveal(_ source: ListSource)
  /// Shows the settings of a feed.
  func edit(_ feed: Feed)
  /// Opens an article with what a program made of it in place of its text.
  func open(_ id: ArticleID, replacedBy program: String, _ html: String)
  /// Shows what changed in an article.
  func showChanges(of article: Article)
  /// Opens a sheet over the panes.
  func show(_ sheet: any Sheet)
  /// Shows the rules.
  func openRules()
  /// Asks for a new rule, which begins as this.
  func makeRule(_ draft: RuleDraft)
  /// Asks what a rule is to be from now on.
  func editRule(_ rule: Rule)
  /// Shows which articles a rule matches, before it is enabled.
  func tryRule(_ rule: Rule)
  /// The same, for a rule that is not there yet, or not as this.
  func tryDraft(_ draft: RuleDraft, of rule: Rule?)
  /// Closes what makes and tries a rule.
  func closeRule()
  /// Closes the sheet in front.
  func closeSheet()
  /// Shows a question or a text field in the status line; it takes all keys until it ends.
  func ask(_ prompt: any Prompt)
  /// Opens an address outside, after a question where it is not a plain web page.
  func follow(_ url: String)
}
