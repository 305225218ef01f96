@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

/// Contrast follows WCAG 2.2, 1.4.3 and 1.4.6.
@Suite("Themes") struct ThemeTests {
  /// Returns the relative luminance of an sRGB colour, as WCAG defines it.
  private func luminance(_ color: Color) throws -> Double {
    guard case .rgb(let red, let green, let blue) = color else {
      throw Unreadable(description: "\(color) is the terminal's own")
    }
    let linear = [red, green, blue].map { value -> Double in
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  private struct Unreadable: Error { var description: String }

  private func contrast(_ a: Color, _ b: Color) throws -> Double {
    let (x, y) = (try luminance(a), try luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  @Test(
    "Every text of a theme has enough contrast",
    arguments: Theme.all.map(\.name).filter { !["terminal", "mono"].contains($0) })
  func everyTextCanBeRead(name: String) throws {
    let theme = try #require(Theme.all.first { $0.name == name })
    let least = theme == .contrast ? 7.0 : 4.5
    let bar = theme.style(.selection).background
    let mark = theme.style(.selected).background
    for role in Role.allCases where role != .rule {
      let style = theme.style(role)
      #expect(!style.attributes.contains(.dim), "\(theme.name) \(role)")
      let own = try contrast(style.foreground, style.background)
      #expect(own >= least, "\(theme.name) \(role): \(own)")
      // Rows of a selection keep their colours.
      let marked = try contrast(style.foreground, mark)
      #expect(
        marked >= least || [.selection, .found].contains(role),
        "\(theme.name) \(role), selected: \(marked)")
    }
    let accent = try contrast(theme.style(.accent).foreground, bar)
    #expect(accent >= 3, "\(theme.name) mark on the selected row: \(accent)")
    let rule = try contrast(theme.style(.rule).foreground, theme.style(.text).background)
    #expect(rule >= 1.4, "\(theme.name) rules: \(rule)")
  }

  @Test("Selected rows differ from other rows and between panes, in every depth of colour")
  func selections() {
    for depth in [ColorDepth.mono, .ansi16, .ansi256, .trueColor] {
      for name in Theme.names {
        let theme = Theme.named(name, depth: depth, background: nil)
        let looks = [.text, .selected, .selection].map { theme.style([.text, $0]) }
        #expect(Set(looks.map(StyleText.text(of:))).count == 3, "\(name) in \(depth)")
      }
    }
  }

  @Test("The colours for the terminal's own background have enough contrast")
  func coloursHaveContrast() throws {
    let black = Color.rgb(0x2E, 0x34, 0x40)
    for role in Role.allCases where ![.rule, .selection, .selected, .found].contains(role) {
      let own = try contrast(Theme.dark.style(role).foreground, .rgb(0, 0, 0))
      #expect(own >= 4.5, "\(role) on black: \(own)")
      let grey = try contrast(Theme.dark.style(role).foreground, black)
      #expect(grey >= 3.9, "\(role) on dark grey: \(grey)")
      let white = try contrast(Theme.light.style(role).foreground, .rgb(255, 255, 255))
      #expect(white >= 4.5, "\(role) on white: \(white)")
    }
  }

  @Test("The terminal's colours and background decide which theme is used")
  func theTerminalChooses() {
    func name(_ name: String, _ depth: ColorDepth, _ ground: Theme.Background?) -> String {
      Theme.named(name, depth: depth, background: ground).name
    }
    #expect(name("auto", .trueColor, nil) == "terminal")
    #expect(name("auto", .trueColor, .dark) == "dark")
    #expect(name("auto", .ansi256, .light) == "light")
    #expect(name("auto", .ansi16, .light) == "terminal")
    #expect(name("warm", .ansi256, .light) == "warm")
    #expect(name("warm", .mono, nil) == "mono")
    #expect(
      Theme.named("auto", depth: .trueColor, background: .dark).style(.text).background == .default)
    #expect(
      Theme.named("dark", depth: .trueColor, background: nil).style(.text).background != .default)
    for theme in Theme.all {
      let style = Theme.named(theme.name, depth: .ansi16, background: nil).style(.accent)
      if case .rgb = style.foreground { Issue.record("\(theme.name) is not made for 16 colours") }
    }
  }

  @Test(
    "COLORFGBG decides whether the background is dark",
    arguments: [
      ("15;0", true), ("0;15", false), ("0;default;15", false), ("7;8", true), ("12;7", false),
    ])
  func terminalBackground(value: String, isDark: Bool) {
    #expect(TerminalProfile.hasDarkBackground(environment: ["COLORFGBG": value]) == isDark)
  }

  @Test("An invalid or missing COLORFGBG gives no background") func whatIsNoGroundIsNone() {
    for value in ["", "15;default", "15;99", "x"] {
      #expect(TerminalProfile.hasDarkBackground(environment: ["COLORFGBG": value]) == nil)
    }
    #expect(TerminalProfile.hasDarkBackground(environment: [:]) == nil)
  }

  @Test("Every theme looks as recorded", arguments: Theme.all.map(\.name))
  func themesLookAsRecorded(name: String) async throws {
    let robot = await Robot(
      try await .daily(), width: 140, height: 40, colors: .trueColor,
      configuration: .test { $0.theme = name })
    await robot.press("Enter", "Enter")
    try Golden.check("theme-\(name)-140x40", robot.terminal.styled)
  }
}
