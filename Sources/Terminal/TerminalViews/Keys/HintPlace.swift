import TerminalKit

/// The position of a key and its action in the status line.
public struct HintPlace<ProgramCommand: CommandSet> {
  public var hint: CommandHint<ProgramCommand>
  public var key: String
  public var columns: Range<Int>

  /// Arranges hints from the left until one does not fit.
  public static func places(
    of hints: [CommandHint<ProgramCommand>], _ keymap: CommandKeymap<ProgramCommand>, width: Int
  ) -> [HintPlace] {
    var places: [HintPlace] = []
    var x = 1
    for hint in hints {
      let key: String
      switch hint.trigger {
      case .key(let label): key = label
      case .command(let command):
        guard let label = keymap.label(command) else { continue }
        key = label
      }
      let end = x + GraphemeWidth.width(of: key) + 1 + GraphemeWidth.width(of: hint.text)
      guard end <= width else { break }
      places.append(HintPlace(hint: hint, key: key, columns: x..<end))
      x = end + 3
    }
    return places
  }
}
