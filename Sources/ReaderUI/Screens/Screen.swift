// A screen has a model, binds commands and draws into a canvas. It may use its window, never other
// screens.

import FeedModel
import FeedStore
import TerminalKit

/// A part of the window with its own content: a pane, or a sheet over all panes.
protocol Screen: CommandTarget {
  var commandContext: CommandContext { get }
  /// For the top bar.
  var title: String { get }
  /// Shown in the rule above: filters, progress.
  var caption: String? { get }
  /// Typed letters are text, not commands.
  var takesText: Bool { get }
  /// Called before a command runs, here or elsewhere, while this screen has the focus.
  func willPerform(_ command: Command)
  func didPerform()
  /// Handles a key before the keymap does; `false` if not handled. For screens with a text field.
  func take(_ key: Key) -> Bool
  /// The command of a number that no key follows.
  func meaning(ofNumber number: Int) -> NumberMeaning?
  /// Called at most once a frame.
  func modelUpdated(_ change: StoreChange)
  func draw(on canvas: Canvas, isFocused: Bool)
  /// Handles a click at a place of the canvas last drawn on.
  func press(x: Int, y: Int, isDouble: Bool)
  /// Handles a step of the wheel at such a place, in rows, negative: up.
  func scroll(by rows: Int, x: Int, y: Int)
  /// Keys for the left of the status line when there is no message.
  var hints: [Hint] { get }
}

extension Screen {
  var caption: String? { nil }
  var takesText: Bool { false }
  func willPerform(_ command: Command) {}
  func didPerform() {}
  func take(_ key: Key) -> Bool { false }
  func meaning(ofNumber number: Int) -> NumberMeaning? { nil }
  func modelUpdated(_ change: StoreChange) {}
  func press(x: Int, y: Int, isDouble: Bool) {}
  func scroll(by rows: Int, x: Int, y: Int) {}
  var hints: [Hint] { [] }
}

extension Screen {
  /// Handles a mouse event at a place of the canvas.
  /// - Parameter rows: Rows per step of the wheel.
  func take(_ action: MouseEvent.Action, x: Int, y: Int, rows: Int) {
    switch action {
    case .wheelUp: scroll(by: -rows, x: x, y: y)
    case .wheelDown: scroll(by: rows, x: x, y: y)
    case .press, .doubleClick: press(x: x, y: y, isDouble: action == .doubleClick)
    case .release: break
    }
  }
}

/// The meaning of a number that no key follows.
struct NumberMeaning: Equatable {
  /// Carried out with the number as its count, unless it has no key.
  var command: Command
  /// For the status line, after the number: "opens example.org".
  var text: String
  /// Another digit would be part of such a number too.
  var canGrow: Bool
}

/// A key and its action, as the status line shows it.
struct Hint: Equatable {
  enum Trigger: Equatable {
    /// The key that the keymap assigns.
    case command(Command)
    /// A key that is not in the keymap: in text fields.
    case key(String)
  }
  var trigger: Trigger
  var text: String
  init(_ command: Command, _ text: String) {
    trigger = .command(command)
    self.text = text
  }
  init(key: String, _ text: String) {
    trigger = .key(key)
    self.text = text
  }
}

/// A screen over all panes, until it is closed.
protocol Sheet: Screen {
  /// It shows data that the list of feeds has read.
  var readsFeeds: Bool { get }
  /// It shows the progress of a sync.
  var showsProgress: Bool { get }
  /// Called when the sheet is closed and will not be shown again.
  func closed()
}

extension Sheet {
  var readsFeeds: Bool { true }
  var showsProgress: Bool { false }
  func closed() {}
}

/// A question or a text field in the status line: it receives every key until it ends.
protocol Prompt: AnyObject {
  /// Handles a key. Returns the action after closing the prompt; `nil` if it stays open.
  func take(_ key: Key) -> (() -> Void)?
  func draw(on canvas: Canvas)
}

/// A prompt with a list of choices above the status line, over what is shown there.
protocol ListPrompt: Prompt {
  /// The number of rows that it could use; at least 1.
  var listRows: Int { get }
  func draw(list canvas: Canvas)
}
