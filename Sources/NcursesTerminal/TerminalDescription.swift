import CNcurses
import TerminalKit

/// What terminfo says of the opened terminal, and what is known beyond it.
struct TerminalDescription {
  let profile: TerminalProfile
  let takesUTF8: Bool
  let colorDepth: ColorDepth

  /// - Parameter profile: made by `profile(environment:)` before the terminal was opened.
  init(profile: TerminalProfile, takesUTF8: Bool) {
    self.profile = profile
    self.takesUTF8 = takesUTF8
    // A library too old to take an addition to the description shows its palette.
    let isDirect = weir_number("colors") >= WEIR_DIRECT_COLORS
    colorDepth = isDirect ? profile.colorDepth : min(profile.colorDepth, .ansi256)
  }

  /// What the described terminal can do.
  static func profile(environment: [String: String]) -> TerminalProfile {
    TerminalProfile(
      environment: environment,
      description: .init(
        colors: max(0, Int(weir_number("colors"))),
        hasDirectColor: weir_flag("RGB") || weir_flag("Tc") || weir_string("RGB") != nil
          || weir_number("RGB") > 0,
        hasMouse: weir_string("kmous") != nil))
  }

  /// A capability with its parameters; empty if there is none.
  static func bytes(_ name: String, _ first: Int = 0, _ second: Int = 0) -> [UInt8] {
    weir_string(name).map { expand($0, first, second) } ?? []
  }

  private static func expand(
    _ capability: UnsafePointer<CChar>, _ first: Int, _ second: Int
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = weir_expand(capability, first, second, buffer.baseAddress, buffer.count)
    }
  }

  func overlay(_ styles: StyleTable) -> OverlayCapabilities {
    let (noWrap, wrap) = (Self.bytes("rmam"), Self.bytes("smam"))
    // Looked up once: the cursor is moved for every cell of the overlay. Most terminals move it as
    // ECMA-48 says; the capability is not interpreted for them.
    let move = weir_string("cup")
    let isStandard = move.map { String(cString: $0) } == "\u{1B}[%i%p1%d;%p2%dH"
    let struck = (on: Self.bytes("smxx"), off: Self.bytes("rmxx"))
    return OverlayCapabilities(
      move: { x, y in
        if isStandard { return Array("\u{1B}[\(y + 1);\(x + 1)H".utf8) }
        return move.map { Self.expand($0, y, x) } ?? []
      },
      style: { style in
        let entry = styles.entry(for: style)
        return [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
          count = weir_style(entry.attributes, entry.pair, buffer.baseAddress, buffer.count)
        }
      },
      strikethrough: struck.on.isEmpty || struck.off.isEmpty ? ([], []) : struck,
      wrapping: noWrap.isEmpty || wrap.isEmpty ? ([], []) : (off: noWrap, on: wrap),
      fillsCorner: !weir_flag("am"), takesLinks: profile.takesLinks,
      takesUTF8: takesUTF8, holds: { CursesScreen.holds($0 as String, $1) },
      holdsScalar: { CursesScreen.holds($0 as Unicode.Scalar, $1) })
  }

  /// Mode 2026, a frame that is shown at once: ignored where it is unknown.
  var frame: (begin: [UInt8], end: [UInt8]) {
    profile.takesPrivateModes
      ? (Array("\u{1B}[?2026h".utf8), Array("\u{1B}[?2026l".utf8)) : ([], [])
  }

  /// Focus, and pastes in brackets. (The mouse is ncurses' own.)
  var reportsOn: [UInt8] {
    profile.takesPrivateModes ? Array("\u{1B}[?1004h\u{1B}[?2004h".utf8) : []
  }

  /// Undoes what frames and reports set, short of leaving the alternate screen.
  func reset(hasTitle: Bool) -> [UInt8] {
    var bytes = Self.bytes("sgr0") + Self.bytes("cnorm")
    if profile.takesPrivateModes { bytes += "\u{1B}[?2004l\u{1B}[?1004l".utf8 }
    if hasTitle { bytes += "\u{1B}[23;2t".utf8 }
    return bytes
  }

  /// The same for a process that dies in the middle of anything: what it may have left open is
  /// closed, and ncurses, which would end the mouse's reports and leave the alternate screen, is
  /// not there to do it.
  func farewell(hasTitle: Bool, rows: Int) -> [UInt8] {
    // CAN ends a sequence that was cut off, in every state of a terminal's parser (DEC STD 070).
    var bytes: [UInt8] = [0x18]
    if profile.takesLinks { bytes += "\u{1B}]8;;\u{1B}\\".utf8 }
    bytes += frame.end + reset(hasTitle: hasTitle) + Self.bytes("smam")
    if profile.takesPrivateModes { bytes += "\u{1B}[?1006l\u{1B}[?1000l".utf8 }
    return bytes + Self.bytes("cup", rows - 1, 0) + Self.bytes("rmcup") + Self.bytes("rmkx")
  }
}
