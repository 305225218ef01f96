import TerminalKit

/// Turns single keys into commands: sequences, counts, and sequences that begin others.
///
/// A value without a clock: where a sequence is complete and could also go on (`g` of `gg`), it
/// waits for the next key or for `timeOut()`, whichever comes first.
nonisolated struct ChordReader {
  struct Outcome: Equatable {
    /// One command, or those of a macro in their order.
    var invocations: [Invocation]
    /// As typed before the command; nil: none.
    var count: Int?
  }

  private(set) var pending: [Key] = []
  private var digits: Int?

  /// Counts beyond this are taken as this.
  static let maximumCount = 9_999

  /// What was typed so far, for the status line; empty if nothing is under way.
  var label: String {
    (digits.map(String.init) ?? "") + pending.map(\.label).joined()
  }

  /// The number that was typed, while no key follows it; nil: none.
  var number: Int? { pending.isEmpty ? digits : nil }

  /// The number gives a command by itself: no key has followed it.
  mutating func finish(numberOf command: Command) -> Outcome { finish([Invocation(command)]) }

  /// True while a complete sequence waits whether it goes on.
  func isWaiting(_ keymap: Keymap, in context: CommandContext) -> Bool {
    !pending.isEmpty && keymap.match(pending, in: context).binding != nil
  }

  /// Takes one key. Returns what it completes: none while a sequence is under way, two where it
  /// ends one that waited and is a command itself.
  mutating func take(_ key: Key, _ keymap: Keymap, in context: CommandContext) -> [Outcome] {
    if pending.isEmpty, let digit = Self.digit(key), digit > 0 || digits != nil,
      keymap.match([key], in: context).binding == nil
    {
      digits = min(Self.maximumCount, (digits ?? 0) * 10 + digit)
      return []
    }
    if key == .escape, !pending.isEmpty || digits != nil {
      self = ChordReader()
      return []
    }
    let keys = pending + [key]
    let match = keymap.match(keys, in: context)
    if match.isPrefix {
      pending = keys
      return []
    }
    if let binding = match.binding { return [finish(binding)] }
    guard !pending.isEmpty else {
      self = ChordReader()
      return []
    }
    var outcomes: [Outcome] = []
    if let binding = keymap.match(pending, in: context).binding { outcomes.append(finish(binding)) }
    self = ChordReader()
    return outcomes + take(key, keymap, in: context)
  }

  /// The time to go on has passed.
  mutating func timeOut(_ keymap: Keymap, in context: CommandContext) -> Outcome? {
    guard !pending.isEmpty, let binding = keymap.match(pending, in: context).binding else {
      return nil
    }
    return finish(binding)
  }

  private mutating func finish(_ binding: [Invocation]) -> Outcome {
    let outcome = Outcome(invocations: binding, count: digits)
    self = ChordReader()
    return outcome
  }

  private static func digit(_ key: Key) -> Int? {
    guard case .character(let character) = key, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}
