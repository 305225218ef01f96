/// The terminal's features beyond terminfo, from names in the environment. Unknown features are not
/// used, since the terminal may show an unknown sequence as text.
public struct TerminalProfile: Sendable, Hashable {
  /// Facts from terminfo.
  public struct Description: Sendable, Hashable {
    /// The number of colours (terminfo `colors`); 0 if unknown.
    public var colors: Int
    /// True if terminfo has `RGB` or `Tc`.
    public var hasDirectColor: Bool
    /// True if terminfo has `kmous`.
    public var hasMouse: Bool
    public init(colors: Int = 0, hasDirectColor: Bool = false, hasMouse: Bool = false) {
      (self.colors, self.hasDirectColor, self.hasMouse) = (colors, hasDirectColor, hasMouse)
    }
  }

  /// Number of colours, from the description, `COLORTERM` and `NO_COLOR`.
  public var colorDepth: ColorDepth
  /// True if the terminal ignores unknown private modes (DECSET), so that bracketed paste, focus
  /// and mouse reports and synchronised updates can be requested.
  public var supportsPrivateModes: Bool
  /// True if the terminal supports OSC 2 and xterm's title stack.
  public var supportsTitle: Bool
  /// True if the terminal supports hyperlinks (OSC 8).
  public var supportsLinks: Bool
  /// True if the terminal supports the clipboard (OSC 52).
  public var supportsClipboard: Bool
  /// True for tmux and GNU screen.
  public var isMultiplexer: Bool
  /// True if the terminal may be queried for pictures in cells.
  public var mayShowPictures: Bool
  /// True if the terminal's name implies iTerm2's inline images.
  public var showsInlineImages: Bool

  /// - Parameter environment: `TERM`, `TERM_PROGRAM`, `COLORTERM`, `NO_COLOR` and others.
  public init(environment: [String: String], description: Description) {
    let type = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    let isMultiplexer = Self.begins(type, ["tmux", "screen"])
    self.isMultiplexer = isMultiplexer
    mayShowPictures =
      !isMultiplexer
      && (Self.begins(type, ["xterm-kitty", "xterm-ghostty"]) || program == "ghostty"
        || environment["KITTY_WINDOW_ID"] != nil)
    showsInlineImages =
      !isMultiplexer && environment["TMUX"] == nil && environment["STY"] == nil
      && (["iTerm.app", "WezTerm", "mintty"].contains(program)
        || environment["LC_TERMINAL"] == "iTerm2")
    let isFamiliar =
      isMultiplexer
      || Self.begins(
        type,
        [
          "xterm", "rxvt", "foot", "alacritty", "kitty", "wezterm", "ghostty", "contour", "konsole",
          "gnome", "vte", "iterm2", "st-", "mintty", "putty", "ms-terminal", "rio",
        ])
      || type == "st"
    supportsPrivateModes = isFamiliar || description.hasMouse
    supportsTitle = isFamiliar && !Self.begins(type, ["screen.linux"])
    supportsClipboard =
      isFamiliar
      && (isMultiplexer || (environment["VTE_VERSION"] == nil && program != "Apple_Terminal"))
    supportsLinks = Self.supportsLinks(environment, type: type, isFamiliar: isFamiliar)
    colorDepth = Self.depth(environment, description)
  }

  private static func depth(
    _ environment: [String: String], _ description: Description
  ) -> ColorDepth {
    // `NO_COLOR` counts if it is set and not empty (https://no-color.org).
    if environment["NO_COLOR"]?.isEmpty == false || description.colors < 8 { return .mono }
    if description.hasDirectColor || description.colors >= 1 << 24 { return .trueColor }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()),
      description.colors >= 256
    {
      return .trueColor
    }
    return description.colors >= 256 ? .ansi256 : .ansi16
  }

  /// xterm-like terminals read an OSC sequence to its end and ignore unknown ones. Terminal names,
  /// which SSH does not pass on, are therefore not needed.
  private static func supportsLinks(
    _ environment: [String: String], type: String, isFamiliar: Bool
  ) -> Bool {
    if let forced = environment["FORCE_HYPERLINK"] { return forced != "0" }
    // GNU screen does not pass links on. tmux may have the same type, and ignores links before 3.4.
    if begins(type, ["screen"]), environment["TMUX"] == nil, environment["TERM_PROGRAM"] != "tmux" {
      return false
    }
    // VTE before 0.50.2 could crash; Konsole supports them since 20.12. Multiplexers inherit names
    // of other terminals.
    if !begins(type, ["screen", "tmux"]) {
      if (1..<5002).contains(number(environment["VTE_VERSION"])) { return false }
      if (1..<201200).contains(number(environment["KONSOLE_VERSION"])) { return false }
    }
    return isFamiliar
  }

  private static func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }

  private static func begins(_ text: String, _ prefixes: [String]) -> Bool {
    prefixes.contains { text.hasPrefix($0) }
  }
}

extension TerminalProfile {
  /// Returns true if rxvt's `COLORFGBG`, which Konsole and iTerm2 set too, names a dark background.
  /// `nil` if unset; then the terminal is queried (`BackgroundAnswer`).
  public static func hasDarkBackground(environment: [String: String]) -> Bool? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let color = Int(last),
      (0...15).contains(color)
    else { return nil }
    return color < 7 || color == 8
  }
}
