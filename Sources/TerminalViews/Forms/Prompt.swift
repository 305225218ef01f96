package import TerminalKit

/// A question or a text field in the status line, which receives every key until it is closed.
@MainActor package protocol Prompt: AnyObject {
  /// Handles a key. Returns the action after closing the prompt; `nil` if it stays open.
  func handle(_ key: Key) -> (() -> Void)?
  func draw(on canvas: Canvas)
}

/// A prompt with a list of choices, drawn above the status line over the screen's content.
@MainActor package protocol ListPrompt: Prompt {
  /// The number of rows that the list can use; at least 1.
  var listRows: Int { get }
  func draw(list canvas: Canvas)
}
