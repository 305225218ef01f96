import ReaderServices
import TerminalKit
import TerminalViews

/// Keys of an incomplete command.
struct TypedKeys {
  var chords = ChordReader<Command>()
  /// The command of a typed number without a following key, shown in the status line.
  var meaning: NumberMeaning?
  /// True if the keys that may follow are shown.
  var showsContinuations = false

  /// The text for the status line; empty without keys.
  var label: String {
    [chords.label, meaning?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the keys that may follow, with the titles of their commands; empty while they are not
  /// shown.
  func continuations(_ keymap: Keymap, in place: CommandContext) -> [(key: String, title: String)] {
    guard showsContinuations, !chords.pending.isEmpty else { return [] }
    return keymap.continuations(of: chords.pending, in: place).map {
      (chords.label + $0.keys.label, $0.invocations.title)
    }
  }
}
