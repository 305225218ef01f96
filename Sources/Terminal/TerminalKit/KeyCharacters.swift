extension Key {
  package init(controlByte byte: UInt8) {
    self =
      switch byte {
      case 0x08, 0x7F: .backspace
      case 0x09: .tab
      case 0x0A, 0x0D: .enter
      case 0x1B: .escape
      case 0x1C...0x1F, 0x00: .control(Character(Unicode.Scalar(byte | 0x40)))
      default: .control(Character(Unicode.Scalar(byte | 0x60)))
      }
  }

  static func control(_ byte: UInt8, named character: UInt8) -> Key? {
    switch character {
    case 0x61...0x7A, 0x40, 0x5B...0x5F: Key(controlByte: byte)
    default: nil
    }
  }

  /// Returns a key for each cluster of a text that a cell can show. Marks alone are keys too, since
  /// they belong to the letter before.
  package static func characters(of text: String) -> [Key] {
    text.compactMap { character in
      let isKey = CellText.admissible(character) != nil || CellText.joinsTheLast(character)
      return isKey ? .character(character) : nil
    }
  }

  /// Returns the key of Alt with a text of one cluster that a cell can show.
  package static func alt(of text: String) -> Key? {
    guard let first = text.first, text.dropFirst().isEmpty, CellText.admissible(first) != nil else {
      return nil
    }
    return .alt(first)
  }
}

/// Detects double clicks.
package struct ClickCounter: Sendable {
  /// The most seconds between two presses of a double click.
  package static let interval = 0.4

  private var last: (x: Int, y: Int, time: Double)?

  package init() {}

  /// - Parameter time: seconds on any steady clock.
  package mutating func press(x: Int, y: Int, at time: Double) -> MouseEvent {
    if let last, last.x == x, last.y == y, time - last.time <= Self.interval {
      self.last = nil
      return MouseEvent(.doubleClick, x: x, y: y)
    }
    last = (x, y, time)
    return MouseEvent(.press, x: x, y: y)
  }
}
