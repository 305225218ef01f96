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

/// Sentences about keys without an effect.
extension Keymap {
  /// Returns the place where the keys have a command, or says that they are unknown. Ctrl-C, which
  /// ends other programs, gets the key that quits.
  func reason(unbound keys: [Key]) -> String {
    let label = keys.map(\.label).joined()
    if let place = CommandContext.allCases.first(where: { match(keys, in: $0).binding != nil }) {
      return "\(label) works in the \(place.title)"
    }
    let hint =
      keys.last == .control("c")
      ? self.label(.quit).map { "; \($0) quits" }
      : self.label(.help).map { "; \($0) shows the keys" }
    return "Unknown key \u{201C}\(label)\u{201D}\(hint ?? "")"
  }
}

extension Command {
  func idleReason(in place: CommandContext) -> String {
    if !places.contains(place), let other = CommandContext.allCases.first(where: places.contains) {
      return "\u{201C}\(self.title)\u{201D} works in the \(other.title)"
    }
    return switch (self, place) {
    case (.goOut, _): "There is no pane on the left"
    case (.goIn, _): "There is no pane on the right"
    case (.dismiss, _): "There is nothing to close"
    case (_, .reader): "No article is open; Enter in a list opens one"
    case (.refresh, _), (.markShownRead, _): "Select a feed or a list first"
    default: "Nothing is selected"
    }
  }
}

extension [Invocation] {
  var title: String {
    map { invocation in
      let what = invocation.command.title
      return invocation.argument.map { "\(what): \($0)" } ?? what
    }.joined(separator: ", then ")
  }
}
