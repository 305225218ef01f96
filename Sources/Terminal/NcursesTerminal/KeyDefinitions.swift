import CNcurses

/// Maps input sequences to keys for ncurses.
enum KeyDefinitions {
  static var terminfo: [[UInt8]: Key] {
    var named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
      ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert),
      ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
    ]
    for number in 1...20 { named.append(("kf\(number)", .function(number))) }
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in named {
      guard let capability = weir_string(name) else { continue }
      // Not expanded: key sequences have no parameters, but may contain a percent sign.
      let bytes = Array(String(cString: capability).utf8)
      if bytes.first == 0x1B, bytes.count > 1, keys[bytes] == nil { keys[bytes] = key }
    }
    return keys
  }

  /// Common sequences of xterm and others (CSI and SS3), and requested reports.
  static let common: [[UInt8]: Key] = {
    var keys: [[UInt8]: Key] = [:]
    func define(_ sequence: String, _ key: Key) { keys[Array("\u{1B}\(sequence)".utf8)] = key }
    let finals: [(Character, Key)] = [
      ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
      ("P", .function(1)), ("Q", .function(2)), ("R", .function(3)), ("S", .function(4)),
      ("Z", .backTab),
    ]
    for (final, key) in finals {
      define("[\(final)", key)
      define("O\(final)", key)
    }
    define("[I", .focusIn)
    define("[O", .focusOut)
    let numbered: [(ClosedRange<Int>, [Key])] = [
      (1...8, [.home, .insert, .delete, .end, .pageUp, .pageDown, .home, .end]),
      (11...15, (1...5).map(Key.function)), (17...21, (6...10).map(Key.function)),
      (23...26, (11...14).map(Key.function)), (28...29, (15...16).map(Key.function)),
      (31...34, (17...20).map(Key.function)),
    ]
    for (numbers, named) in numbered {
      for (number, key) in zip(numbers, named) { define("[\(number)~", key) }
    }
    // The keypad in application mode.
    define("OM", .enter)
    define("OX", .character("="))
    for final in UInt8(ascii: "j")...UInt8(ascii: "y") {
      define(
        "O\(Character(Unicode.Scalar(final)))", .character(Character(Unicode.Scalar(final - 0x40))))
    }
    return keys
  }()

  /// Returns the key of a sequence without the terminal's description; `nil` if it is unknown.
  static func key(of bytes: [UInt8]) -> Key? {
    if bytes.count == 1, bytes[0] < 0x20 || bytes[0] == 0x7F { return Key(controlByte: bytes[0]) }
    if let key = common[bytes] { return key }
    if let plain = InputSequence.withoutModifiers(bytes) { return key(of: plain) }
    let text = String(decoding: bytes.drop { $0 == 0x1B }, as: UTF8.self)
    return bytes.first == 0x1B ? Key.alt(of: text) : Key.characters(of: text).first
  }
}
