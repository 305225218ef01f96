// One file per screen: it holds a model, takes commands, draws into a canvas. A screen knows the
// chain above it, never its siblings.

import FeedModel
import FeedStore
import TerminalKit

/// A part of the window with its own content: a pane, or a sheet over all panes.
protocol Screen: Responder {
  /// Which keys apply while it has the focus.
  var commandContext: CommandContext { get }
  /// For the top bar.
  var title: String { get }
  /// Shown in the rule above: filters, progress; nil: none.
  var caption: String? { get }
  /// Takes a key before the keymap sees it; false: not wanted. For screens with a text field.
  func take(_ key: Key) -> Bool
  /// The cache has changed; delivered down the tree, at most once a frame.
  func modelUpdated(_ change: StoreChange)
  func draw(on canvas: Canvas, isFocused: Bool)
  /// A click or wheel step at a place of the canvas last drawn on. False: nothing came of it.
  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool
  /// For the left of the status line while it says nothing else.
  var hints: [Hint] { get }
}

extension Screen {
  var caption: String? { nil }
  func take(_ key: Key) -> Bool { false }
  func modelUpdated(_ change: StoreChange) {}
  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool { false }
  var hints: [Hint] { [] }
}

/// A key and what it does, as the status line shows it.
struct Hint: Equatable {
  enum Trigger: Equatable {
    /// Whatever key the keymap gives it.
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

/// A question or a text field in the status line: it eats every key until it ends.
protocol Prompt: AnyObject {
  func take(_ key: Key)
  func draw(on canvas: Canvas)
}

/// A prompt that offers something to choose from above the status line, over what is shown there.
protocol ListPrompt: Prompt {
  /// How many rows it could use; at least 1.
  var listRows: Int { get }
  func draw(list canvas: Canvas)
}
