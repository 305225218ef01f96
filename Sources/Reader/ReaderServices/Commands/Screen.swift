// A screen has a model, binds commands and draws into a canvas. A screen may use its window, but no
// other screens.

import FeedModel
package import FeedStore
public import TerminalViews

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
  package var readsFeeds: Bool { true }
  package var showsProgress: Bool { false }
  package func closed() {}
}

/// A sheet of rows, one of which is selected.
package protocol ListSheet: ListView, Sheet {
  /// Keys for the selected row, which precede the keys of every sheet.
  var rowHints: [Hint] { get }
}

extension ListSheet {
  package var readsFeeds: Bool { false }
  package var hints: [Hint] { rowHints + [Hint(.back, "back")] }
}
