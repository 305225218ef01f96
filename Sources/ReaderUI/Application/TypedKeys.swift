import ReaderServices
import TerminalViews

/// Keys of an incomplete command.
struct TypedKeys {
  var chords = ChordReader<Command>()
  /// The command of a typed number without a following key, shown in the status line.
  var meaning: NumberMeaning?

  /// The text for the status line; empty without keys.
  var label: String {
    [chords.label, meaning?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
