import CNcurses
import TerminalKit

/// What terminfo says of the opened terminal, as the vocabulary that frames are written in and the
/// table that keys are read by.
struct TerminalDescription {
  let profile: TerminalProfile
  private let takesUTF8: Bool

  init(environment: [String: String], takesUTF8: Bool) {
    profile = TerminalProfile(
      environment: environment,
      description: .init(
        colors: max(0, Int(weir_number("colors"))),
        hasDirectColor: weir_flag("RGB") || weir_flag("Tc") || weir_string("RGB") != nil
          || weir_number("RGB") > 0,
        hasMouse: weir_string("kmous") != nil))
    self.takesUTF8 = takesUTF8
  }

  /// A capability that needs no parameters; empty where there is none.
  static func bytes(_ name: String, _ first: Int = 0, _ second: Int = 0) -> [UInt8] {
    guard let capability = weir_string(name) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = weir_expand(capability, first, second, buffer.baseAddress, buffer.count)
    }
  }

  var vocabulary: TerminalVocabulary {
    let dropsOverflow = !noWrap.isEmpty
    let stylist = Stylist(depth: profile.colorDepth)
    let clear = Self.bytes("el")
    return TerminalVocabulary(
      move: { x, y in Self.bytes("cup", y, x) },
      style: { stylist.bytes(for: $0) },
      clearToEndOfLine: clear.isEmpty ? nil : clear,
      showCursor: Self.bytes("cnorm"), hideCursor: Self.bytes("civis"),
      // Mode 2026, synchronised output: ignored where it is unknown.
      beginFrame: profile.takesPrivateModes ? Array("\u{1B}[?2026h".utf8) : [],
      endFrame: profile.takesPrivateModes ? Array("\u{1B}[?2026l".utf8) : [],
      takesLinks: profile.takesLinks, takesUTF8: takesUTF8, dropsOverflow: dropsOverflow,
      fillsCorner: dropsOverflow || !weir_flag("am") || weir_flag("xenl"))
  }

  /// Text beyond the last column is dropped rather than wrapped.
  var noWrap: [UInt8] {
    let known = Self.bytes("rmam")
    if !known.isEmpty && !Self.bytes("smam").isEmpty { return known }
    return profile.takesPrivateModes ? Array("\u{1B}[?7l".utf8) : []
  }

  var wrap: [UInt8] {
    let known = Self.bytes("smam")
    if !known.isEmpty { return known }
    return profile.takesPrivateModes ? Array("\u{1B}[?7h".utf8) : []
  }

  /// Mouse buttons and wheel in SGR form, focus, pastes in brackets.
  var reportsOn: [UInt8] {
    profile.takesPrivateModes
      ? Array("\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h".utf8) : []
  }

  var reportsOff: [UInt8] {
    profile.takesPrivateModes
      ? Array("\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l".utf8) : []
  }

  /// Undoes what frames and reports set, short of leaving the alternate screen.
  func reset(hasTitle: Bool) -> [UInt8] {
    var bytes = Self.bytes("sgr0") + Self.bytes("cnorm") + reportsOff + wrap
    if hasTitle { bytes += Array("\u{1B}[23;2t".utf8) }
    return bytes
  }

  /// The same for a process that dies in the middle of anything: what it may have left open is closed,
  /// and ncurses, which would leave the alternate screen, is not there to do it.
  func farewell(hasTitle: Bool, rows: Int) -> [UInt8] {
    // CAN ends a sequence that was cut off, in every state of a terminal's parser (DEC STD 070).
    var bytes: [UInt8] = [0x18]
    if profile.takesLinks { bytes += Array("\u{1B}]8;;\u{1B}\\".utf8) }
    bytes += vocabulary.endFrame + reset(hasTitle: hasTitle)
    return bytes + Self.bytes("cup", rows - 1, 0) + Self.bytes("rmcup") + Self.bytes("rmkx")
  }

  var keys: [[UInt8]: Key] {
    var named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
      ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert),
      ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
    ]
    for number in 1...20 { named.append(("kf\(number)", .function(number))) }
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in named {
      guard let capability = weir_string(name) else { continue }
      // Not expanded: what a key sends has no parameters, and may hold a percent sign.
      let bytes = Array(String(cString: capability).utf8)
      if keys[bytes] == nil { keys[bytes] = key }
    }
    return keys
  }
}

/// Styles as this terminal says them; each is worked out once.
private final class Stylist {
  private let depth: ColorDepth
  private let reset = TerminalDescription.bytes("sgr0")
  /// `setaf` takes red, green and blue themselves (terminfo types that end in -direct).
  private let isDirect = weir_number("colors") >= 1 << 24
  private let colors = Int(weir_number("colors"))
  private var known: [Style: [UInt8]] = [:]

  init(depth: ColorDepth) { self.depth = depth }

  func bytes(for style: Style) -> [UInt8] {
    if let bytes = known[style] { return bytes }
    let bytes = compose(style)
    // Feeds do not choose colours, so that themes bound their number; this is for the odd one.
    if known.count > 1024 { known = [:] }
    known[style] = bytes
    return bytes
  }

  private func compose(_ style: Style) -> [UInt8] {
    var bytes = reset
    var attributes = style.attributes
    var foreground = style.foreground.reduced(to: depth)
    var background = style.background.reduced(to: depth)
    if depth == .ansi16 && colors < 16 {
      let reduced = foreground.reducedToEight()
      if reduced.bold { attributes.insert(.bold) }
      foreground = reduced.color
      background = background.reducedToEight().color
    }
    let names: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "sitm"), (.underline, "smul"), (.reverse, "rev"),
      (.strikethrough, "smxx"),
    ]
    for (attribute, name) in names where attributes.contains(attribute) {
      bytes += TerminalDescription.bytes(name)
    }
    bytes += color(foreground, capability: "setaf", sgr: 38)
    bytes += color(background, capability: "setab", sgr: 48)
    return bytes
  }

  private func color(_ color: Color, capability: String, sgr: Int) -> [UInt8] {
    switch color {
    case .default: return []
    case .palette(let index):
      // Of a direct terminal's numbers only the first eight are the palette's.
      if isDirect && index >= 8 { return Array("\u{1B}[\(sgr);5;\(index)m".utf8) }
      return TerminalDescription.bytes(capability, Int(index))
    case .rgb(let red, let green, let blue):
      if isDirect {
        let number = Int(red) << 16 | Int(green) << 8 | Int(blue)
        // The palette's numbers, as blues nobody can tell from black, stand for something else.
        return TerminalDescription.bytes(capability, number < 8 ? 0 : number)
      }
      return Array("\u{1B}[\(sgr);2;\(red);\(green);\(blue)m".utf8)
    }
  }
}
