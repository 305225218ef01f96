public import TerminalKit

/// A question or a text field in the status line, which receives every key until it is closed.
@MainActor public protocol Prompt: AnyObject {
  /// Handles a key. Returns the action after closing the prompt; `nil` if it stays open.
  func handle(_ key: Key) -> (() -> Void)?
  /// Draws the prompt in the status line.
  func draw(on canvas: Canvas)
}

/// A prompt with a list of choices, drawn above the status line over the screen's content.
@MainActor public protocol ListPrompt: Prompt {
  /// The number of rows that the list can use; at least 1.
  var listRows: Int { get }
  /// Draws the list on a canvas of at most `listRows` rows.
  func draw(list canvas: Canvas)
  /// The effect that the highlighted choice would have now; empty if unknown.
  var effectText: String { get }
}

extension ListPrompt {
  public var effectText: String { "" }
}
