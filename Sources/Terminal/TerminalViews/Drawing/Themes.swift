// Each theme has one table. A test requires the text of every role to have WCAG 2.2's contrast with
// its background (4.5 to 1; in `contrast` 7 to 1); rules only have to be visible.
nonisolated extension Theme {
  /// The terminal's own colours with one accent, for light and dark backgrounds.
  public static let terminal = own("terminal", accent: 6)

  static let warmInSixteen = own("warm", accent: 3)

  /// The theme `terminal` with more than sixteen colours: selected rows are tinted, blue with the
  /// focus and grey without it, with text that is readable on any background.
  static let tintedTerminal = own(
    "terminal", accent: 6, selection: Style(foreground: .palette(255), background: .palette(24)),
    selected: Style(foreground: .palette(255), background: .palette(239)))

  private static func own(
    _ name: String, accent: UInt8, bright: UInt8 = 0, text: Style = .plain,
    dim: Style = Style(attributes: .dim), selection: Style = Style(attributes: .reverse),
    selected: Style? = nil
  ) -> Theme {
    let link = Style(foreground: .palette(accent), attributes: .underline)
    return Theme(
      name: name,
      looks: [
        text: [.text],
        dim: [.secondary, .rule, .codeBar, .comment],
        Style(foreground: .palette(accent)): [.accent, .quote],
        Style(attributes: .bold): [.title, .heading, .strong, .key],
        selection: [.selection],
        selected ?? link: [.selected],
        link: [.link],
        Style(foreground: .palette(3 + bright)): [.star, .warning, .number, .highlight],
        Style(foreground: .palette(1 + bright)): [.error, .highlight4],
        Style(attributes: .italic): [.emphasis, .minorHeading],
        Style(foreground: .palette(2 + bright)): [.code, .string, .highlight2],
        Style(foreground: .palette(5 + bright)): [.keyword, .highlight3],
        Style(attributes: .underline): [.hit],
        Style(attributes: .reverse): [.found],
        Style(attributes: .strikethrough): [.struck],
      ])
  }

  /// A theme with bold, dim, underline and reverse only.
  public static let mono = Theme(
    name: "mono",
    looks: [
      Style(attributes: .dim): [.secondary, .rule, .codeBar, .comment],
      Style(attributes: .bold): [
        .accent, .title, .error, .heading, .strong, .keyword, .key,
      ],
      Style(attributes: .reverse): [.selection, .found],
      Style(attributes: .underline): [
        .selected, .emphasis, .link, .minorHeading, .hit, .highlight, .highlight2, .highlight3,
        .highlight4,
      ],
      Style(attributes: .strikethrough): [.struck],
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

  static let contrastInSixteen = own(
    "contrast", accent: 14, bright: 8,
    text: Style(foreground: .palette(15), background: .palette(0)),
    dim: .plain)

  /// The colours of a theme with its own background, as 0xRRGGBB.
  struct Colors {
    var ground: UInt32
    var text: UInt32
    var secondary: UInt32
    /// Colour of titles and strong text.
    var bright: UInt32
    var accent: UInt32
    var rule: UInt32
    var star: UInt32
    var error: UInt32
    var code: UInt32
    var keyword: UInt32
    var hit: UInt32
    /// Backgrounds of the selected row (`bar`) and of other rows of a selection (`mark`).
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
      looks: [
        Style(foreground: color(colors.text), background: color(colors.ground)): [.text],
        Style(foreground: color(colors.secondary)): [.secondary, .codeBar, .comment],
        Style(foreground: color(colors.accent)): [.accent, .quote],
        Style(foreground: bright, attributes: .bold): [.title, .strong],
        Style(attributes: .bold): [.heading],
        Style(foreground: bright, background: color(colors.bar)): [.selection],
        Style(background: color(colors.mark)): [.selected],
        Style(foreground: color(colors.rule)): [.rule],
        Style(foreground: color(colors.star)): [.star, .warning, .number, .highlight],
        Style(foreground: color(colors.error)): [.error, .highlight4],
        Style(attributes: .italic): [.emphasis, .minorHeading],
        Style(foreground: color(colors.accent), attributes: .underline): [.link],
        Style(foreground: color(colors.code)): [.code, .string, .highlight2],
        Style(foreground: color(colors.keyword)): [.keyword, .highlight3],
        Style(foreground: bright, background: color(colors.mark), attributes: .bold): [.key],
        Style(foreground: color(colors.hit), attributes: .underline): [.hit],
        Style(foreground: color(colors.ground), background: color(colors.hit)): [.found],
        Style(attributes: .strikethrough): [.struck],
      ])
  }
}
