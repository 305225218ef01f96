public import TerminalViews

// A screen has a model, binds commands and draws into a canvas. A screen may use its window, but no
// other screens.

package typealias Binding = CommandBinding<Command>
package typealias Bindings = CommandBindings<Command>
package typealias Hint = CommandHint<Command>
package typealias NumberMeaning = CommandNumber<Command>
public typealias Invocation = CommandInvocation<Command>
public typealias KeyBinding = CommandKeyBinding<Command>
public typealias Keymap = CommandKeymap<Command>

/// A part of the window with its own content: a pane, or a sheet over all panes.
package protocol Screen: View<Command> {
  /// Called at most once per frame.
  func modelUpdated(_ change: StoreChange)
  /// The selected row as a sentence, or the lines of a text in view, for the linear form; `nil` to
  /// read the row of the hidden cursor.
  var spoken: [String]? { get }
}

extension Screen {
  package var spoken: [String]? { nil }
  package func modelUpdated(_ change: StoreChange) {}
}

/// A screen that covers all panes until it is closed.
package protocol Sheet: Screen {
  /// True if the sheet shows data that the list of feeds has read.
  var readsFeeds: Bool { get }
  /// True if the sheet shows the progress of a sync.
  var showsProgress: Bool { get }
  /// Called when the sheet is closed and will not be shown again.
  func closed()
}

extension Sheet {
  package var hints: [Hint] { bindings.hints.prefix(5) + [Hint(.back, "back")] }
  package var readsFeeds: Bool { true }
  package var showsProgress: Bool { false }
  package func closed() {}
}

package protocol ListSheet: ListView, Sheet {}

extension ListSheet {
  package var readsFeeds: Bool { false }
}

extension Binding {
  /// Shows the key of a command that another part of the interface performs.
  package static func hint(
    _ command: Command, _ word: @escaping @autoclosure () -> String?
  ) -> Self { Self(command, when: false) {}.hinted(word()) }
}

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
