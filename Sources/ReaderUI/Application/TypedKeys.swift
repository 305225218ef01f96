import ReaderServices
import TerminalViews

/// The keys of a command that is not complete yet.
struct TypedKeys {
  var chords = ChordReader<Command>()
  /// The command of a typed number if no key follows; the status line shows it.
  var meaning: NumberMeaning?

  /// The text for the status line; empty without keys.
  var label: String {
    [chords.label, meaning?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
