/// The meaning of a number without a following key.
public struct CommandNumber<ProgramCommand: CommandSet>: Equatable {
  /// The command that is performed with the number as its count, unless it has no key.
  public var command: ProgramCommand
  /// Text after the number in the status line: "opens example.org".
  public var text: String
  /// True if another digit may follow the number.
  public var canGrow: Bool

  public init(command: ProgramCommand, text: String, canGrow: Bool) {
    (self.command, self.text, self.canGrow) = (command, text, canGrow)
  }
}

/// A key and its action, as shown in the status line.
public struct CommandHint<ProgramCommand: CommandSet>: Equatable {
  /// The key of a hint.
  public enum Trigger: Equatable {
    /// The key assigned by the keymap.
    case command(ProgramCommand)
    /// A key outside the keymap, in text fields.
    case key(String)
  }
  public var trigger: Trigger
  public var text: String
  public init(_ command: ProgramCommand, _ text: String) {
    trigger = .command(command)
    self.text = text
  }
  public init(key: String, _ text: String) {
    trigger = .key(key)
    self.text = text
  }
}

/// The position of a key and its action in the status line.
public struct HintPosition<ProgramCommand: CommandSet> {
  public var hint: CommandHint<ProgramCommand>
  public var key: String
  public var columns: Range<Int>

  /// The most hints, which one can read at a glance.
  private static var most: Int { 6 }

  /// Arranges hints from the left until one does not fit.
  public static func places(
    of hints: [CommandHint<ProgramCommand>], _ keymap: CommandKeymap<ProgramCommand>, width: Int
  ) -> [HintPosition] {
    var places: [HintPosition] = []
    var x = 1
    for hint in hints where places.count < most {
      let key: String
      switch hint.trigger {
      case .key(let label): key = label
      case .command(let command):
        guard let label = keymap.label(command) else { continue }
        key = label
      }
      let end = x + GraphemeWidth.width(of: key) + 1 + GraphemeWidth.width(of: hint.text)
      guard end <= width else { break }
      places.append(HintPosition(hint: hint, key: key, columns: x..<end))
      x = end + 3
    }
    return places
  }
}
