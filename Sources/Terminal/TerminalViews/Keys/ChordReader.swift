/// Converts keys to commands, with counts and sequences of keys. A value without a clock: a
/// complete sequence that may continue (`g` of `gg`) waits for the next key or for `timeOut()`.
public nonisolated struct ChordReader<ProgramCommand: CommandSet> {
  /// Commands to perform, and the number typed before the key.
  public struct Outcome: Equatable {
    /// A single command, or the commands of a macro in order.
    public var invocations: [CommandInvocation<ProgramCommand>]
    public var count: Int?

  }

  package private(set) var pending: [Key] = []
  private var digits: Int?

  public init() {}

  /// The highest count, to which larger ones are reduced.
  static var maximumCount: Int { 9_999 }

  /// Keys of the incomplete sequence, for the status line.
  public var label: String {
    (digits.map(String.init) ?? "") + pending.map(\.label).joined()
  }

  /// The typed number; `nil` after a further key.
  public var number: Int? { pending.isEmpty ? digits : nil }

  /// Returns a command with the typed number as its count, and resets the reader.
  public mutating func finish(numberOf command: ProgramCommand) -> Outcome {
    finish([CommandInvocation(command)])
  }

  /// Returns true if a complete sequence waits for a key that would continue it.
  public func isWaiting(_ keymap: CommandKeymap<ProgramCommand>, in context: ProgramCommand.Place)
    -> Bool
  {
    !pending.isEmpty && keymap.match(pending, in: context).binding != nil
  }

  /// Returns the commands that a key completes: none during a sequence, and two if the key ends a
  /// waiting sequence and is a command itself. A key that ends an incomplete sequence does nothing
  /// else.
  public mutating func handle(
    _ key: Key, _ keymap: CommandKeymap<ProgramCommand>, in context: ProgramCommand.Place
  ) -> [Outcome] {
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
    guard !pending.isEmpty, let binding = keymap.match(pending, in: context).binding else {
      self = ChordReader()
      return []
    }
    return [finish(binding)] + handle(key, keymap, in: context)
  }

  /// Ends a waiting sequence; `nil` if there is none.
  public mutating func timeOut(
    _ keymap: CommandKeymap<ProgramCommand>, in context: ProgramCommand.Place
  )
    -> Outcome?
  {
    guard !pending.isEmpty, let binding = keymap.match(pending, in: context).binding else {
      return nil
    }
    return finish(binding)
  }

  private mutating func finish(_ binding: [CommandInvocation<ProgramCommand>]) -> Outcome {
    let outcome = Outcome(invocations: binding, count: digits)
    self = ChordReader()
    return outcome
  }

  private static func digit(_ key: Key) -> Int? {
    guard case .character(let character) = key, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}
