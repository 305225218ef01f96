internal import CNcurses

/// The features of the opened terminal, from terminfo and other sources.
struct TerminalDescription {
  let profile: TerminalProfile
  let supportsUTF8: Bool
  let colorDepth: ColorDepth

  /// - Parameter profile: from `profile(environment:)`, before the terminal was opened.
  init(profile: TerminalProfile, supportsUTF8: Bool) {
    self.profile = profile
    self.supportsUTF8 = supportsUTF8
    // An old ncurses ignores the added description with direct colours, and uses the palette.
    let isDirect = weir_number("colors") >= WEIR_DIRECT_COLORS
    colorDepth = isDirect ? profile.colorDepth : min(profile.colorDepth, .ansi256)
  }

  static func profile(environment: [String: String]) -> TerminalProfile {
    TerminalProfile(
      environment: environment,
      description: .init(
        colors: max(0, Int(weir_number("colors"))),
        hasDirectColor: weir_flag("RGB") || weir_flag("Tc") || weir_string("RGB") != nil
          || weir_number("RGB") > 0,
        hasMouse: weir_string("kmous") != nil))
  }

  /// A capability with parameters; empty if missing.
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
    // Resolved once, since the overlay moves the cursor often. Most terminals use ECMA-48's form,
    // which needs no interpretation.
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
      fillsCorner: !weir_flag("am"), supportsLinks: profile.supportsLinks,
      supportsUTF8: supportsUTF8, holds: { CursesScreen.holds($0 as String, $1) },
      holdsScalar: { CursesScreen.holds($0 as Unicode.Scalar, $1) })
  }

  /// Mode 2026 (synchronised output); ignored where unknown.
  var frame: (begin: [UInt8], end: [UInt8]) {
    profile.supportsPrivateModes
      ? (Array("\u{1B}[?2026h".utf8), Array("\u{1B}[?2026l".utf8)) : ([], [])
  }

  /// Focus reports, bracketed paste and reports of another colour scheme. ncurses handles the
  /// mouse.
  var reportsOn: [UInt8] {
    guard profile.supportsPrivateModes else { return [] }
    return Array("\u{1B}[?1004h\u{1B}[?2004h".utf8) + (followsColors ? SchemeReport.modeOn : [])
  }

  /// True if the theme can depend on the background.
  private var followsColors: Bool { profile.supportsPrivateModes && colorDepth > .ansi16 }

  /// Undoes frames and reports, but stays in the alternate screen.
  func reset(hasTitle: Bool) -> [UInt8] {
    var bytes = Self.bytes("sgr0") + Self.bytes("cnorm")
    if followsColors { bytes += SchemeReport.modeOff }
    if profile.supportsPrivateModes { bytes += "\u{1B}[?2004l\u{1B}[?1004l".utf8 }
    if hasTitle { bytes += "\u{1B}[23;2t".utf8 }
    return bytes
  }

  /// The reset for a crash: also ends open sequences, mouse reports and the alternate screen
  /// without ncurses.
  func farewell(hasTitle: Bool, rows: Int) -> [UInt8] {
    // CAN ends a truncated sequence in every parser state (DEC STD 070).
    var bytes: [UInt8] = [0x18]
    if profile.supportsLinks { bytes += "\u{1B}]8;;\u{1B}\\".utf8 }
    bytes += frame.end + reset(hasTitle: hasTitle) + Self.bytes("smam")
    if profile.supportsPrivateModes { bytes += "\u{1B}[?1006l\u{1B}[?1000l".utf8 }
    return bytes + Self.bytes("cup", rows - 1, 0) + Self.bytes("rmcup") + Self.bytes("rmkx")
  }
}

/// The features of the terminal, and the keys of its input, without taking the terminal over.
package enum TerminalFeatures {
  /// - Throws: if the terminal cannot be drawn on.
  package static func read(
    _ environment: [String: String]
  ) throws(TerminalError) -> (profile: TerminalProfile, supportsUTF8: Bool) {
    try NcursesTerminal.type(environment)
    return (TerminalDescription.profile(environment: environment), weir_locale())
  }

  /// Divides bytes that arrived together into keys; `nil` for an unknown sequence. Sequences that
  /// only terminfo names are unknown.
  package static func keys(of bytes: [UInt8]) -> [(bytes: [UInt8], key: Key?)] {
    var scanner = InputScanner()
    return (scanner.scan(bytes) + scanner.timeOut()).flatMap {
      unit -> [(bytes: [UInt8], key: Key?)] in
      switch unit {
      case .text(let text):
        text.map { (bytes: Array(String($0).utf8), key: Key.characters(of: String($0)).first) }
      case .sequence(let bytes): [(bytes: bytes, key: KeyDefinitions.key(of: bytes))]
      case .paste, .answer: []
      }
    }
  }
}
