package import TerminalKit

/// A question or a text field in the status line: it receives every key until it ends.
@MainActor package protocol Prompt: AnyObject {
  /// Handles a key. Returns the action after closing the prompt; `nil` if it stays open.
  func take(_ key: Key) -> (() -> Void)?
  func draw(on canvas: Canvas)
}

/// A prompt with a list of choices above the status line, over what is shown there.
@MainActor package protocol ListPrompt: Prompt {
  /// The number of rows that it could use; at least 1.
  var listRows: Int { get }
  func draw(list canvas: Canvas)
}
