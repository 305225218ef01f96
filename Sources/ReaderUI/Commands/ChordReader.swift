import TerminalKit

/// Turns single keys into commands: sequences, counts, and sequences that begin others. A value
/// without a clock: a complete sequence that could go on (`g` of `gg`) waits for the next key or
/// for `timeOut()`, whichever comes first.
nonisolated struct ChordReader {
  struct Outcome: Equatable {
    /// A single command, or those of a macro in order.
    var invocations: [Invocation]
    var count: Int?
  }

  private(set) var pending: [Key] = []
  private var digits: Int?

  /// Larger counts are reduced to this.
  static let maximumCount = 9_999

  /// The keys of the incomplete sequence, for the status line.
  var label: String {
    (digits.map(String.init) ?? "") + pending.map(\.label).joined()
  }

  /// The typed number while no key follows it.
  var number: Int? { pending.isEmpty ? digits : nil }

  mutating func finish(numberOf command: Command) -> Outcome { finish([Invocation(command)]) }

  /// A complete sequence waits for a key that would continue it.
  func isWaiting(_ keymap: Keymap, in context: CommandContext) -> Bool {
    !pending.isEmpty && keymap.match(pending, in: context).binding != nil
  }

  /// Returns the commands that a key completes: none during a sequence, two if the key ends a
  /// waiting sequence and is a command itself.
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
