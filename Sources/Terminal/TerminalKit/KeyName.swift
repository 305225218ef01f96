extension Key {
  /// The key's name: `j`, `Ctrl-d`, `Alt-x`, `Space`, `PgDn`, `F5`. `nil` for events: mouse, paste,
  /// resize, focus.
  public var name: String? {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control("@"): "Ctrl-Space"
    case .control(let character): "Ctrl-\(character)"
    case .alt(" "): "Alt-Space"
    case .alt("\u{7F}"): "Alt-Backspace"
    case .alt(let character): "Alt-\(character)"
    case .function(let number): "F\(number)"
    case .mouse, .paste, .resize, .focusIn, .focusOut, .background: nil
    default: KeyNames.names.first { $0.key == self }?.name
    }
  }

  /// Reads a name, ignoring case, also in the forms of vi, Emacs and curses: `ctrl-d`, `C-d`,
  /// `<C-d>`, `^d`, `M-x`, `<Space>`, `Return`, `PageDown`, `S-Tab`. Keys that terminals cannot
  /// distinguish are equal: `Ctrl-m` is Enter, `Ctrl-i` Tab, `Ctrl-h` Backspace, `Ctrl-[` Esc.
  /// Returns `nil` for an unknown name.
  public init?(name: some StringProtocol) {
    var text = String(name)
    if text.count > 2, text.first == "<", text.last == ">" {
      text = String(text.dropFirst().dropLast())
    }
    let isPlain = text.count == 1
    guard let key = isPlain ? text.first.flatMap(KeyNames.plain) : KeyNames.key(text) else {
      return nil
    }
    self = key
  }
}

/// Keys pressed in succession: `gg`, `g /`, `Ctrl-x s`.
public struct KeySequence: Sendable, Hashable, CustomStringConvertible {
  /// The keys: at least one, each with a name.
  public let keys: [Key]

  /// Returns `nil` if there are no keys or one has no name.
  public init?(_ keys: [Key]) {
    guard !keys.isEmpty, keys.allSatisfy({ $0.name != nil }) else { return nil }
    self.keys = keys
  }

  /// Reads names separated by spaces. A word of up to three characters that is not a name means its
  /// characters (`gg`, `g<Space>`); a sequence that would spell a name has spaces (`u p`).
  public init?(_ text: some StringProtocol) {
    var keys: [Key] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      if let key = Key(name: word) {
        keys.append(key)
      } else if let spelled = KeySequence.spelled(word) {
        keys += spelled
      } else {
        return nil
      }
    }
    self.init(keys)
  }

  /// Text that `init(_:)` reads: `gg`, `Ctrl-x s`.
  public var description: String {
    let names = keys.compactMap(\.name)
    let joined = names.joined()
    let allPlain = names.allSatisfy { $0.count == 1 }
    if allPlain, names.count == 1 || KeySequence(joined)?.keys == keys { return joined }
    return names.joined(separator: " ")
  }

  /// Reads `g<Space>x`: characters, and names in angle brackets. Returns `nil` for letters after a
  /// modifier (`ctrl-foo`) and for long words (`pagedwon`), which are typing errors.
  private static func spelled(_ word: some StringProtocol) -> [Key]? {
    if KeyNames.hasModifier(String(word)) { return nil }
    if word.count > 3, word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) { return nil }
    var keys: [Key] = []
    var rest = Substring(word)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), let key = Key(name: rest[...end]) {
        keys.append(key)
        rest = rest[rest.index(after: end)...]
        continue
      }
      guard let key = KeyNames.plain(first) else { return nil }
      keys.append(key)
      rest.removeFirst()
    }
    return keys
  }
}

private enum KeyNames {
  /// Names of keys. The first name of each key is displayed.
  static let names: [(name: String, key: Key)] = [
    ("Enter", .enter), ("Return", .enter), ("CR", .enter), ("Esc", .escape), ("Escape", .escape),
    ("Tab", .tab), ("Shift-Tab", .backTab), ("BackTab", .backTab), ("Backspace", .backspace),
    ("BS", .backspace), ("Delete", .delete), ("Del", .delete), ("Insert", .insert),
    ("Ins", .insert), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right),
    ("Home", .home), ("End", .end), ("PgUp", .pageUp), ("PageUp", .pageUp), ("PgDn", .pageDown),
    ("PageDown", .pageDown), ("PgDown", .pageDown), ("Space", .character(" ")),
    ("lt", .character("<")),
  ]

  private static let byLowerCase: [String: Key] = Dictionary(
    names.map { ($0.name.lowercased(), $0.key) }, uniquingKeysWith: { first, _ in first })

  private static let modifiers: [(String, Modifier)] = [
    ("ctrl", .control), ("control", .control), ("c", .control), ("alt", .alt), ("meta", .alt),
    ("m", .alt), ("a", .alt), ("shift", .shift), ("s", .shift),
  ]
  private enum Modifier { case control, alt, shift }

  /// Returns a character's key if a cell can show the character.
  static func plain(_ character: Character) -> Key? {
    guard GraphemeWidth.width(of: character) > 0 || character == " " else { return nil }
    return .character(character)
  }

  static func key(_ text: String) -> Key? {
    let lower = text.lowercased()
    if let key = byLowerCase[lower] { return key }
    if lower.first == "f", let number = Int(lower.dropFirst()), (1...63).contains(number) {
      return .function(number)
    }
    if text.first == "^", text.count == 2, let last = text.last { return control(last) }
    guard let (modifier, rest) = modified(text) else { return nil }
    switch modifier {
    case .control:
      if rest.lowercased() == "space" { return .control("@") }
      return rest.count == 1 ? rest.first.flatMap(control) : nil
    case .alt:
      switch byLowerCase[rest.lowercased()] {
      case .character(let character): return .alt(character)
      case .backspace: return .alt("\u{7F}")
      default: return rest.count == 1 ? rest.first.flatMap(plain).flatMap(alt) : nil
      }
    case .shift:
      if rest.lowercased() == "tab" { return .backTab }
      guard rest.count == 1, let letter = rest.first, letter.isLetter else { return nil }
      let upper = letter.uppercased()
      return upper.count == 1 ? upper.first.flatMap(plain) : nil
    }
  }

  /// Returns true if the name begins with a modifier: `ctrl-…`, but `a-` is two keys.
  static func hasModifier(_ text: String) -> Bool {
    guard let dash = text.firstIndex(where: { $0 == "-" || $0 == "+" }) else { return false }
    let name = text[..<dash].lowercased()
    let isLast = text.index(after: dash) == text.endIndex
    return modifiers.contains { $0.0 == name } && (name.count > 1 || !isLast)
  }

  private static func modified(_ text: String) -> (Modifier, String)? {
    guard let dash = text.firstIndex(where: { $0 == "-" || $0 == "+" }),
      let modifier = modifiers.first(where: { $0.0 == text[..<dash].lowercased() })?.1
    else { return nil }
    let rest = text[text.index(after: dash)...]
    return rest.isEmpty ? nil : (modifier, String(rest))
  }

  private static func alt(_ key: Key) -> Key? {
    if case .character(let character) = key { return .alt(character) }
    return nil
  }

  private static func control(_ character: Character) -> Key? {
    guard let ascii = Character(character.lowercased()).asciiValue else { return nil }
    return Key.control(ascii & 0x1F, named: ascii)
  }
}
