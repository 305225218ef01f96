import TerminalKit

// One table for each theme. A test holds the text of every role to WCAG 2.2's contrast on its
// background (4.5 to 1; in `contrast` 7 to 1); rules only have to be visible.
nonisolated extension Theme {
  /// Looks right on light and dark backgrounds: the terminal's own colours, one accent.
  public static let terminal = own("terminal", accent: 6)

  static let warmInSixteen = own("warm", accent: 3)

  /// The same with more than sixteen colours: the selected row is tinted, in two greys that are
  /// readable on any background.
  static let tintedTerminal = own(
    "terminal", accent: 6, selection: Style(foreground: .palette(255), background: .palette(239)))

  private static func own(
    _ name: String, accent: UInt8, selection: Style = Style(attributes: .reverse)
  ) -> Theme {
    Theme(
      name: name,
      styles: [
        .secondary: Style(attributes: .dim),
        .accent: Style(foreground: .palette(accent)),
        .unread: Style(attributes: .bold),
        .title: Style(attributes: .bold),
        .selection: selection,
        .selected: Style(foreground: .palette(accent), attributes: .underline),
        .rule: Style(attributes: .dim),
        .star: Style(foreground: .palette(3)),
        .warning: Style(foreground: .palette(3)),
        .error: Style(foreground: .palette(1)),
        .heading: Style(attributes: .bold),
        .strong: Style(attributes: .bold),
        .emphasis: Style(attributes: .italic),
        .link: Style(foreground: .palette(accent), attributes: .underline),
        .code: Style(foreground: .palette(2)),
        .majorHeading: Style(foreground: .palette(accent)),
        .minorHeading: Style(attributes: .italic),
        .quote: Style(foreground: .palette(accent)),
        .codeBar: Style(attributes: .dim),
        .comment: Style(attributes: .dim),
        .string: Style(foreground: .palette(2)),
        .number: Style(foreground: .palette(3)),
        .keyword: Style(foreground: .palette(5)),
        .key: Style(attributes: .bold),
        .hit: Style(attributes: .underline),
        .found: Style(attributes: .reverse),
        .highlight: Style(foreground: .palette(3), attributes: .bold),
        .highlight2: Style(foreground: .palette(2), attributes: .bold),
        .highlight3: Style(foreground: .palette(5), attributes: .bold),
        .highlight4: Style(foreground: .palette(1), attributes: .bold),
        .struck: Style(attributes: .strikethrough),
      ])
  }

  /// Bold, dim, underline and reverse only.
  public static let mono = Theme(
    name: "mono",
    styles: [
      .secondary: Style(attributes: .dim),
      .unread: Style(attributes: .bold),
      .accent: Style(attributes: .bold),
      .title: Style(attributes: .bold),
      .selection: Style(attributes: .reverse),
      .selected: Style(attributes: .underline),
      .rule: Style(attributes: .dim),
      .error: Style(attributes: .bold),
      .heading: Style(attributes: .bold),
      .strong: Style(attributes: .bold),
      .emphasis: Style(attributes: .underline),
      .link: Style(attributes: .underline),
      .majorHeading: Style(attributes: .underline),
      .minorHeading: Style(attributes: .underline),
      .codeBar: Style(attributes: .dim),
      .comment: Style(attributes: .dim),
      .keyword: Style(attributes: .bold),
      .key: Style(attributes: .bold),
      .hit: Style(attributes: .underline),
      .found: Style(attributes: .reverse),
      .highlight: Style(attributes: [.bold, .underline]),
      .highlight2: Style(attributes: [.bold, .underline]),
      .highlight3: Style(attributes: [.bold, .underline]),
      .highlight4: Style(attributes: [.bold, .underline]),
      .struck: Style(attributes: .strikethrough),
    ])

  public static let dark = painted(
    "dark",
    Colors(
      ground: 0x14_171C, text: 0xCF_D4DC, secondary: 0x8A_94A3, bright: 0xF4_F6F8,
      accent: 0x6C_B2F5, rule: 0x36_3D48, star: 0xE6_B450, error: 0xFF_8078, code: 0x9F_D3B5,
      keyword: 0xBF_A8F0, hit: 0xFF_D479, bar: 0x24_4361, mark: 0x1C_2733))

  public static let light = painted(
    "light",
    Colors(
      ground: 0xFB_FAF7, text: 0x2B_2F36, secondary: 0x60_6772, bright: 0x08_0A0D,
      accent: 0x0B_5CAD, rule: 0xCF_D1D4, star: 0x86_5800, error: 0xB4_232C, code: 0x1F_6446,
      keyword: 0x6F_42A6, hit: 0x8A_3F00, bar: 0xCF_E1F5, mark: 0xEA_F0F6))

  public static let warm = painted(
    "warm",
    Colors(
      ground: 0x22_1D18, text: 0xDF_D2BD, secondary: 0xA3_937C, bright: 0xFA_F0DE,
      accent: 0xE3_A45C, rule: 0x4A_4036, star: 0xF0_C15A, error: 0xF2_8B74, code: 0xB7_C38C,
      keyword: 0xD9_A3C0, hit: 0xFF_D98A, bar: 0x54_4128, mark: 0x30_281F))

  public static let contrast = painted(
    "contrast",
    Colors(
      ground: 0x00_0000, text: 0xFF_FFFF, secondary: 0xD4_D4D4, bright: 0xFF_FFFF,
      accent: 0x4F_E3FF, rule: 0xA0_A0A0, star: 0xFF_DF3D, error: 0xFF_A8A2, code: 0xA8_FFB0,
      keyword: 0xFF_B8FF, hit: 0xFF_DF3D, bar: 0x00_4A8F, mark: 0x2B_2B2B))

  static let contrastInSixteen = Theme(
    name: "contrast",
    styles: [
      .text: Style(foreground: .palette(15), background: .palette(0)),
      .accent: Style(foreground: .palette(14)),
      .unread: Style(attributes: .bold),
      .title: Style(attributes: .bold),
      .selection: Style(attributes: .reverse),
      .selected: Style(attributes: .underline),
      .star: Style(foreground: .palette(11)),
      .warning: Style(foreground: .palette(11)),
      .error: Style(foreground: .palette(9), attributes: .bold),
      .heading: Style(attributes: .bold),
      .strong: Style(attributes: .bold),
      .emphasis: Style(attributes: .italic),
      .link: Style(foreground: .palette(14), attributes: .underline),
      .code: Style(foreground: .palette(10)),
      .majorHeading: Style(foreground: .palette(14)),
      .minorHeading: Style(attributes: .italic),
      .quote: Style(foreground: .palette(14)),
      .string: Style(foreground: .palette(10)),
      .number: Style(foreground: .palette(11)),
      .keyword: Style(foreground: .palette(13)),
      .key: Style(attributes: .bold),
      .hit: Style(foreground: .palette(11), attributes: .underline),
      .found: Style(attributes: .reverse),
      .highlight: Style(foreground: .palette(11), attributes: .bold),
      .highlight2: Style(foreground: .palette(10), attributes: .bold),
      .highlight3: Style(foreground: .palette(13), attributes: .bold),
      .highlight4: Style(foreground: .palette(9), attributes: .bold),
      .struck: Style(attributes: .strikethrough),
    ])

  /// The colours of a theme with its own background, as 0xRRGGBB.
  struct Colors {
    var ground: UInt32
    var text: UInt32
    var secondary: UInt32
    /// Titles, headings, unread.
    var bright: UInt32
    var accent: UInt32
    var rule: UInt32
    var star: UInt32
    var error: UInt32
    var code: UInt32
    var keyword: UInt32
    var hit: UInt32
    /// Behind the selected row, and behind other rows of a selection.
    var bar: UInt32
    var mark: UInt32
  }

  static func painted(_ name: String, _ colors: Colors) -> Theme {
    func color(_ value: UInt32) -> Color {
      .rgb(
        UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value))
    }
    let bright = color(colors.bright)
    return Theme(
      name: name,
      styles: [
        .text: Style(foreground: color(colors.text), background: color(colors.ground)),
        .secondary: Style(foreground: color(colors.secondary)),
        .accent: Style(foreground: color(colors.accent)),
        .unread: Style(foreground: bright, attributes: .bold),
        .title: Style(foreground: bright, attributes: .bold),
        .selection: Style(foreground: bright, background: color(colors.bar)),
        .selected: Style(background: color(colors.mark)),
        .rule: Style(foreground: color(colors.rule)),
        .star: Style(foreground: color(colors.star)),
        .warning: Style(foreground: color(colors.star)),
        .error: Style(foreground: color(colors.error)),
        .heading: Style(foreground: bright, attributes: .bold),
        .strong: Style(foreground: bright, attributes: .bold),
        .emphasis: Style(attributes: .italic),
        .link: Style(foreground: color(colors.accent), attributes: .underline),
        .code: Style(foreground: color(colors.code)),
        .majorHeading: Style(foreground: color(colors.accent)),
        .minorHeading: Style(foreground: bright, attributes: .italic),
        .quote: Style(foreground: color(colors.accent)),
        .codeBar: Style(foreground: color(colors.secondary)),
        .comment: Style(foreground: color(colors.secondary)),
        .string: Style(foreground: color(colors.code)),
        .number: Style(foreground: color(colors.star)),
        .keyword: Style(foreground: color(colors.keyword)),
        .key: Style(
          foreground: bright, background: color(colors.mark), attributes: .bold),
        .hit: Style(foreground: color(colors.hit), attributes: .underline),
        .found: Style(foreground: color(colors.ground), background: color(colors.hit)),
        .highlight: Style(foreground: color(colors.star), attributes: .bold),
        .highlight2: Style(foreground: color(colors.code), attributes: .bold),
        .highlight3: Style(foreground: color(colors.keyword), attributes: .bold),
        .highlight4: Style(foreground: color(colors.error), attributes: .bold),
        .struck: Style(attributes: .strikethrough),
      ])
  }
}
